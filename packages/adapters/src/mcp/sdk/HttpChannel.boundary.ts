import type { SafeHttp } from "@gatehouse/policy/http/SafeHttp"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Channel, ChannelEvents } from "../connections/Channel.ts"
import { PeerFailure } from "../protocol/PeerFailure.ts"

export interface HttpServer {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly messageLimit: number
}
export const openHttp = (
  _http: Context.Tag.Service<typeof SafeHttp>,
  _server: HttpServer,
  _events: ChannelEvents
): Effect.Effect<Channel, PeerFailure, Scope.Scope> =>
  Effect.fail(new PeerFailure({ reason: "refused", message: "not yet", sent: false }))
