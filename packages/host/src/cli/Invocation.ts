/** What a command was started with: everything ambient about a process, passed instead of reached for. */
import * as Context from "effect/Context"

export class Invocation extends Context.Tag("@gatehouse/host/Invocation")<
  Invocation,
  {
    /** The host's own variables. */
    readonly environment: Readonly<Record<string, string | undefined>>
    /** How this program is started again: an executable, and what stands before the verb. */
    readonly program: ReadonlyArray<string>
    /** Where it was started; absolute. */
    readonly cwd: string
    /** The home of the person who started it. */
    readonly userHome: string
    /** As `process.version` says it. */
    readonly nodeVersion: string
    /** Aborted by the first Ctrl-C or TERM: what is under way settles, and the command ends. */
    readonly stop: AbortSignal
    /** What Ctrl-C does, for a prompt that reads keys itself. */
    readonly requestStop: () => void
  }
>() {}
