/**
 * The port of an optional sandbox. It is off unless a spawn asks for it, and a spawn that asks where it does not work
 * is an error before the start: nothing ever runs outside silently.
 */
import * as Context from "effect/Context"
import type { Invocation } from "../spawn/Limits.ts"
import { bubblewrap } from "./Bubblewrap.ts"

export interface SandboxRequest {
  readonly invocation: Invocation
  /** Absolute; inside `workspace`. */
  readonly cwd: string
  /** The one folder of the machine that stays writable. */
  readonly workspace: string
  /** Folders whose content the command may not see. */
  readonly hidden: ReadonlyArray<string>
  /** Private folder of the child, left writable; null where it has none. */
  readonly home: string | null
}

/** Whether a sandbox works on this machine; the reason is for people. */
export type SandboxProbe =
  | { readonly works: true; readonly version: string }
  | { readonly works: false; readonly why: string; readonly remedy: string }

export interface SandboxTool {
  readonly name: "bwrap"
  /** Tries it, once; later calls answer the same. */
  readonly probe: () => SandboxProbe
  /** The command line that runs the invocation inside. */
  readonly wrap: (request: SandboxRequest) => Invocation
}

/** The sandbox in use; by default bubblewrap, where the machine has it. */
export class Sandbox extends Context.Reference<Sandbox>()("@gatehouse/process/Sandbox", {
  defaultValue: (): SandboxTool => bubblewrap()
}) {}
