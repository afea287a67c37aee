/**
 * Which addresses on a network may be spoken to: one judgement for pages, MCP servers and callbacks. Cases in
 * `test/vectors/url-policy.json`.
 *
 * The text is judged without a packet ({@link judgeText}); then every address that the name answers with; then, at
 * the connection, the address that the socket reached. What was judged is what is dialled.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NetworkMode } from "./Address.ts"
import { judgeAnswers } from "./Answers.ts"
import type { EgressRules } from "./EgressRules.ts"
import { Resolver } from "./Resolver.ts"
import { judgeText } from "./UrlText.ts"
import type { TextVerdict, UrlVerdict } from "./UrlVerdict.ts"

export interface UrlJudgeOptions {
  /** Ask the resolver although a verdict is remembered: every hop of a redirect does. Default false. */
  readonly fresh?: boolean
  /** More rules than the host's own: those of the core. They can only take away. */
  readonly egress?: ReadonlyArray<EgressRules>
}

/** What the host's owner sets. No core file reaches here. */
export interface UrlPolicySettings {
  readonly mode?: NetworkMode
  readonly egress?: ReadonlyArray<EgressRules>
}

/** How long the answers of a name are remembered, in milliseconds. */
export const verdictMillis = 5000

/** Names remembered at once. */
export const verdictLimit = 1024

/** How long a resolver may take, in milliseconds; no answer by then is a refusal. */
export const resolveMillis = 5000

export class UrlPolicy extends Context.Tag("@gatehouse/policy/UrlPolicy")<
  UrlPolicy,
  {
    /** Synchronous, sends no packet: what preflight may know. */
    readonly judgeText: (url: string, egress?: ReadonlyArray<EgressRules>) => TextVerdict
    /** Asks the resolver and judges every answer. Safe answers are remembered for {@link verdictMillis}. */
    readonly judge: (url: string, options?: UrlJudgeOptions) => Effect.Effect<UrlVerdict>
  }
>() {
  /** The policy of a host; names are looked up by `Resolver`. */
  static readonly layer = (settings: UrlPolicySettings = {}): Layer.Layer<UrlPolicy, never, Resolver> =>
    Layer.effect(
      UrlPolicy,
      Effect.map(Resolver, (resolver) => makeUrlPolicy(resolver, settings))
    )
}

/** The service of {@link UrlPolicy.layer}, for callers that hold a resolver and no layer. */
export const makeUrlPolicy = (
  resolver: Context.Tag.Service<typeof Resolver>,
  settings: UrlPolicySettings = {}
): Context.Tag.Service<typeof UrlPolicy> => {
  const mode = settings.mode ?? "default"
  const own = settings.egress ?? []
  const remembered = new Map<string, Remembered>()

  const recall = (hostname: string, now: number): ReadonlyArray<string> | null => {
    const known = remembered.get(hostname)
    if (known === undefined) return null
    // A clock that went back makes every entry old: a verdict never lives longer than it may.
    if (now >= known.at && now < known.at + verdictMillis) return known.addresses
    remembered.delete(hostname)
    return null
  }
  const remember = (hostname: string, addresses: ReadonlyArray<string>, at: number): void => {
    remembered.delete(hostname)
    remembered.set(hostname, { addresses, at })
    const [oldest] = remembered.keys()
    if (remembered.size > verdictLimit && oldest !== undefined) remembered.delete(oldest)
  }

  const ask = Effect.fnUntraced(function* (text: TextPassed) {
    const asked = yield* resolver.lookup(text.hostname).pipe(
      Effect.disconnect,
      Effect.timeoutTo({
        duration: Duration.millis(resolveMillis),
        onSuccess: (addresses): Asked => ({ addresses }),
        onTimeout: (): Asked => ({ failure: `no answer in ${resolveMillis} ms` })
      }),
      Effect.catchTag("ResolverError", ({ code }) => Effect.succeed<Asked>({ failure: code }))
    )
    const verdict = judgeAnswers(text, asked, mode)
    if (verdict.decision === "allow") remember(text.hostname, verdict.pinned, yield* Clock.currentTimeMillis)
    else remembered.delete(text.hostname)
    return verdict
  })

  return {
    judgeText: (url, egress = []) => judgeText(url, mode, egress.length === 0 ? own : [...own, ...egress]),
    judge: (url, { egress = [], fresh = false } = {}) =>
      Effect.clockWith((clock) => {
        const text = judgeText(url, mode, egress.length === 0 ? own : [...own, ...egress])
        if (text.decision === "deny") return Effect.succeed<UrlVerdict>(text)
        if (text.literal !== null) return Effect.succeed(allow(text, [text.literal]))
        const known = fresh ? null : recall(text.hostname, clock.unsafeCurrentTimeMillis())
        return known === null ? ask(text) : Effect.succeed(allow(text, known))
      })
  }
}

type TextPassed = Extract<TextVerdict, { readonly decision: "pass" }>
type Asked = { readonly addresses: ReadonlyArray<string> } | { readonly failure: string }

interface Remembered {
  readonly addresses: ReadonlyArray<string>
  readonly at: number
}

const allow = (text: TextPassed, addresses: ReadonlyArray<string>): UrlVerdict => ({
  decision: "allow",
  url: text.url,
  pinned: addresses,
  rule: text.rule,
  audit: { origin: text.audit.origin, addresses }
})
