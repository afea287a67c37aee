/** A way to a server that is open: where messages go out, and what is told of it when it ends. */
import type * as Effect from "effect/Effect"
import type { Outlet } from "../protocol/Peer.ts"
import type { PeerFailure } from "../protocol/PeerFailure.ts"

/** What a channel tells: in the order in which it happens, and in the same breath. */
export interface ChannelEvents {
  readonly onMessage: (message: unknown) => void
  /** Something that is no message: the first characters of it, raw. */
  readonly onSkipped: (sample: string) => void
  /** The answer to this request will not come; null where nobody can say to which. */
  readonly onFailed: (id: number | null, failure: PeerFailure) => void
  /** The server is gone. */
  readonly onClosed: (failure: PeerFailure) => void
}

export interface Channel extends Outlet {
  /** What the server wrote beside the protocol, masked for its secrets; the end of it where it is long. */
  readonly stderr: Effect.Effect<string>
  /** The revision that was agreed on. */
  readonly agreed: (protocolVersion: string) => void
  /** From here on the server is listened to between requests, where that takes something of its own. */
  readonly attend: () => void
  /** Process id of a stdio server. */
  readonly pid: number | null
}
