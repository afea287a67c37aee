/** `gatehouse sessions` and `gatehouse tasks`: what this home keeps of them. */

import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import { Tasks } from "@gatehouse/control-plane/tasks/Tasks"
import { SessionId, TaskId } from "@gatehouse/core/Identifiers"
import { inertJson } from "@gatehouse/policy/redaction/TerminalText"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { CommandFailed } from "../ExitStatus.ts"
import { localStoreLayer, storeFailed } from "../LocalStore.ts"
import { Output } from "../Output.ts"
import { table } from "../render/Table.ts"

export interface RecordsArguments {
  readonly home: Option.Option<string>
  readonly json: boolean
}

const operator = Effect.flatMap(Principals, (principals) => principals.operator("gatehouse sessions"))

const notFound = (what: string): CommandFailed =>
  new CommandFailed({
    status: "not_found",
    message: `there is no such ${what}`,
    remedy: `\`gatehouse ${what}s list\` shows them`
  })

export const runSessionsList = Effect.fn("gatehouse sessions list")(
  function* (args: RecordsArguments) {
    const output = yield* Output
    const sessions = yield* Sessions
    const found = yield* sessions.list(yield* operator)
    if (args.json) return yield* output.result(inertJson(found, 2))
    if (found.length === 0) return yield* output.result("no sessions")
    const rows = found.map(({ id, title, updatedAt }) => [id, title, new Date(updatedAt).toISOString()])
    yield* output.result(table(["ID", "TITLE", "LAST USED"], rows, output))
  },
  Effect.mapError(storeFailed),
  (effect, args) => Effect.provide(effect, localStoreLayer(args.home))
)

export const runSessionsShow = Effect.fn("gatehouse sessions show")(
  function* (args: RecordsArguments & { readonly id: string }) {
    const output = yield* Output
    const sessions = yield* Sessions
    const scope = yield* Effect.mapError(operator, storeFailed)
    const session = yield* Effect.mapError(sessions.get(scope, SessionId(args.id)), storeFailed)
    if (session === null) return yield* notFound("session")
    const messages = yield* Effect.mapError(sessions.messages(scope, session.id, 0), storeFailed)
    if (args.json) return yield* output.result(inertJson({ ...session, messages }, 2))
    yield* output.result(`${session.id}  ${session.title}`)
    for (const { role, text } of messages) yield* output.result(`${role}: ${text}`)
  },
  (effect, args) => Effect.provide(effect, localStoreLayer(args.home))
)

export const runTasksList = Effect.fn("gatehouse tasks list")(
  function* (args: RecordsArguments) {
    const output = yield* Output
    const tasks = yield* Tasks
    const found = yield* tasks.list(yield* operator)
    if (args.json) return yield* output.result(inertJson(found, 2))
    if (found.length === 0) return yield* output.result("no tasks")
    yield* output.result(
      table(
        ["ID", "KIND", "STATUS", "SUMMARY"],
        found.map(({ id, kind, status, summary }) => [id, kind, status, summary.split("\n", 1)[0] ?? ""]),
        output
      )
    )
  },
  Effect.mapError(storeFailed),
  (effect, args) => Effect.provide(effect, localStoreLayer(args.home))
)

export const runTasksShow = Effect.fn("gatehouse tasks show")(
  function* (args: RecordsArguments & { readonly id: string }) {
    const output = yield* Output
    const tasks = yield* Tasks
    const scope = yield* Effect.mapError(operator, storeFailed)
    const task = yield* Effect.mapError(tasks.get(scope, TaskId(args.id)), storeFailed)
    if (task === null) return yield* notFound("task")
    const tail = yield* Effect.mapError(tasks.tail(scope, task.id), storeFailed)
    yield* output.result(
      args.json ? inertJson({ ...task, tail }, 2) : `${task.id}  ${task.kind}  ${task.status}\n${task.summary}\n${tail}`
    )
  },
  (effect, args) => Effect.provide(effect, localStoreLayer(args.home))
)

export const runTasksCancel = Effect.fn("gatehouse tasks cancel")(
  function* (args: RecordsArguments & { readonly id: string }) {
    const output = yield* Output
    const tasks = yield* Tasks
    const scope = yield* Effect.mapError(operator, storeFailed)
    const asked = yield* Effect.mapError(tasks.requestCancel(scope, TaskId(args.id)), storeFailed)
    if (asked === "not_found") return yield* notFound("task")
    yield* output.result(
      args.json
        ? JSON.stringify({ id: args.id, cancel: asked })
        : { sealed: "asked to end", already: "was asked to end before", ended: "has ended" }[asked]
    )
  },
  (effect, args) => Effect.provide(effect, localStoreLayer(args.home))
)
