/** What goes wrong below `SafeHttp`, as the socket side sees it. */
import type { SafeHttpReason } from "./SafeHttpError.ts"

export class ExchangeFailure extends Error {
  override readonly name = "ExchangeFailure"
  readonly reason: Exclude<SafeHttpReason, "policy" | "dns" | "status"> | "peer"
  /** What happened, as the end of a sentence about the origin; no part of a request or an answer. */
  readonly detail: string
  /** A system's or protocol's code; null where there is none. */
  readonly code: string | null
  /** Whether the connection came about: if not, another address may be tried. */
  readonly connected: boolean

  constructor(
    reason: ExchangeFailure["reason"],
    detail: string,
    options: { readonly code?: string | null | undefined; readonly connected: boolean }
  ) {
    super(detail)
    this.reason = reason
    this.detail = detail
    this.code = options.code ?? null
    this.connected = options.connected
  }
}
