/**
 * Plays two calls of a session against the state machine that the host itself uses, with what happens before the answer
 * to the first and between both.
 */
import { type ApprovalBinding } from "@gatehouse/policy/approvals/ApprovalBinding"
import { type ApprovalCache, makeApprovalCache, type OpenQuestion } from "@gatehouse/policy/approvals/ApprovalCache"
import { pendingLimitMillis } from "@gatehouse/policy/approvals/PoseQuestion"
import * as Schema from "effect/Schema"

/** A call as far as an answer is bound to it. */
export interface Call {
  readonly binding: ApprovalBinding
  readonly cacheable: boolean
}

/** `cached` (allowed without asking), `asked` (a person is asked), `auto` (allowed by policy), `denied`. */
export type CallOutcome = "cached" | "asked" | "auto" | "denied"

/** One thing that happens; with `while_pending` before the first call's answer comes. */
export const Happening = Schema.Struct({
  advance_seconds: Schema.optional(Schema.NonNegative),
  wall_clock_jump_seconds: Schema.optional(Schema.Number),
  use: Schema.optional(Schema.Boolean),
  event: Schema.optional(Schema.String),
  while_pending: Schema.optionalWith(Schema.Boolean, { default: () => false })
})
type Happening = typeof Happening.Type

export interface SessionPlay {
  readonly first: Call
  /** Anything but a text is a denial, as is a text that is no answer. */
  readonly answer: unknown
  readonly between: ReadonlyArray<Happening>
  readonly second: Call
}

export const playSession = ({
  answer,
  between,
  first,
  second
}: SessionPlay): Record<"first" | "second", CallOutcome> => {
  const host = makeHost(first)
  const early = between.filter(({ while_pending }) => while_pending)
  const late = between.filter(({ while_pending }) => !while_pending)
  const outcome = host.call(first, typeof answer === "string" ? answer : "", early)
  for (const happening of late) host.happen(happening)
  return { first: outcome, second: host.call(second, null, []) }
}

/** A host with one steady clock, one memory of answers, and the workspace that its turns are admitted in. */
const makeHost = (ours: Call) => {
  let cache = makeApprovalCache()
  let now = 0n
  let workspaces = 0
  const bound = ({ binding }: Call): ApprovalBinding => ({ ...binding, workspace: `workspace ${workspaces}` })

  const happen = ({ advance_seconds = 0, event, use }: Happening): void => {
    // A jump of the wall clock reaches nothing here: answers are measured on the steady clock.
    now += BigInt(Math.round(advance_seconds * 1e9))
    if (use === true) call(ours, null, [])
    if (event === "workspace_changed") workspaces += 1
    else if (event === "host_restarted") {
      cache.close()
      cache = makeApprovalCache()
    } else if (event !== undefined) loseAuthority(cache, ours.binding, event)
  }

  /** `answer` null: nobody has answered yet, and nothing is kept. */
  const call = (asked: Call, answer: string | null, pending: ReadonlyArray<Happening>): CallOutcome => {
    const binding = bound(asked)
    const admission = cache.admit(binding, now)
    if (admission === "auto" || admission === "cached") return admission
    if (admission !== "prompt") return "denied"
    const { question } = cache.join(binding, asked.cacheable)
    const settling = cache
    const askedAt = now
    for (const happening of pending) happen(happening)
    if (answer === null) {
      settling.withdraw(question)
      return "asked"
    }
    return isExpired(askedAt, now) ? expire(settling, question) : settleWith(settling, question, answer, now)
  }

  return { call, happen }
}

const isExpired = (askedAt: bigint, now: bigint): boolean => now - askedAt >= BigInt(pendingLimitMillis) * 1_000_000n

const expire = (cache: ApprovalCache, question: OpenQuestion): CallOutcome => {
  cache.withdraw(question)
  return "denied"
}

const settleWith = (cache: ApprovalCache, question: OpenQuestion, answer: string, now: bigint): CallOutcome =>
  cache.settle(question, answer, now).decision === "allowed" ? "asked" : "denied"

/**
 * What the host does to its memory. `other_...` is done to somebody else's session, principal or core; what was only
 * tried (`..._failed`, `..._denied`) and the turns of a session change nothing. An event that nobody knows may have
 * taken any authority away: what was remembered goes.
 */
const loseAuthority = (cache: ApprovalCache, { core, principal, session }: ApprovalBinding, event: string): void => {
  if (/_(?:failed|denied|refused|rejected)$|^(?:other_)?turn_/.test(event)) return
  const other = event.startsWith("other_")
  const named = (name: string): string => (other ? `another than ${name}` : name)
  switch (other ? event.slice("other_".length) : event) {
    case "host_closed":
      if (!other) cache.close()
      return
    case "session_ended":
    case "session_closed":
    case "session_replaced":
    case "session_resumed":
      return void cache.drop({ of: "session", session: named(session) })
    case "core_promoted":
    case "core_rolled_back":
      return void cache.drop({ of: "core", core: named(core) })
    default:
      return void cache.drop({ of: "principal", principal: named(principal) })
  }
}
