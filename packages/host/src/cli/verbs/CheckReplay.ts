/**
 * `gatehouse check replay`: the calls of this home judged anew under today's core and settings. The store is opened for
 * reading only, and nothing is done.
 */

import { join } from "node:path"
import { type StoredCall, storedCalls } from "@gatehouse/control-plane/effects/StoredCalls"
import { Store, storeFileName } from "@gatehouse/control-plane/Store"
import { boundedText } from "@gatehouse/core/BoundedText"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Explainer } from "../../explain/Explainer.ts"
import { type JudgedCall, type Judgement, judgeCalls, type Replay } from "../../replay/JudgedCalls.ts"
import type { Turn } from "../../turns/Turns.ts"
import { parseDuration } from "../Duration.ts"
import { CommandFailed } from "../ExitStatus.ts"
import { homeFolder, type Places } from "../GlobalOptions.ts"
import { Invocation } from "../Invocation.ts"
import { admitDryTurn, localDryHostLayer } from "../LocalDryHost.ts"
import { storeFailed } from "../LocalStore.ts"
import { Output } from "../Output.ts"
import { table } from "../render/Table.ts"

export interface CheckReplayArguments extends Places {
  /** A span of time, as `7d`. */
  readonly since: string
  readonly json: boolean
}

export const runCheckReplay = Effect.fn("gatehouse check replay")(function* (args: CheckReplayArguments) {
  const output = yield* Output
  const since = (yield* Clock.currentTimeMillis) - (yield* parseDuration("--since", args.since))
  const path = join(homeFolder(args.home, yield* Invocation), storeFileName)
  const calls = yield* Effect.flatMap(Store, (store) => storedCalls(store, since)).pipe(
    Effect.provide(Store.layerReadOnly(path)),
    Effect.mapError((error) => (error.reason === "missing" ? noStore(path) : storeFailed(error)))
  )
  const { coreRoot, others, replay } = yield* Effect.scoped(replayed(args, calls)).pipe(
    Effect.provide(localDryHostLayer(args))
  )
  yield* output.result(
    args.json
      ? JSON.stringify({ core: coreRoot, since, ...replay, calls_of_other_cores: others }, null, 2)
      : render(replay, others, output)
  )
})

const noStore = (path: string): CommandFailed =>
  new CommandFailed({
    status: "not_found",
    message: `there is no store at ${path}, and so no call to judge`,
    remedy: "name the home with --home or GATEHOUSE_HOME"
  })

/** One turn for each principal, over the core and the workspace that were named. */
const replayed = Effect.fnUntraced(function* (places: Places, calls: ReadonlyArray<StoredCall>) {
  const explainer = yield* Explainer
  const turns = new Map<string, Turn>()
  const turnOf = Effect.fnUntraced(function* (principal: string) {
    const turn = turns.get(principal) ?? (yield* admitDryTurn(places, principal))
    turns.set(principal, turn)
    return turn
  })
  const { coreRoot } = (yield* turnOf("local")).context
  const own = calls.filter((call) => call.coreRoot === null || call.coreRoot === coreRoot)
  const ofServers = new Set(own.filter(isOfServer).map(({ tool }) => tool))
  const replay = yield* judgeCalls(own, (principal, tool, request) =>
    Effect.flatMap(turnOf(principal), (turn) =>
      ofServers.has(tool) && turn.catalog.resolve(tool) === null
        ? Effect.succeed(null)
        : explainer.explain(turn, tool, request)
    )
  )
  return { coreRoot, others: calls.length - own.length, replay }
})

const isOfServer = ({ provenance }: StoredCall): boolean => provenance?.startsWith("agent/mcp/") === true

const order: ReadonlyArray<Judgement> = ["denied", "asked", "allowed"]

const render = ({ judged, unjudged }: Replay, others: number, style: { readonly colours: boolean }): string => {
  const changed = judged.filter(isChanged)
  const head = [
    `${count(judged)} call${count(judged) === 1 ? "" : "s"} judged: ${order.map((word) => `${count(judged.filter(({ now }) => now === word))} ${word}`).join(", ")}; ${count(changed)} differ from what was`,
    ...(unjudged.length === 0
      ? []
      : [`${unjudged.length} not judged: ${[...new Set(unjudged.map(({ why }) => why))].join("; ")}`]),
    ...(others === 0 ? [] : [`${others} of other cores left out`]),
    ...(judged.some(({ masked }) => masked)
      ? ["* a secret in its arguments is masked: judged with a plain word in its place"]
      : [])
  ]
  if (judged.length === 0) return head.join("\n")
  const sorted = judged.toSorted(
    (one, other) =>
      Number(isChanged(other)) - Number(isChanged(one)) || order.indexOf(one.now) - order.indexOf(other.now)
  )
  const rows = sorted.map((call) => [
    call.now,
    call.before === call.now ? "as before" : `was ${call.before ?? "unknown"}`,
    String(call.times),
    `${call.tool}${call.masked ? "*" : ""}`,
    boundedText(JSON.stringify(call.request), 60),
    `${call.stage}: ${boundedText(call.rule, 80)}`
  ])
  return `${head.join("\n")}\n\n${table(["NOW", "", "TIMES", "TOOL", "ARGUMENTS", "RULE"], rows, style)}`
}

const isChanged = ({ before, now }: JudgedCall): boolean => before !== now

const count = (calls: ReadonlyArray<JudgedCall>): number => calls.reduce((sum, { times }) => sum + times, 0)
