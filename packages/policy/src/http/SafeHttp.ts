/**
 * The one HTTP client. A request is judged, goes to the judged address and to no other, and takes its redirects
 * through the same judgement; whatever it costs is bounded while it runs. Nothing else in Gatehouse opens a socket.
 */

import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { EgressRules } from "../urls/EgressRules.ts"
import {
  type Arrived,
  type HopAnswer,
  type HopDecision,
  type JudgedHop,
  PeerMismatch,
  travel
} from "../urls/Journey.ts"
import { isRedirect, redirectLimit } from "../urls/Redirects.ts"
import { UrlPolicy } from "../urls/UrlPolicy.ts"
import { dialledHost, portOf } from "../urls/UrlText.ts"
import type { UrlAudit } from "../urls/UrlVerdict.ts"
import { type BodySource, collect, drain } from "./BodyQueue.ts"
import { streamOf } from "./BodyStream.ts"
import type { ConnectionTarget, ProxyHop } from "./Connection.boundary.ts"
import { monotonicMillis } from "./Deadlines.boundary.ts"
import { type ExchangeAnswer, type ExchangeRequest, startExchange } from "./Exchange.boundary.ts"
import { ExchangeFailure } from "./ExchangeFailure.ts"
import { explained, failed, mismatch } from "./Explanation.ts"
import { addressTries, defaultLimits, type HttpLimits } from "./HttpLimits.ts"
import { Pools, trustOf } from "./Pools.boundary.ts"
import { requestHeaders } from "./RequestHeaders.ts"
import { refusedError, type SafeHttpError } from "./SafeHttpError.ts"

/** What the host's owner sets; no core file reaches here, and no variable of the environment. */
export interface SafeHttpSettings {
  /** Certificates of authorities to trust beside those of Node: PEM texts. */
  readonly ca?: ReadonlyArray<string>
  /** `http://host:port` of a proxy for every request. Its own URL is judged by the same policy. */
  readonly proxy?: { readonly url: string; readonly authorization?: Redacted.Redacted<string> }
  readonly limits?: Partial<HttpLimits>
}

/** The settings cannot be used; `message` names the setting. */
export class SafeHttpSettingsError extends Data.TaggedError("SafeHttpSettingsError")<{ readonly message: string }> {}

export interface SafeRequest {
  /** As it was written: it is judged raw. */
  readonly url: string
  /** Default GET. */
  readonly method?: string
  /** Those that frame the connection (`host`, `content-length`, …) are the client's own and ignored here. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** `manual` hands a redirect to the caller. Default `follow`. */
  readonly redirects?: "follow" | "manual"
  readonly limits?: Partial<HttpLimits>
  /** Rules of the core, beside those of the host. */
  readonly egress?: ReadonlyArray<EgressRules>
  /** Told every verdict, the refusals too, before anything is sent. */
  readonly observe?: (decision: HopDecision) => Effect.Effect<void>
}

interface AnswerHead {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Of the request that was answered, redirects followed. */
  readonly url: URL
  readonly audit: UrlAudit
  /** Redirects that were followed. */
  readonly redirects: number
}

/** An answer that is all here. */
export interface SafeAnswer extends AnswerHead {
  readonly body: Uint8Array
}

/** An answer whose body is still coming. */
export interface OpenAnswer extends AnswerHead {
  readonly stream: Stream.Stream<Uint8Array, SafeHttpError>
  /** The same body for code behind a boundary; read the one or the other. */
  readonly source: BodySource
  /** What a failure of `source` means. */
  readonly explain: (failure: ExchangeFailure) => SafeHttpError
}

export class SafeHttp extends Context.Tag("@gatehouse/policy/SafeHttp")<
  SafeHttp,
  {
    /** Reads the whole body. Interruption closes the socket. */
    readonly request: (request: SafeRequest) => Effect.Effect<SafeAnswer, SafeHttpError>
    /** Answers with the head; closing the scope closes the socket. */
    readonly open: (request: SafeRequest) => Effect.Effect<OpenAnswer, SafeHttpError, Scope.Scope>
  }
>() {
  /** The client of a host. Its connections are closed with the layer. */
  static readonly layer = (settings: SafeHttpSettings = {}): Layer.Layer<SafeHttp, SafeHttpSettingsError, UrlPolicy> =>
    Layer.scoped(
      SafeHttp,
      Effect.gen(function* () {
        const policy = yield* UrlPolicy
        const trust = yield* Either.try({
          try: () => trustOf(settings.ca ?? []),
          catch: () =>
            new SafeHttpSettingsError({ message: "ca: holds a text that is no PEM certificate; check each entry" })
        })
        const pools = yield* Effect.acquireRelease(
          Effect.sync(() => new Pools(trust)),
          (open) => Effect.sync(() => open.closeAll())
        )
        return makeSafeHttp(policy, pools, settings)
      })
    )
}

/** Bytes of the body of a redirect that are read so that its connection can be used again. */
const redirectBodyBytes = 64 * 1024

/** The service of {@link SafeHttp.layer} over pools that the caller holds and closes. */
export const makeSafeHttp = (
  policy: Context.Tag.Service<typeof UrlPolicy>,
  pools: Pools,
  settings: SafeHttpSettings = {}
): Context.Tag.Service<typeof SafeHttp> => {
  const standard: HttpLimits = { ...defaultLimits, ...settings.limits }

  /** Walks to the answer. `hold` is told how to close what is open, for the one who may be interrupted. */
  const journey = <A extends HopAnswer>(
    request: SafeRequest,
    land: Landing<A>,
    hold: Hold
  ): Effect.Effect<Arrived<A>, SafeHttpError> => {
    const limits = request.limits === undefined ? standard : { ...standard, ...request.limits }
    const startedAt = monotonicMillis()
    const method = (request.method ?? "GET").toUpperCase()
    const start = {
      url: request.url,
      method,
      headers: requestHeaders(request.headers),
      hasBody: request.body !== undefined
    }
    const options = request.egress === undefined ? {} : { egress: request.egress }

    const send = (hop: JudgedHop): Effect.Effect<A, SafeHttpError | PeerMismatch> =>
      settings.proxy === undefined
        ? attempt(hop, null, 0)
        : Effect.flatMap(proxyHop(hop, settings.proxy), (proxy) => attempt(hop, proxy, 0))

    const attempt = (
      hop: JudgedHop,
      proxy: ProxyHop | null,
      index: number
    ): Effect.Effect<A, SafeHttpError | PeerMismatch> => {
      const address = hop.pinned[index] ?? ""
      return Effect.catchAll(exchange(hop, address, proxy), (failure) => {
        const more = index + 1 < Math.min(hop.pinned.length, addressTries)
        if (failure.reason === "connect" && !failure.connected && more) return attempt(hop, proxy, index + 1)
        return Effect.fail(failure.reason === "peer" ? mismatch(address, failure) : explained(failure, hop))
      })
    }

    const exchange = (hop: JudgedHop, address: string, proxy: ProxyHop | null): Effect.Effect<A, ExchangeFailure> =>
      Effect.async<A, ExchangeFailure>((resume) => {
        const target = targetOf(hop.url, address, proxy, limits)
        const sent: ExchangeRequest = {
          method: hop.request.method,
          path: hop.url.pathname + hop.url.search,
          headers: hop.request.headers,
          body: hop.request.hasBody ? (request.body ?? null) : null,
          limits,
          startedAt
        }
        const onHead = (answer: ExchangeAnswer | ExchangeFailure): void => {
          if (answer instanceof ExchangeFailure) return resume(Effect.fail(answer))
          const location = locationOf(answer, request)
          if (location !== null) letGo(answer.body, limits)
          land(answer, location, (landed) =>
            resume(landed instanceof ExchangeFailure ? Effect.fail(landed) : Effect.succeed(landed))
          )
        }
        hold(startExchange(pools.at(hop.url.origin, target), sent, onHead))
      })

    return travel<A, SafeHttpError, never>(start, {
      maxRedirects: redirectLimit,
      judgeText: (url) => policy.judgeText(url, request.egress),
      judge: (url, fresh) => policy.judge(url, fresh ? { ...options, fresh } : options),
      send,
      observe: request.observe ?? null
    }).pipe(Effect.catchTag("UrlRefused", (refused) => Effect.fail(refusedError(refused))))
  }

  /** The proxy of the settings, judged like every other URL; its name may have moved since the last request. */
  const proxyHop = (
    hop: JudgedHop,
    proxy: NonNullable<SafeHttpSettings["proxy"]>
  ): Effect.Effect<ProxyHop, SafeHttpError> =>
    Effect.flatMap(policy.judge(proxy.url), (verdict) => {
      const [address] = verdict.decision === "allow" ? verdict.pinned : []
      if (verdict.decision === "deny" || address === undefined || verdict.url.protocol !== "http:") {
        const rule = verdict.decision === "deny" ? verdict.rule : "a proxy's URL is http://host:port"
        return Effect.fail(
          failed(
            "policy",
            hop,
            "the proxy of the host settings is refused",
            `the rule is "${rule}"; change setting proxy`
          )
        )
      }
      const authorization = proxy.authorization === undefined ? null : Redacted.value(proxy.authorization)
      return Effect.succeed({ address, port: portOf(verdict.url), authorization })
    })

  const guarded = <A>(walk: (hold: Hold) => Effect.Effect<A, SafeHttpError>): Effect.Effect<A, SafeHttpError> =>
    Effect.suspend(() => {
      let close: (() => void) | null = null
      return Effect.onInterrupt(
        walk((cancel) => {
          close = cancel
        }),
        () => Effect.sync(() => close?.())
      )
    })

  return {
    request: (request) =>
      guarded((hold) =>
        Effect.map(journey(request, landWhole, hold), (arrived) => ({ ...head(arrived), body: arrived.answer.body }))
      ),
    open: (request) =>
      Effect.uninterruptibleMask((restore) =>
        restore(guarded((hold) => journey(request, landOpen, hold))).pipe(
          Effect.tap(({ answer }) => Effect.addFinalizer(() => Effect.sync(() => answer.body.cancel()))),
          Effect.map((arrived) => {
            const source = arrived.answer.body
            const explain = (failure: ExchangeFailure) => explained(failure, lastHop(arrived))
            return { ...head(arrived), source, explain, stream: streamOf(source, explain) }
          })
        )
      )
  }
}

type Hold = (cancel: () => void) => void

/** An answer with whatever the caller wants of its body. */
interface Landed<Body> extends HopAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
}

/** What is made of an answer at its head: `done` is called once, at once or later. */
type Landing<A> = (answer: ExchangeAnswer, location: string | null, done: (landed: A | ExchangeFailure) => void) => void

const landOpen: Landing<Landed<BodySource>> = ({ body, headers, status }, location, done) =>
  done({ status, location, headers, body })

const landWhole: Landing<Landed<Uint8Array>> = ({ body, headers, status }, location, done) => {
  if (location !== null) return done({ status, location, headers, body: nothing })
  collect(body, (bytes) => done(bytes instanceof ExchangeFailure ? bytes : { status, location, headers, body: bytes }))
}

const nothing = new Uint8Array()

/** Reads the body of a redirect so that its connection can be used again, where its time is bounded. */
const letGo = (body: BodySource, { totalMillis }: HttpLimits): void =>
  totalMillis === null ? body.cancel() : drain(body, redirectBodyBytes)

/** Where the answer sends the request on, null where it does not, or where the caller wants to see it. */
const locationOf = ({ headers, status }: ExchangeAnswer, request: SafeRequest): string | null =>
  isRedirect(status) && request.redirects !== "manual" ? (headers.location ?? null) : null

const lastHop = <A extends HopAnswer>({ hops }: Arrived<A>): JudgedHop => hops.at(-1) ?? hops[0]

const head = <Body>(arrived: Arrived<Landed<Body>>): AnswerHead => {
  const { audit, index, url } = lastHop(arrived)
  return { status: arrived.answer.status, headers: arrived.answer.headers, url, audit, redirects: index }
}

const targetOf = (url: URL, address: string, proxy: ProxyHop | null, limits: HttpLimits): ConnectionTarget => ({
  address,
  port: portOf(url),
  tlsHost: url.protocol === "https:" ? dialledHost(url) : null,
  proxy,
  timeoutMillis: limits.connectMillis,
  lasting: limits.totalMillis === null
})
