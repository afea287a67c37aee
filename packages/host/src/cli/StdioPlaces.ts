/** Whether a command line is `serve` on standard input and output and nothing else. Pure. */
import * as Option from "effect/Option"
import type { Places } from "./GlobalOptions.ts"

/**
 * The places that `serve` is given, where its words are those of standard input and output; null for every other
 * command line, and for one that is not plainly right: the whole command says what is wrong with it.
 *
 * @example
 * stdioPlaces(["serve", "--core", "a"])  // { core: Some("a"), workspace: None, home: None }
 * stdioPlaces(["serve", "--http", "80"]) // null
 */
export const stdioPlaces = (words: ReadonlyArray<string>): Places | null => {
  const places = new Map<string, string>()
  let isServe = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ""
    if (word === "serve" && !isServe) {
      isServe = true
      continue
    }
    const [name = "", ...rest] = word.split("=")
    if (!names.has(name) || places.has(name)) return null
    const value = rest.length > 0 ? rest.join("=") : words[(at += 1)]
    if (value === undefined || value === "" || value.startsWith("-")) return null
    places.set(name, value)
  }
  const place = (name: string): Option.Option<string> => Option.fromNullable(places.get(name))
  return isServe ? { core: place("--core"), workspace: place("--workspace"), home: place("--home") } : null
}

const names: ReadonlySet<string> = new Set(["--core", "--workspace", "--home"])
