/** Commands that have nothing to settle end as soon as somebody stops them. */
import * as Effect from "effect/Effect"
import { CommandFailed } from "./ExitStatus.ts"
import { Invocation } from "./Invocation.ts"

/** Ends `command` with `cancelled` at the first Ctrl-C, after its finalizers have run. */
export const stoppable = <A, E, R>(
  command: Effect.Effect<A, E, R>
): Effect.Effect<A, E | CommandFailed, R | Invocation> =>
  Effect.flatMap(Invocation, ({ stop }) =>
    Effect.raceFirst(
      command,
      Effect.async<never, CommandFailed>((resume) => {
        const onAbort = (): void => resume(new CommandFailed({ status: "cancelled", message: "stopped", remedy: "" }))
        if (stop.aborted) onAbort()
        else stop.addEventListener("abort", onAbort, { once: true })
        return Effect.sync(() => stop.removeEventListener("abort", onAbort))
      })
    )
  )
