/** `gatehouse events`: what happened, in order; one call's story; and whether the record is whole. */

import type { ChainedEvent } from "@gatehouse/control-plane/events/EventChain"
import { EventLog, exportLine } from "@gatehouse/control-plane/events/EventLog"
import { type EventQuery } from "@gatehouse/control-plane/events/EventRows"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { CallId, SessionId } from "@gatehouse/core/Identifiers"
import { inertJson } from "@gatehouse/policy/redaction/TerminalText"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { alreadyShown } from "../ExitStatus.ts"
import { localStoreLayer, storeFailed } from "../LocalStore.ts"
import { Output } from "../Output.ts"

export interface EventsArguments {
  readonly home: Option.Option<string>
  readonly json: boolean
  readonly follow: boolean
  readonly session: Option.Option<string>
  readonly call: Option.Option<string>
}

const operator = Effect.flatMap(Principals, (principals) => principals.operator("gatehouse events"))

/** JSON Lines with `--json`; with `--follow` also what comes, until it is stopped. */
export const runEvents = Effect.fn("gatehouse events")(
  function* (args: EventsArguments) {
    const output = yield* Output
    const log = yield* EventLog
    const scope = yield* operator
    const query = queryOf(args)
    const lines: Stream.Stream<string, { readonly message: string; readonly remedy: string }> = args.follow
      ? Stream.map(log.follow(scope, query), (event) => (args.json ? exportLine(event) : render(event)))
      : args.json
        ? log.export(scope, query)
        : Stream.map(Stream.fromIterableEffect(log.read(scope, query)), render)
    yield* Stream.runForEach(lines, output.result)
  },
  Effect.mapError(storeFailed),
  (effect, args) => Effect.provide(effect, localStoreLayer(args.home))
)

/** Everything, or one session's or call's part, as JSON Lines; where the chain ends is told beside it. */
export const runEventsExport = Effect.fn("gatehouse events export")(
  function* (args: Pick<EventsArguments, "home" | "session" | "call">) {
    const output = yield* Output
    const log = yield* EventLog
    const lines = log.export(yield* operator, queryOf(args))
    const count = yield* Stream.runFoldEffect(lines, 0, (sum, line) => Effect.as(output.result(line), sum + 1))
    const { hash, position } = yield* log.head
    yield* output.note(`${count} events; the log ends at ${position} ${hash}`)
  },
  Effect.mapError(storeFailed),
  (effect, args) => Effect.provide(effect, localStoreLayer(args.home))
)

/** Walks the whole hash chain; fails where a row was changed, added or taken away. */
export const runEventsVerify = Effect.fn("gatehouse events verify")(
  function* (args: Pick<EventsArguments, "home" | "json">) {
    const output = yield* Output
    const log = yield* EventLog
    const verdict = yield* Effect.mapError(Effect.flatMap(operator, log.verify), storeFailed)
    yield* output.result(
      args.json
        ? inertJson(verdict, 2)
        : [
            `${verdict.sound ? "sound" : "NOT SOUND"}: ${verdict.checked} events checked, head ${verdict.head.position} ${verdict.head.hash}`,
            ...verdict.faults.map(({ message, position, problem }) => `  event ${position}: ${problem}: ${message}`)
          ].join("\n")
    )
    if (!verdict.sound) yield* alreadyShown("failed")
  },
  (effect, args) => Effect.provide(effect, localStoreLayer(args.home))
)

const queryOf = ({ call, session }: Pick<EventsArguments, "session" | "call">): EventQuery => ({
  ...(Option.isSome(session) ? { session: SessionId(session.value) } : {}),
  ...(Option.isSome(call) ? { call: CallId(call.value) } : {})
})

const render = ({ at, call, data, position, type }: ChainedEvent): string =>
  `${String(position).padStart(6)}  ${new Date(at).toISOString()}  ${type.padEnd(20)} ${call ?? ""}  ${data.length > 300 ? `${data.slice(0, 299)}…` : data}`
