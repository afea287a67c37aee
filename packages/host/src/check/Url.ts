/**
 * `gatehouse check url`: the judgement of a URL, of its redirects and of its connection, with resolver, answers and
 * peer taken from the case. No request is sent, and no name is looked up unless the case says `resolve`.
 */
import type { Json } from "@gatehouse/core/Json"
import { parseAddress } from "@gatehouse/policy/urls/Address"
import { EgressRules } from "@gatehouse/policy/urls/EgressRules"
import {
  type Arrived,
  type HopAnswer,
  type HopDecision,
  type JudgedHop,
  PeerMismatch,
  travel,
  type UrlRefused
} from "@gatehouse/policy/urls/Journey"
import { redirectLimit } from "@gatehouse/policy/urls/Redirects"
import { Resolver, ResolverError } from "@gatehouse/policy/urls/Resolver"
import { makeUrlPolicy } from "@gatehouse/policy/urls/UrlPolicy"
import { dialledHost } from "@gatehouse/policy/urls/UrlText"
import type { UrlAudit } from "@gatehouse/policy/urls/UrlVerdict"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { decodeCase } from "./CaseInput.ts"
import type { CheckKind } from "./CheckKind.ts"

const Answers = Schema.Array(Schema.String)
const Failure = Schema.Struct({ error: Schema.String })
const Answer = Schema.Union(
  Answers,
  Failure,
  Schema.Struct({ cname: Schema.String }),
  Schema.Struct({ sequence: Schema.NonEmptyArray(Schema.Union(Answers, Failure)) })
)
type Answer = typeof Answer.Type

const UrlCase = Schema.Struct({
  url: Schema.String,
  dns: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Answer }), { default: () => ({}) }),
  redirects: Schema.optionalWith(
    Schema.Array(Schema.Struct({ status: Schema.Int, location: Schema.optional(Schema.String) })),
    { default: () => [] }
  ),
  redirect_loop: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  policy: Schema.optionalWith(Schema.Literal("default", "private-allowed"), { default: () => "default" }),
  max_redirects: Schema.optionalWith(Schema.NonNegativeInt, { default: () => redirectLimit }),
  headers: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.String }), { default: () => ({}) }),
  method: Schema.optionalWith(Schema.String, { default: () => "GET" }),
  connect: Schema.optional(Schema.Struct({ peer: Schema.String })),
  repeat_after_ms: Schema.optional(Schema.NonNegative),
  /** Proxies and the like that the process might have: nothing of it is looked at. */
  process_env: Schema.optional(Schema.Unknown),
  egress: Schema.optionalWith(Schema.Array(EgressRules), { default: () => [] }),
  /** Ask the system for names that `dns` does not list: for a person who wants to see the addresses. */
  resolve: Schema.optionalWith(Schema.Boolean, { default: () => false })
})
type UrlCase = typeof UrlCase.Type

export const urlCheck: CheckKind = {
  name: "url",
  summary: "may this URL be asked, through all its redirects, and at which address",
  decide: (input) => Effect.flatMap(decodeCase(UrlCase, input), decide)
}

interface Sent extends HopAnswer {
  readonly address: string
}

/** One case: the request, and the same once more where the case says so, on a clock that the case moves. */
const decide = (test: UrlCase): Effect.Effect<Json> =>
  test.resolve
    ? Effect.provide(
        Effect.flatMap(Resolver, ({ lookup }) => decideWith(test, lookup)),
        Resolver.layer
      )
    : decideWith(test, unlisted)

/** Where a case looks for names that it does not list. */
type Lookup = (name: string) => Effect.Effect<ReadonlyArray<string>, ResolverError>

const unlisted: Lookup = () => Effect.fail(new ResolverError({ code: "ENOTFOUND" }))

const decideWith = (test: UrlCase, elsewhere: Lookup): Effect.Effect<Json> => {
  const clock = caseClock()
  const names = tableResolver(test.dns, elsewhere)
  const policy = makeUrlPolicy({ lookup: names.lookup }, { mode: test.policy, egress: test.egress })

  const once = Effect.suspend(() => {
    const steps: Array<HopDecision> = []
    const method = test.method.toUpperCase()
    const start = { url: test.url, method, headers: lowerCased(test.headers), hasBody: bodied.has(method) }
    return travel<Sent, never, never>(start, {
      maxRedirects: test.max_redirects,
      judgeText: policy.judgeText,
      judge: (url, fresh) => policy.judge(url, { fresh }),
      send: (hop) => answerOf(test, hop),
      observe: (decision) => Effect.sync(() => void steps.push(decision))
    }).pipe(
      Effect.either,
      Effect.map((ended) => ({ ended, steps }))
    )
  })

  return Effect.gen(function* () {
    const first = yield* once
    const repeats = test.repeat_after_ms !== undefined && Either.isRight(first.ended)
    if (repeats) clock.advance(test.repeat_after_ms ?? 0)
    const { ended, steps } = repeats ? yield* once : first
    const request = repeats ? 2 : 1
    const common = { lookups: names.lookups(), on_request: request, steps: steps.map(stepView) }
    return Either.isRight(ended) ? { ...allowed(ended.right), ...common } : { ...denied(ended.left), ...common }
  }).pipe(Effect.withClock(clock.clock))
}

const allowed = ({ hops }: Arrived<Sent>): { readonly [key: string]: Json } => {
  const [first = hops[0]] = hops
  const last = hops[hops.length - 1] ?? first
  const address = first.pinned[0] ?? null
  return {
    decision: "allow",
    pinned_address: address,
    connected_to: address,
    audit_view: auditView(first.audit),
    hops: hops.map((hop) => ({ origin: hop.audit.origin, pinned_address: hop.pinned[0] ?? null })),
    requests_sent: hops.length,
    last_hop_method: last.request.method,
    last_hop_has_body: last.request.hasBody,
    last_hop_headers: { ...last.request.headers },
    host_header: first.url.host,
    // An address is no server name (RFC 6066), and a plain connection has none.
    sni:
      first.url.protocol === "https:" && parseAddress(dialledHost(first.url)) === null ? dialledHost(first.url) : null
  }
}

const denied = (refused: UrlRefused): { readonly [key: string]: Json } => ({
  decision: "deny",
  reason: refused.reason,
  ...(refused.hopReason === null ? {} : { hop: refused.hop, hop_reason: refused.hopReason }),
  rule: refused.rule,
  message: refused.message,
  requests_sent: refused.requestsSent,
  request_bytes_sent: 0,
  audit_view: auditView(refused.startAudit)
})

const auditView = ({ addresses, origin }: UrlAudit): Json => ({ origin, addresses })

const stepView = ({ audit, decision, hop, reason, rule }: HopDecision): Json => ({
  hop,
  decision,
  reason,
  rule,
  origin: audit.origin,
  addresses: audit.addresses
})

/** The answer that the case holds for a hop, unless the socket would have reached somebody else. */
const answerOf = (test: UrlCase, hop: JudgedHop): Effect.Effect<Sent, PeerMismatch> => {
  const [pinned = ""] = hop.pinned
  const peer = test.connect === undefined ? pinned : (parseAddress(test.connect.peer)?.text ?? null)
  if (peer !== pinned) return Effect.fail(new PeerMismatch({ pinned, peer }))
  const { redirect_loop: loops, redirects } = test
  const answer = redirects[loops && redirects.length > 0 ? hop.index % redirects.length : hop.index]
  return Effect.succeed({ status: answer?.status ?? 200, location: answer?.location ?? null, address: pinned })
}

const bodied: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"])

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Aliases that one name may lead through, as resolvers bound them. */
const aliasLimit = 16

const tableResolver = (dns: Readonly<Record<string, Answer>>, elsewhere: Lookup) => {
  let lookups = 0
  const asked = new Map<string, number>()
  const answer = (name: string, depth: number): Effect.Effect<ReadonlyArray<string>, ResolverError> => {
    const entry = Object.hasOwn(dns, name) ? dns[name] : undefined
    if (depth > aliasLimit) return Effect.fail(new ResolverError({ code: "ELOOP" }))
    if (entry === undefined) return elsewhere(name)
    if ("cname" in entry) return answer(entry.cname, depth + 1)
    if ("error" in entry) return Effect.fail(new ResolverError({ code: entry.error }))
    if (!("sequence" in entry)) return Effect.succeed(entry)
    const turn = asked.get(name) ?? 0
    asked.set(name, turn + 1)
    const now = entry.sequence[Math.min(turn, entry.sequence.length - 1)] ?? []
    return "error" in now ? Effect.fail(new ResolverError({ code: now.error })) : Effect.succeed(now)
  }
  return {
    lookups: () => lookups,
    lookup: (name: string) =>
      Effect.suspend(() => {
        lookups += 1
        return answer(name, 0)
      })
  }
}

/** A clock that stands still until the case moves it. */
const caseClock = () => {
  const real = Clock.make()
  let now = 0
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => now,
    unsafeCurrentTimeNanos: () => BigInt(now) * 1_000_000n,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    // A table answers at once: whoever would sleep for its deadline never gets there.
    sleep: real.sleep
  }
  const advance = (millis: number): void => {
    now += millis
  }
  return { clock, advance }
}
