/**
 * What the text of a URL alone says: pure, no packet. The raw text is looked at before the URL parser, because that
 * one repairs what others read differently (WHATWG URL drops tabs, turns `\` into `/`, and adds missing slashes).
 */
import * as Either from "effect/Either"
import { judgeAddress, type NetworkMode, parseAddress } from "./Address.ts"
import { type EgressRules, judgeEgress } from "./EgressRules.ts"
import { judgeName } from "./HostName.ts"
import type { TextVerdict, UrlAudit, UrlRefusal } from "./UrlVerdict.ts"

/** UTF-16 units of a URL; no server that is worth speaking to needs more (RFC 9110 asks for 8,000 octets). */
export const urlLengthLimit = 16_384

/**
 * Judges text, scheme, userinfo, name, literal address and egress rules, in this order; the first that refuses is
 * the reason. A final dot of the name is dropped: what is judged, dialled, sent as Host and shown is one name.
 *
 * @example
 * judgeText("http://0x7f.1/", "default", []) // deny, literal-address: 127.0.0.0/8 loopback
 */
export const judgeText = (text: string, mode: NetworkMode, egress: ReadonlyArray<EgressRules>): TextVerdict => {
  if (text.length > urlLengthLimit) {
    return deny("malformed", `at most ${urlLengthLimit} characters`, "is too long; use a shorter one")
  }
  if (isConfusing(text)) {
    return deny(
      "malformed",
      "raw text",
      "holds a control character, a blank, a backslash or half a character; encode it"
    )
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]
  if (scheme === undefined) return deny("malformed", "scheme", "has no scheme; write https://host/path")
  if (!/^https?$/i.test(scheme)) return deny("scheme", "http and https only", "has a scheme other than http and https")
  const authority = /^\/\/([^/?#]+)/.exec(text.slice(scheme.length + 1))?.[1]
  if (authority === undefined) return deny("malformed", "authority", "has no host after //; write https://host/path")
  if (authority.includes("@")) {
    return deny("userinfo", "no userinfo", "has a user name or password before the host; leave it out")
  }
  const parsed = Either.getOrNull(Either.try(() => new URL(text)))
  if (parsed === null) return deny("malformed", "WHATWG URL", "has a host or port that is none; check the spelling")
  if (parsed.port === "0") return deny("malformed", "port 1 to 65535", "has port 0, which can never be a destination")
  return judgeHost(withoutFinalDot(parsed), mode, egress)
}

/** The number of the port that `url` leads to. */
export const portOf = (url: URL): number =>
  url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port)

/** Host of `url` as it is dialled and shown to TLS: a name, or an address without brackets. */
export const dialledHost = ({ hostname }: URL): string => (hostname.startsWith("[") ? hostname.slice(1, -1) : hostname)

/** Control characters (C0, DEL, C1), every blank of Unicode, and the backslash. */
const confusing = /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\\]/

const isConfusing = (text: string): boolean => confusing.test(text) || (surrogate.test(text) && halfPair.test(text))
const surrogate = /[\ud800-\udfff]/
const halfPair = /\p{Surrogate}/u

const judgeHost = (url: URL, mode: NetworkMode, egress: ReadonlyArray<EgressRules>): TextVerdict => {
  const hostname = dialledHost(url)
  const address = parseAddress(hostname)
  const audit: UrlAudit = { origin: url.origin, addresses: address === null ? [] : [address.text] }
  if (address === null) {
    const { rule, verdict } = judgeName(hostname, mode)
    if (verdict === "malformed") return deny("malformed", rule, "has a host that is no name; check the spelling", audit)
    if (verdict === "refused") {
      return deny("hostname", rule, "names a host of the local network or a metadata service; use a public name", audit)
    }
  } else {
    const { rule, safe } = judgeAddress(address, mode)
    if (!safe)
      return deny("literal-address", rule, `leads to an address that is closed (${rule}); use a public one`, audit)
  }
  const { allowed, rule } = judgeEgress(address?.text ?? hostname, portOf(url), egress)
  if (!allowed) return deny("egress-rule", rule, `leads to a host that a rule closes (${rule})`, audit)
  return { decision: "pass", url, hostname, literal: address?.text ?? null, rule, audit }
}

const withoutFinalDot = (url: URL): URL => {
  if (url.hostname.endsWith(".") && url.hostname.length > 1) url.hostname = url.hostname.slice(0, -1)
  return url
}

const nothing: UrlAudit = { origin: null, addresses: [] }

/** `what` completes "url: this URL …" and never repeats a part of it beyond the origin. */
const deny = (reason: UrlRefusal, rule: string, what: string, audit: UrlAudit = nothing): TextVerdict => ({
  decision: "deny",
  reason,
  rule: `${reason}: ${rule}`,
  message: `url: ${audit.origin ?? "the address"} ${what}`,
  audit
})
