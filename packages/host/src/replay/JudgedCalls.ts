/** Stored calls judged anew: what became of each then, and what would become of it now. Pure but for the explaining. */
import type { StoredCall } from "@gatehouse/control-plane/effects/StoredCalls"
import { isJsonObject, type Json, type JsonObject } from "@gatehouse/core/Json"
import * as Effect from "effect/Effect"
import type { Explanation } from "../explain/Explanation.ts"

/** What policy says of a call: `asked` is a person's to decide, or was answered from what a person had said before. */
export type Judgement = "denied" | "asked" | "allowed"

/** One call and its equals, in the order of their first sight. */
export interface JudgedCall {
  readonly tool: string
  readonly principal: string
  readonly request: JsonObject
  /** How many there were. */
  readonly times: number
  /** Of the newest of them; null where its record does not tell. */
  readonly before: Judgement | null
  readonly now: Judgement
  /** The stage that spoke last, and its rule. */
  readonly stage: string
  readonly rule: string
  /** A secret in its arguments is masked: it was judged with a plain word in its place. */
  readonly masked: boolean
  /** The newest of them. */
  readonly call: string
  readonly at: number
}

/** A call that cannot be judged, and why. */
export interface UnjudgedCall {
  readonly tool: string
  readonly call: string
  readonly why: string
}

export interface Replay {
  readonly judged: ReadonlyArray<JudgedCall>
  readonly unjudged: ReadonlyArray<UnjudgedCall>
}

/** Explains a call of `tool` for a principal by its name; null where the catalog has no such tool. */
export type ExplainStored<E, R> = (
  principal: string,
  tool: string,
  request: JsonObject
) => Effect.Effect<Explanation | null, E, R>

/** Judges each distinct call once. */
export const judgeCalls = <E, R>(calls: ReadonlyArray<StoredCall>, explain: ExplainStored<E, R>) =>
  Effect.gen(function* () {
    const judged: Array<JudgedCall> = []
    const unjudged: Array<UnjudgedCall> = []
    for (const equals of groups(calls)) {
      const [call] = equals
      if (call === undefined) continue
      const { principal, request, tool } = call
      if (!isJsonObject(request)) {
        unjudged.push(...equals.map((one) => ({ tool, call: one.call, why: noRequest })))
        continue
      }
      const masked = hasMask(request)
      const explanation = yield* explain(principal, tool, masked ? withWords(request) : request)
      if (explanation === null) {
        unjudged.push(...equals.map((one) => ({ tool, call: one.call, why: closedServer })))
        continue
      }
      const last = explanation.stages.findLast(({ verdict }) => verdict !== "skipped")
      judged.push({
        tool,
        principal,
        request,
        times: equals.length,
        before: judgementOf(call),
        now: now[explanation.decision],
        stage: last?.stage ?? "binding",
        rule: last?.rule ?? "",
        masked,
        call: call.call,
        at: call.begunAt ?? call.settledAt ?? 0
      })
    }
    return { judged, unjudged } satisfies Replay
  })

const noRequest = "its arguments were not kept: they were too long, or an older Gatehouse wrote the record"
const closedServer = "its tool is a server's, and no server is opened for this"

/** What stands for a secret in a redacted text, with the name of the secret where it has one. */
const mask = /<redacted(?::[^<>"\\]*)?>/g

const hasMask = (request: JsonObject): boolean => JSON.stringify(request).search(mask) >= 0

/** A plain word in place of each mask: to a shell, the mask itself would be two redirections. */
const withWords = (request: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(request).map(([name, value]) => [name, wordsIn(value)]))

const wordsIn = (value: Json): Json => {
  if (typeof value === "string") return value.replace(mask, "redacted")
  if (Array.isArray(value)) return value.map(wordsIn)
  return isJsonObject(value) ? withWords(value) : value
}

const now = { run: "allowed", ask: "asked", refuse: "denied" } as const satisfies Record<
  Explanation["decision"],
  Judgement
>

const groups = (calls: ReadonlyArray<StoredCall>): ReadonlyArray<ReadonlyArray<StoredCall>> => {
  const byKey = new Map<string, Array<StoredCall>>()
  for (const call of calls) {
    const key = JSON.stringify([call.principal, call.tool, call.request])
    const equals = byKey.get(key)
    if (equals === undefined) byKey.set(key, [call])
    else equals.push(call)
  }
  return [...byKey.values()]
}

/** What the record tells: the rule of its approval stage begins with how it was allowed. */
const judgementOf = ({ error, stages, status }: StoredCall): Judgement | null => {
  const approval = (Array.isArray(stages) ? stages : []).find(
    (stage: Json) => isJsonObject(stage) && stage["stage"] === "approval"
  )
  if (approval === undefined || !isJsonObject(approval)) return status === null ? null : "denied"
  if (approval["verdict"] === "passed") {
    return /^(?:prompted|cached):/.test(String(approval["rule"])) ? "asked" : "allowed"
  }
  if (!isJsonObject(error) || error["tag"] !== "ApprovalError") return "denied"
  return error["reason"] === "policy" ? "denied" : "asked"
}
