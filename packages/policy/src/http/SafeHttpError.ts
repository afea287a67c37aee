/** Why a request got no answer: one tagged error, its `reason` says where, its `remedy` what to do. */
import * as Data from "effect/Data"
import type { UrlRefused } from "../urls/Journey.ts"

/**
 * `request`: it could not be built. `policy`: its URL, or a hop, is refused. `dns`: no address. `connect`: nobody
 * answers there, or the connection broke. `tls`: no trusted encryption. `timeout`, `size`: a bound was reached.
 * `protocol`: what came is no HTTP/1.1 answer. `status`: an answer that says no, for callers that want a yes.
 */
export type SafeHttpReason =
  | "request"
  | "policy"
  | "dns"
  | "connect"
  | "tls"
  | "timeout"
  | "size"
  | "protocol"
  | "status"

/** Message and remedy name the origin at most; `code` is the system's word (`ECONNREFUSED`), where there is one. */
export class SafeHttpError extends Data.TaggedError("SafeHttpError")<{
  readonly reason: SafeHttpReason
  readonly message: string
  readonly remedy: string
  readonly code: string | null
  readonly origin: string | null
  /** False is a promise: no byte of a request left the host. */
  readonly requestSent: boolean
  /** The policy's own words, with `reason` `policy` and `dns`. */
  readonly refused: UrlRefused | null
}> {}

/** An answer of the policy as an error of the request. */
export const refusedError = (refused: UrlRefused): SafeHttpError => {
  const reason = refused.reason === "dns-failure" || refused.hopReason === "dns-failure" ? "dns" : "policy"
  return new SafeHttpError({
    reason,
    message: refused.message,
    remedy:
      reason === "dns"
        ? "check the host's name, and whether this machine can look up names"
        : `the rule is "${refused.rule}"; ask for another URL, or have the owner of the host change its settings`,
    code: null,
    origin: refused.audit.origin,
    requestSent: refused.requestsSent > 0,
    refused
  })
}

/** An answer with a status of 400 and more, where only a good one helps. */
export const statusError = (status: number, origin: string): SafeHttpError =>
  new SafeHttpError({
    reason: "status",
    message: `${origin} answers with status ${status}`,
    remedy: statusRemedy(status),
    code: String(status),
    origin,
    requestSent: true,
    refused: null
  })

const statusRemedy = (status: number): string => {
  if (status === 401 || status === 403) return "the page wants a login or refuses this client; try another source"
  if (status === 404 || status === 410)
    return "the page is not there; check the path, or start from the site's front page"
  if (status === 429) return "the site asks to slow down; wait before asking again"
  return status >= 500 ? "the server has a fault; try again later" : "the server refuses the request"
}
