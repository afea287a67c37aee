/**
 * One request and the redirects that it meets: every hop is judged before its connection, by the same rules as the
 * first. `SafeHttp` and `gatehouse check url` walk it with senders of their own.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { type HopRequest, hopKey, nextHop, type RedirectRefusal } from "./Redirects.ts"
import type { TextVerdict, UrlAudit, UrlDenied, UrlRefusal, UrlVerdict } from "./UrlVerdict.ts"

/** A hop whose URL was allowed. */
export interface JudgedHop {
  /** 0 for the request itself. */
  readonly index: number
  readonly request: HopRequest
  readonly url: URL
  readonly pinned: ReadonlyArray<string>
  readonly audit: UrlAudit
}

/** What a sender reports: the status and the `Location` header, beside what the caller wants of it. */
export interface HopAnswer {
  readonly status: number
  readonly location: string | null
}

/** The socket reached another address than the judged one; no byte was written to it. */
export class PeerMismatch extends Data.TaggedError("PeerMismatch")<{
  readonly pinned: string
  /** Canonical, or null where the socket named none. */
  readonly peer: string | null
}> {
  override get message(): string {
    return "the connection reached another address than the one that was judged"
  }
}

/** The policy refused the request or one of its hops. */
export class UrlRefused extends Data.TaggedError("UrlRefused")<{
  /** `redirect` for every hop after the first; `hopReason` then says why. */
  readonly reason: UrlRefusal
  readonly hop: number
  readonly hopReason: UrlRefusal | RedirectRefusal | null
  readonly rule: string
  readonly message: string
  /** Of the URL that was refused. */
  readonly audit: UrlAudit
  /** Of the first request. */
  readonly startAudit: UrlAudit
  /** Requests that left the host before. */
  readonly requestsSent: number
}> {}

/** The verdict over one hop, for whoever records decisions. */
export interface HopDecision {
  readonly hop: number
  readonly decision: "allow" | "deny"
  readonly reason: UrlRefusal | RedirectRefusal | null
  readonly rule: string
  readonly audit: UrlAudit
}

export interface JourneyOptions<A extends HopAnswer, E, R> {
  readonly maxRedirects: number
  readonly judgeText: (url: string) => TextVerdict
  /** `fresh` for every hop after the first: a redirect is no way to use what is remembered. */
  readonly judge: (url: string, fresh: boolean) => Effect.Effect<UrlVerdict>
  readonly send: (hop: JudgedHop) => Effect.Effect<A, E | PeerMismatch, R>
  /** Told every verdict before anything is sent; null where nobody listens. */
  readonly observe: ((decision: HopDecision) => Effect.Effect<void>) | null
}

export interface Arrived<A> {
  readonly answer: A
  /** All hops, the last one being the one that answered. */
  readonly hops: readonly [...ReadonlyArray<JudgedHop>, JudgedHop]
}

/** Walks from `start` to an answer that is no redirect. */
export const travel = <A extends HopAnswer, E, R>(
  start: HopRequest,
  { judge, judgeText, maxRedirects, observe, send }: JourneyOptions<A, E, R>
): Effect.Effect<Arrived<A>, UrlRefused | E, R> => {
  const step = (request: HopRequest, hops: ReadonlyArray<JudgedHop>): Effect.Effect<Arrived<A>, UrlRefused | E, R> =>
    Effect.flatMap(judge(request.url, hops.length > 0), (verdict) => {
      if (verdict.decision === "deny") return refuse(hops, verdict, verdict.reason)
      const { audit, pinned, rule, url } = verdict
      const hop: JudgedHop = { index: hops.length, request, url, pinned, audit }
      const sent = send(hop)
      const seen = observe?.({ hop: hop.index, decision: "allow", reason: null, rule, audit })
      return (seen === undefined ? sent : Effect.zipRight(seen, sent)).pipe(
        Effect.catchIf(isPeerMismatch, (mismatch) => refuse(hops, { ...mismatched(mismatch), audit }, "rebinding")),
        Effect.flatMap((answer) => arrive(answer, hop, [...hops, hop]))
      )
    })

  /** A hop after the first: what its text says, and how it stands to the others, comes before any look-up. */
  const follow = (
    request: HopRequest,
    hops: readonly [...ReadonlyArray<JudgedHop>, JudgedHop]
  ): Effect.Effect<Arrived<A>, UrlRefused | E, R> => {
    const text = judgeText(request.url)
    if (text.decision === "deny") return refuse(hops, text, text.reason)
    const circle = whyNot(hops, request.method, text.url)
    if (circle === null) return step(request, hops)
    const message = `url: the redirect to ${text.audit.origin} ${circle.what}`
    return refuse(hops, { rule: circle.rule, message, audit: text.audit }, circle.reason)
  }

  const arrive = (
    answer: A,
    hop: JudgedHop,
    hops: readonly [...ReadonlyArray<JudgedHop>, JudgedHop]
  ): Effect.Effect<Arrived<A>, UrlRefused | E, R> => {
    const next = nextHop(hop.url, hop.request, answer)
    if (next.next === "none") return Effect.succeed({ answer, hops })
    const { audit } = hop
    if (next.next === "refuse") {
      const message = `url: ${audit.origin} answers with a Location that is no URL`
      return refuse(hops, { rule: next.rule, message, audit }, next.reason)
    }
    if (hops.length > maxRedirects) {
      const message = `url: ${audit.origin} redirects once more than the ${maxRedirects} times that are followed`
      return refuse(hops, { rule: `at most ${maxRedirects} redirects`, message, audit }, "limit")
    }
    return follow(next.request, hops)
  }

  const refuse = (
    hops: ReadonlyArray<JudgedHop>,
    refused: Pick<UrlDenied, "rule" | "message" | "audit">,
    reason: UrlRefusal | RedirectRefusal
  ): Effect.Effect<never, UrlRefused> => {
    const { audit, message, rule } = refused
    const hop = hops.length
    const error =
      hop === 0 ? { reason: firstReason(reason), hopReason: null } : { reason: "redirect" as const, hopReason: reason }
    const startAudit = hops[0]?.audit ?? audit
    const refusal = new UrlRefused({ ...error, hop, rule, message, audit, startAudit, requestsSent: hop })
    const seen = observe?.({ hop, decision: "deny", reason, rule, audit }) ?? Effect.void
    return Effect.zipRight(seen, Effect.fail(refusal))
  }

  return step(start, [])
}

/** The first hop has no redirect behind it, so none of the words for redirects. */
const firstReason = (reason: UrlRefusal | RedirectRefusal): UrlRefusal =>
  reason === "downgrade" || reason === "loop" || reason === "limit" ? "redirect" : reason

const isPeerMismatch = (error: unknown): error is PeerMismatch => error instanceof PeerMismatch

const mismatched = ({ message, peer, pinned }: PeerMismatch): Pick<UrlDenied, "rule" | "message"> => ({
  rule: `rebinding: pinned ${pinned}, reached ${peer ?? "an unknown address"}`,
  message: `url: ${message}`
})

const whyNot = (
  hops: readonly [...ReadonlyArray<JudgedHop>, JudgedHop],
  method: string,
  url: URL
): { readonly reason: RedirectRefusal; readonly rule: string; readonly what: string } | null => {
  if (hops.some((earlier) => earlier.url.protocol === "https:") && url.protocol === "http:") {
    return { reason: "downgrade", rule: "https never leads to http", what: "leaves https; ask for the http URL itself" }
  }
  const key = hopKey(method, url)
  if (hops.some((earlier) => hopKey(earlier.request.method, earlier.url) === key)) {
    return { reason: "loop", rule: "no URL twice", what: "leads back to a URL that was asked before" }
  }
  return null
}
