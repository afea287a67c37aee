/** One client over any transport: its connection, and the session behind it once it asks for something. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { endpointMethods, type Told } from "./EndpointMethods.ts"
import type { EndpointSession } from "./EndpointSession.ts"
import { type ClientConnection, type ConnectionOptions, makeClientConnection } from "./protocol/ClientConnection.ts"

/** What a session is opened for. */
export interface OpeningClient {
  readonly connection: ClientConnection
}

export interface ConnectClientOptions extends Pick<ConnectionOptions, "outlet" | "version" | "onInitialized"> {
  /** Opens the client's session in the scope; a failure is told to the request, and the next one tries again. */
  readonly open: (client: OpeningClient) => Effect.Effect<EndpointSession, Told, Scope.Scope>
}

/** What is under way settles, and the session ends, when the scope closes. */
export const connectClient = Effect.fnUntraced(function* ({ open, ...options }: ConnectClientOptions) {
  // Opened first and closed last: requests under way settle while their session is there.
  const sessionScope = yield* Effect.acquireRelease(Scope.make(), (scope, exit) => Scope.close(scope, exit))
  let opening: Fiber.Fiber<EndpointSession, Told> | null = null
  const session: Effect.Effect<EndpointSession, Told> = Effect.suspend(() => {
    if (opening !== null) return Fiber.join(opening)
    // In a fiber of its own: the request that came first may be cancelled, and others wait for the same.
    return Effect.forkIn(
      Scope.extend(open({ connection }), sessionScope).pipe(
        Effect.onError(() =>
          Effect.sync(() => {
            opening = null
          })
        )
      ),
      sessionScope
    ).pipe(
      Effect.tap((fiber) =>
        Effect.sync(() => {
          opening = fiber
        })
      ),
      Effect.flatMap(Fiber.join)
    )
  })
  const connection: ClientConnection = yield* makeClientConnection({
    ...options,
    methods: endpointMethods(session),
    instructions
  })
  return connection
})

const instructions =
  "Every tool call passes Gatehouse's policy. A call may be denied, or wait for a person's approval; the result says which and what would help."
