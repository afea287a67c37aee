/** What the policy says about a URL: words, and what may be shown and kept of it. */

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

/** A refusal with the rule that spoke and a message that names field, shape and remedy, and repeats the origin at most. */
export interface UrlDenied {
  readonly decision: "deny"
  readonly reason: UrlRefusal
  readonly rule: string
  readonly message: string
  readonly audit: UrlAudit
}

/** A URL whose text, scheme, userinfo, name or literal was judged, and no packet sent. */
export type TextVerdict =
  | {
      readonly decision: "pass"
      readonly url: URL
      /** ASCII name without final dot, or the address without brackets. */
      readonly hostname: string
      /** The canonical address where the host is one. */
      readonly literal: string | null
      readonly rule: string
      readonly audit: UrlAudit
    }
  | UrlDenied

/** The whole judgement: every address that the name answers with is safe; the connection goes to `pinned`. */
export type UrlVerdict =
  | {
      readonly decision: "allow"
      readonly url: URL
      readonly pinned: ReadonlyArray<string>
      readonly rule: string
      readonly audit: UrlAudit
    }
  | UrlDenied
