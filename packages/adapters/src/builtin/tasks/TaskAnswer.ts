/** How tasks are told to a model: the bounded projection, and one answer for what is missing and what is not its own. */
import { type ModelTask, type TaskRecord, toModelTask } from "@gatehouse/control-plane/tasks/TaskRows"
import { type AdapterOutcome, textOutput } from "@gatehouse/core/AdapterOutcome"
import type { Json } from "@gatehouse/core/Json"
import * as Schema from "effect/Schema"

/** An id as a model passes it on. */
export const TaskIdArgument = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200)).annotations({
  description: "Id of a task, as terminal or task_list gave it."
})

/** The same bytes for an id that nobody has and for one that somebody else has. */
export const noSuchTask: AdapterOutcome = {
  status: "failed",
  output: textOutput("there is no such task", { error: "not_found" }),
  message: "there is no such task; task_list shows those of this session"
}

export const taskLine = ({ kind, status, summary, task_id }: ModelTask): string =>
  `${task_id} ${kind} ${status}\n${summary}`

/** One task, and what else is to be said with it. */
export const taskAnswer = (
  task: TaskRecord,
  said: string | null = null,
  more: { readonly [field: string]: Json } = {}
): AdapterOutcome => {
  const shown = toModelTask(task)
  return {
    status: "succeeded",
    output: textOutput(said === null ? taskLine(shown) : `${said}\n${taskLine(shown)}`, { task: { ...shown }, ...more })
  }
}
