/** Why a request to a server got no result. */
import * as Data from "effect/Data"

/**
 * `closed`: the connection ended, or had ended before. `error`: the server answered with a JSON-RPC error. `broken`: it
 * answered with something that is no answer. `too_large`: its answer is beyond the limit of a message. `status`: HTTP
 * said no. `lost`: the server does not know the session any more. `network`: the request did not get through, or its
 * answer broke off. `refused`: a policy of the host stands against it.
 */
export type PeerFailureReason = "closed" | "error" | "broken" | "too_large" | "status" | "lost" | "network" | "refused"

export class PeerFailure extends Data.TaggedError("PeerFailure")<{
  readonly reason: PeerFailureReason
  /** Raw: it may repeat what the server said. Redacted before anybody sees it. */
  readonly message: string
  /** Whether the server may have begun with what it was asked. */
  readonly sent: boolean
  /** Of a JSON-RPC error. */
  readonly code?: number
  readonly data?: unknown
  /** Of an HTTP answer; and the seconds after which it wants to be asked again. */
  readonly status?: number
  readonly retryAfterSeconds?: number
}> {}
