/** `task_control`: asks for the end of a task. It knows `cancel` and nothing else. */
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import { TaskId } from "@gatehouse/core/Identifiers"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { builtinEntry } from "../BuiltinTool.ts"
import { controlPlan, storeRefusal } from "../ControlTool.ts"
import type { TaskAccess } from "./TaskAccess.ts"
import { noSuchTask, TaskIdArgument, taskAnswer } from "./TaskAnswer.ts"

const Arguments = Schema.Struct({
  task_id: TaskIdArgument,
  action: Schema.String.pipe(Schema.maxLength(100)).annotations({
    description: "cancel: its processes are ended, and its end is stored. Nothing else is supported."
  })
})

export const taskControlEntry = (tasks: Context.Tag.Service<typeof TaskAccess>): SourceEntry =>
  builtinEntry<typeof Arguments.Type, typeof Arguments.Encoded, TaskId>({
    name: "task_control",
    description: "Cancels a background task. yield_until waits for its end.",
    arguments: Arguments,
    capability: null,
    toolset: "control",
    risk: "low",
    policy: "auto",
    readOnly: false,
    plan: ({ action, task_id }) =>
      action === "cancel"
        ? controlPlan({
            action: "cancel",
            target: `task ${task_id}`,
            readOnly: false,
            preview: { task_id, action },
            timeoutMillis: null,
            prepared: TaskId(task_id)
          })
        : new PlanRefused("invalid", "task_control.unsupported", "action: is unsupported; cancel is the only one"),
    run: ({ call: { turn }, prepared }) =>
      Effect.gen(function* () {
        const asked = yield* tasks.requestCancel(turn.principal, prepared)
        const task = asked === "not_found" ? null : yield* tasks.get(turn.principal, prepared)
        return asked === "not_found" || task === null ? noSuchTask : taskAnswer(task, words[asked], { cancel: asked })
      }).pipe(Effect.mapError(storeRefusal))
  })

const words = {
  sealed: "asked to end; yield_until waits for it",
  already: "was asked to end before; yield_until waits for it",
  ended: "had ended already"
}
