/** `task_status`: one task as it is now. */
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import { TaskId } from "@gatehouse/core/Identifiers"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { builtinEntry } from "../BuiltinTool.ts"
import { controlPlan, storeRefusal } from "../ControlTool.ts"
import type { TaskAccess } from "./TaskAccess.ts"
import { noSuchTask, TaskIdArgument, taskAnswer } from "./TaskAnswer.ts"

const Arguments = Schema.Struct({ task_id: TaskIdArgument })

export const taskStatusEntry = (tasks: Context.Tag.Service<typeof TaskAccess>): SourceEntry =>
  builtinEntry<typeof Arguments.Type, typeof Arguments.Encoded, TaskId>({
    name: "task_status",
    description: "Status and summary of one background task.",
    arguments: Arguments,
    capability: null,
    toolset: "control",
    risk: "low",
    policy: "auto",
    readOnly: true,
    plan: ({ task_id }) =>
      controlPlan({
        action: "look at",
        target: `task ${task_id}`,
        readOnly: true,
        preview: { task_id },
        timeoutMillis: null,
        prepared: TaskId(task_id)
      }),
    run: ({ call: { turn }, prepared }) =>
      Effect.mapBoth(tasks.get(turn.principal, prepared), {
        onFailure: storeRefusal,
        onSuccess: (task) => (task === null ? noSuchTask : taskAnswer(task))
      })
  })
