/** `gatehouse sessions repair`: sessions whose owner is not known get one, once. Nothing else shows them. */
import { localName, Principals } from "@gatehouse/control-plane/principals/Principals"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import { SessionId } from "@gatehouse/core/Identifiers"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { CommandFailed } from "../ExitStatus.ts"
import { localStoreLayer, storeFailed } from "../LocalStore.ts"
import { Output } from "../Output.ts"
import { table } from "../render/Table.ts"

export interface SessionsRepairArguments {
  readonly home: Option.Option<string>
  readonly json: boolean
  /** None: they are listed, and nothing is changed. */
  readonly ids: ReadonlyArray<string>
  /** Name of the principal that becomes their owner. */
  readonly owner: string
}

export const runSessionsRepair = Effect.fn("gatehouse sessions repair")(
  function* (args: SessionsRepairArguments) {
    const output = yield* Output
    const sessions = yield* Sessions
    const principals = yield* Principals
    const operator = yield* Effect.mapError(principals.operator("gatehouse sessions repair"), storeFailed)
    const legacy = yield* Effect.mapError(sessions.legacy(operator), storeFailed)
    if (args.ids.length === 0) {
      const rows = legacy.map(({ createdAt, id, title }) => [id, title, new Date(createdAt).toISOString()])
      return yield* output.result(
        args.json
          ? JSON.stringify(legacy, null, 2)
          : rows.length === 0
            ? "every session has an owner"
            : `${table(["ID", "TITLE", "MADE"], rows, output)}\ngatehouse sessions repair ID… gives them to ${args.owner}`
      )
    }
    const known = new Set<string>(legacy.map(({ id }) => id))
    const unknown = args.ids.filter((id) => !known.has(id))
    if (unknown.length > 0) {
      return yield* new CommandFailed({
        status: "not_found",
        message: `no session without an owner: ${unknown.join(", ")}; nothing was changed`,
        remedy: "`gatehouse sessions repair` lists them"
      })
    }
    const owner =
      args.owner === localName ? principals.local : yield* Effect.mapError(principals.user(args.owner), storeFailed)
    const adopted = yield* Effect.filter(args.ids, (id) =>
      Effect.mapError(sessions.adopt(operator, SessionId(id), owner.id), storeFailed)
    )
    yield* output.result(
      args.json
        ? JSON.stringify({ owner: args.owner, adopted })
        : `${adopted.length} session${adopted.length === 1 ? "" : "s"} given to ${args.owner}`
    )
  },
  (effect, args) => Effect.provide(effect, localStoreLayer(args.home))
)
