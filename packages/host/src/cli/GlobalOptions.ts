/** The options that every verb takes, and where they lead. */

import { join, resolve } from "node:path"
import * as Options from "@effect/cli/Options"
import type * as Context from "effect/Context"
import * as Option from "effect/Option"
import type { Invocation } from "./Invocation.ts"

export const coreOption = Options.text("core").pipe(
  Options.withDescription("Folder that holds agent.yaml (default: the nearest one upwards)"),
  Options.withPseudoName("DIR"),
  Options.optional
)

export const workspaceOption = Options.text("workspace").pipe(
  Options.withDescription("Folder that the model works in (default: the core's own setting, else where you are)"),
  Options.withPseudoName("DIR"),
  Options.optional
)

export const homeOption = Options.text("home").pipe(
  Options.withDescription("Private folder of this host (default: GATEHOUSE_HOME, else ~/.gatehouse)"),
  Options.withPseudoName("DIR"),
  Options.optional
)

export const jsonOption = Options.boolean("json").pipe(Options.withDescription("One JSON value on standard output"))

/** The options that lead to a core, a workspace and a home. */
export const placeOptions = { core: coreOption, workspace: workspaceOption, home: homeOption }

export interface Places {
  readonly core: Option.Option<string>
  readonly workspace: Option.Option<string>
  readonly home: Option.Option<string>
}

/** The absolute folder of the home. */
export const homeFolder = (home: Option.Option<string>, invocation: Context.Tag.Service<Invocation>): string =>
  resolve(
    invocation.cwd,
    Option.getOrElse(home, () => invocation.environment["GATEHOUSE_HOME"] || join(invocation.userHome, ".gatehouse"))
  )

/** Options that may stand before the verb; each takes a value but `--json`. */
const valued = ["--core", "--workspace", "--home"]

/**
 * Moves global options that stand before the verb behind it, where the parser looks for them.
 *
 * @example
 * hoistGlobalOptions(["--core", "x", "catalog", "--json"]) // ["catalog", "--core", "x", "--json"]
 */
export const hoistGlobalOptions = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const front: Array<string> = []
  let at = 0
  while (at < args.length) {
    const word = args[at] ?? ""
    const takesNext = valued.includes(word)
    if (!takesNext && word !== "--json" && !valued.some((name) => word.startsWith(`${name}=`))) break
    front.push(...args.slice(at, at + (takesNext ? 2 : 1)))
    at += takesNext ? 2 : 1
  }
  return [...args.slice(at, at + 1), ...front, ...args.slice(at + 1)]
}
