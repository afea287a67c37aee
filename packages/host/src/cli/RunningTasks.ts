/** A command's host ends with the command, and its tasks with it: so the command waits for them. */
import { TaskWorker } from "@gatehouse/control-plane/tasks/TaskWorker"
import * as Effect from "effect/Effect"
import { Invocation } from "./Invocation.ts"
import { Output } from "./Output.ts"

/** Waits for the tasks of this host, and says so; Ctrl-C ends the waiting, and with the host the tasks. */
export const awaitRunningTasks = Effect.gen(function* () {
  const worker = yield* TaskWorker
  const running = yield* worker.running
  if (running.length === 0) return
  const output = yield* Output
  yield* output.note(`waiting for ${running.join(", ")}, which would end with this command; Ctrl-C ends it`)
  const { stop } = yield* Invocation
  yield* Effect.raceFirst(
    worker.idle,
    Effect.async<void>((resume) => {
      const onAbort = (): void => resume(Effect.void)
      if (stop.aborted) onAbort()
      else stop.addEventListener("abort", onAbort, { once: true })
      return Effect.sync(() => stop.removeEventListener("abort", onAbort))
    })
  )
})
