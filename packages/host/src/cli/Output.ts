/** Where a command speaks: results on standard output, progress and diagnostics on standard error. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export class Output extends Context.Tag("@gatehouse/host/Output")<
  Output,
  {
    /** A line of the result. Nobody reads any more: the command ends quietly. */
    readonly result: (text: string) => Effect.Effect<void>
    /** A line of progress or diagnosis. */
    readonly note: (text: string) => Effect.Effect<void>
    /** Text of a running command as it comes, without a line end of its own. */
    readonly live: (stream: "stdout" | "stderr", text: string) => void
    /** Whether standard output is a terminal that takes colours (`NO_COLOR` honoured, https://no-color.org). */
    readonly colours: boolean
    /** Whether a person can be asked: standard input and standard error are terminals. */
    readonly interactive: boolean
    /** Columns of the terminal; 100 where there is none. */
    readonly columns: number
  }
>() {}
