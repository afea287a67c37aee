/** For hosts that are given a URL to call back later: the verdict that a request would get, without a request. */
import * as Effect from "effect/Effect"
import { UrlRefused } from "./Journey.ts"
import { UrlPolicy } from "./UrlPolicy.ts"
import type { UrlAudit } from "./UrlVerdict.ts"

/**
 * Accepts `url` as a place to call back, or fails with the reason and the rule. The name is looked up now and again
 * at each call, because its answers may change in between: keep the text, not the addresses.
 *
 * @example
 * acceptCallback("http://127.0.0.1:9000/hook") // fails: literal-address, 127.0.0.0/8 loopback
 */
export const acceptCallback = (url: string): Effect.Effect<UrlAudit, UrlRefused, UrlPolicy> =>
  Effect.flatMap(UrlPolicy, (policy) =>
    Effect.flatMap(policy.judge(url, { fresh: true }), (verdict) => {
      if (verdict.decision === "allow") return Effect.succeed(verdict.audit)
      const { audit, message, reason, rule } = verdict
      const first = { hop: 0, hopReason: null, startAudit: audit, requestsSent: 0 }
      return Effect.fail(new UrlRefused({ reason, rule, message, audit, ...first }))
    })
  )
