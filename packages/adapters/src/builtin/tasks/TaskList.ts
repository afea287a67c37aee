/** `task_list`: the tasks of the turn's session, newest first. */
import { type TaskRecord, toModelTask } from "@gatehouse/control-plane/tasks/TaskRows"
import { textOutput } from "@gatehouse/core/AdapterOutcome"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { builtinEntry } from "../BuiltinTool.ts"
import { controlPlan, storeRefusal } from "../ControlTool.ts"
import type { TaskAccess } from "./TaskAccess.ts"

/** Tasks of one answer: each has a summary of 1,200 characters at most. */
const listDefault = 20
const listMost = 50

const Arguments = Schema.Struct({
  limit: Schema.optionalWith(
    Schema.Number.pipe(Schema.int(), Schema.between(1, listMost)).annotations({
      description: `Tasks of the answer; ${listDefault} by default, ${listMost} at most.`
    }),
    { default: () => listDefault }
  )
})

export const taskListEntry = (tasks: Context.Tag.Service<typeof TaskAccess>): SourceEntry =>
  builtinEntry<typeof Arguments.Type, typeof Arguments.Encoded, typeof Arguments.Type>({
    name: "task_list",
    description: "Lists the background tasks of this session, newest first.",
    arguments: Arguments,
    capability: null,
    toolset: "control",
    risk: "low",
    policy: "auto",
    readOnly: true,
    plan: (args) =>
      controlPlan({
        action: "list",
        target: "tasks of this session",
        readOnly: true,
        preview: {},
        timeoutMillis: null,
        prepared: args
      }),
    run: ({ call: { turn }, prepared }) =>
      Effect.mapBoth(tasks.ofSession(turn.principal, turn.session, prepared.limit), {
        onFailure: storeRefusal,
        onSuccess: (found) => ({ status: "succeeded" as const, output: listed(found) })
      })
  })

const listed = (found: ReadonlyArray<TaskRecord>) => {
  const tasks = found.map(toModelTask)
  const lines = tasks.map(({ kind, status, summary, task_id }) => `${task_id} ${kind} ${status}: ${firstLine(summary)}`)
  return textOutput(lines.length === 0 ? "no tasks" : lines.join("\n"), { tasks: tasks.map((task) => ({ ...task })) })
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? ""
