/** `${NAME}` in the values of a declaration: which variables they need, and what they become after the approval. Pure. */
import { type EnvironmentHost, hostHas, hostValue } from "@gatehouse/policy/environment/HostEnvironment"

/** `${NAME}` with a legal name; anything else between braces is text. */
const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** The names that `text` refers to. */
export const referencesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(reference)].map(([, name = ""]) => name)

/** The first name that the host lacks; values are not looked at. */
export const missingReference = (texts: ReadonlyArray<string>, host: EnvironmentHost): string | null =>
  texts.flatMap(referencesIn).find((name) => !hostHas(host, name)) ?? null

/** What was put in, by the name of the host's variable. */
export type Substituted = Map<string, string>

/** `text` with its references replaced, in one pass: what a value brings in is not looked at again. */
export const substitute = (text: string, host: EnvironmentHost, into: Substituted): string =>
  text.replace(reference, (_, name: string) => {
    const value = hostValue(host, name) ?? ""
    into.set(name, value)
    return value
  })

/**
 * Values that are searched for in everything that a server says. A path, a number, a plain word or something short is
 * no secret, and masking it would make texts unreadable; what the host knows by name is masked anyway.
 */
export const secretsAmong = (substituted: Substituted): ReadonlyMap<string, string> =>
  new Map([...substituted].filter(([, value]) => value.length >= 8 && !isPlain(value)))

/** A path, a number, or a word as people write words: letters of random case, or very many, are none. */
const isPlain = (value: string): boolean =>
  /^[~./]|^\d+$/.test(value) || (value.length <= longestWord && /^(?:[A-Za-z]?[a-z]+|[A-Z]+)$/.test(value))

const longestWord = 20
