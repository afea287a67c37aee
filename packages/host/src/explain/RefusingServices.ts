/** Services for a dry run in place of those that act: each refuses, in words, whatever it is asked to do. */
import { HistoryAccess } from "@gatehouse/adapters/builtin/sessions/HistoryAccess"
import { TaskAccess } from "@gatehouse/adapters/builtin/tasks/TaskAccess"
import { TaskStarter } from "@gatehouse/adapters/builtin/terminal/TaskStarter"
import { StoreError } from "@gatehouse/control-plane/StoreError"
import { AdapterError } from "@gatehouse/core/EffectError"
import { SafeHttp } from "@gatehouse/policy/http/SafeHttp"
import { SafeHttpError } from "@gatehouse/policy/http/SafeHttpError"
import { ProcessError } from "@gatehouse/process/ProcessError"
import { Processes } from "@gatehouse/process/Processes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Starts nothing, ends nothing, sweeps nothing. */
export const refusingProcesses = Layer.succeed(Processes, {
  spawn: () =>
    Effect.fail(
      new ProcessError({
        reason: "shutdown",
        message: "a dry run starts no process",
        remedy: "`gatehouse call` runs it",
        spawned: false,
        exit: null
      })
    ),
  shutdown: Effect.void,
  sweep: Effect.succeed(null),
  lastSweep: Effect.succeed(null)
})

/** Opens no socket, and looks up no name. */
export const refusingHttp = Layer.succeed(SafeHttp, {
  request: () => Effect.fail(noSocket),
  open: () => Effect.fail(noSocket)
})

const noSocket = new SafeHttpError({
  reason: "connect",
  message: "a dry run opens no socket",
  remedy: "`gatehouse call` sends it",
  code: null,
  origin: null,
  requestSent: false,
  refused: null
})

/** Reads no history, and knows no task. */
export const refusingControlPlane = Layer.suspend(() =>
  Layer.mergeAll(
    Layer.succeed(TaskStarter, { start: () => Effect.fail(noTask) }),
    Layer.succeed(TaskAccess, {
      get: () => Effect.fail(noStore),
      ofSession: () => Effect.fail(noStore),
      requestCancel: () => Effect.fail(noStore),
      wait: () => Effect.fail(noStore)
    }),
    Layer.succeed(HistoryAccess, {
      get: () => Effect.fail(noStore),
      list: () => Effect.fail(noStore),
      messages: () => Effect.fail(noStore),
      search: () => Effect.fail(noStore)
    })
  )
)

const noTask = new AdapterError({
  reason: "background",
  message: "a dry run starts no task",
  remedy: "`gatehouse call` starts it",
  mayHaveHappened: false
})

const noStore = new StoreError({
  reason: "closed",
  message: "a dry run opens no store",
  remedy: "`gatehouse call` reads it"
})
