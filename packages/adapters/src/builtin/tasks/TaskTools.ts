/** The tools by which a model follows its background work. */
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import * as Effect from "effect/Effect"
import { TaskAccess } from "./TaskAccess.ts"
import { taskControlEntry } from "./TaskControl.ts"
import { taskListEntry } from "./TaskList.ts"
import { taskStatusEntry } from "./TaskStatus.ts"
import { yieldUntilEntry } from "./YieldUntil.ts"

/** `task_list`, `task_status`, `task_control` and `yield_until`. */
export const taskEntries: Effect.Effect<ReadonlyArray<SourceEntry>, never, TaskAccess> = Effect.map(
  TaskAccess,
  (tasks) => [taskListEntry(tasks), taskStatusEntry(tasks), taskControlEntry(tasks), yieldUntilEntry(tasks)]
)
