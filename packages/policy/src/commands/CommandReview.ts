/** What a shell command would do, judged from its text by a grammar. Cases in `test/vectors/command-review.json`. */
import type { Risk } from "@gatehouse/core/Risk"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { liveLookups } from "./CommandLookups.boundary.ts"
import { programKnowledge } from "./ProgramKnowledge.ts"
import { programs } from "./programs/Programs.ts"
import { reviewCommand } from "./ReviewCommand.ts"

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
  /**
   * What a standing answer must cover, all of it: the simple commands as words, quotes removed, wrappers opened (one
   * that does more than start its command is a part as well), assignments as the first words of their command; then
   * redirections as `[">", "out.txt"]`, here-documents as `["<<"]`. Empty where the text did
   * not parse or is not literal: what the shell decides at run time no answer given in advance can cover.
   */
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
>() {
  /** Knows the programs of `programs/`, looks up programs and settings on this machine. */
  static readonly layer: Layer.Layer<CommandReview> = Layer.sync(CommandReview, () => {
    const knowledge = programKnowledge(programs)
    return { review: (question) => reviewCommand(question, knowledge, liveLookups) }
  })
}
