/** What the tools about tasks need of them: questions under the scope of a turn, each answered by one owned query. */
import { Tasks } from "@gatehouse/control-plane/tasks/Tasks"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

export class TaskAccess extends Context.Tag("@gatehouse/adapters/TaskAccess")<
  TaskAccess,
  Pick<Context.Tag.Service<typeof Tasks>, "get" | "ofSession" | "requestCancel" | "wait">
>() {
  static readonly layer: Layer.Layer<TaskAccess, never, Tasks> = Layer.effect(TaskAccess, Tasks)
}
