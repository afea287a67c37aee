/** Which addresses on a network may be spoken to. Cases in `test/vectors/url-policy.json`. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export type UrlRefusal =
  | "malformed"
  | "scheme"
  | "userinfo"
  | "hostname"
  | "literal-address"
  | "egress-rule"
  | "dns-failure"
  | "unsafe-answer"
  | "rebinding"
  | "redirect"

/** Origin and addresses, nothing else: no userinfo, path, query or fragment. */
export interface UrlAudit {
  readonly origin: string | null
  readonly addresses: ReadonlyArray<string>
}

/** A URL whose text, scheme, userinfo, name or literal was judged, and no packet sent. */
export type TextVerdict =
  | {
      readonly decision: "pass"
      readonly url: URL
      readonly hostname: string
      readonly literal: string | null
      readonly audit: UrlAudit
    }
  | {
      readonly decision: "deny"
      readonly reason: UrlRefusal
      readonly rule: string
      readonly message: string
      readonly audit: UrlAudit
    }

/** The whole judgement: every address that the name answers with is safe; the connection goes to `pinned`. */
export type UrlVerdict =
  | {
      readonly decision: "allow"
      readonly url: URL
      readonly pinned: ReadonlyArray<string>
      readonly rule: string
      readonly audit: UrlAudit
    }
  | {
      readonly decision: "deny"
      readonly reason: UrlRefusal
      readonly rule: string
      readonly message: string
      readonly audit: UrlAudit
    }

export class UrlPolicy extends Context.Tag("@gatehouse/policy/UrlPolicy")<
  UrlPolicy,
  {
    /** Synchronous, sends no packet: what preflight may know. */
    readonly judgeText: (url: string) => TextVerdict
    /** Asks the resolver and judges every answer. */
    readonly judge: (url: string) => Effect.Effect<UrlVerdict>
  }
>() {}
