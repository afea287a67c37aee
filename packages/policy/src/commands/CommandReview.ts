/** What a shell command would do, judged from its text by a grammar. Cases in `test/vectors/command-review.json`. */
import type { Risk } from "@gatehouse/core/Risk"
import * as Context from "effect/Context"

export type CommandDecision = "allow" | "prompt" | "block"
export type CommandClass = "read_only" | "project_code" | "mutation" | "network" | "unknown" | "destructive"

export interface CommandQuestion {
  readonly command: string
  /** Absolute, links resolved; null where only the text is judged. */
  readonly cwd: string | null
  readonly workspace: string | null
  readonly cwdInWorkspace: boolean
  readonly environmentOverlay: ReadonlyArray<string>
  readonly background: boolean
  /** The child's own PATH; null where programs are not to be looked up. */
  readonly searchPath: string | null
}

export interface CommandReason {
  readonly text: string
  /** UTF-16 positions in the command. */
  readonly start: number
  readonly end: number
  readonly rule: string
}

export interface CommandVerdict {
  readonly decision: CommandDecision
  readonly risk: Risk
  readonly class: CommandClass
  readonly because: ReadonlyArray<CommandReason>
  /** The simple commands as words, quotes removed, wrappers opened; empty where the text did not parse. */
  readonly parts: ReadonlyArray<ReadonlyArray<string>>
  /** Where bare program names were found, by name. */
  readonly resolved: Readonly<Record<string, string>>
}

export class CommandReview extends Context.Tag("@gatehouse/policy/CommandReview")<
  CommandReview,
  {
    /** Synchronous; reads program locations and a repository's configuration at most. */
    readonly review: (question: CommandQuestion) => CommandVerdict
  }
>() {}
