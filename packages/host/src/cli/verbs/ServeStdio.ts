/** `gatehouse serve` for one client, on standard input and output. */
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import { connectClient } from "../../endpoint/ConnectClient.ts"
import type { ClientConnection } from "../../endpoint/protocol/ClientConnection.ts"
import { feedStdio, leaveUnread, processStreams, stdioOutlet } from "../../endpoint/stdio/ServeStdio.boundary.ts"
import { version } from "../../Version.ts"
import type { Places } from "../GlobalOptions.ts"
import { Invocation } from "../Invocation.ts"
import { loadServeHost } from "../Verbs.boundary.ts"

/** Nothing of the home is touched before the client asks for something. */
export const serveStdio = (places: Places) =>
  Effect.scoped(
    Effect.gen(function* () {
      const invocation = yield* Invocation
      const hostScope = yield* Effect.scope
      const streams = processStreams()
      const outlet = stdioOutlet(streams)
      const runtime = yield* Effect.runtime<never>()
      const openSession = Effect.fnUntraced(function* (connection: ClientConnection) {
        const { makeServeHost } = yield* loadServeHost
        const host = yield* Scope.extend(makeServeHost(places), hostScope)
        return yield* host.openSession(connection, host.local)
      })
      // A scope of its own, closed before the host's: requests under way settle in a living host.
      yield* Effect.scoped(
        Effect.gen(function* () {
          const connection = yield* connectClient({
            outlet,
            version,
            // The modules alone: they are there when the first request comes, and nothing of the home is touched.
            onInitialized: () => void Runtime.runFork(runtime)(loadServeHost),
            open: ({ connection }) => Effect.provideService(openSession(connection), Invocation, invocation)
          })
          yield* feedStdio(streams, outlet, connection, invocation.stop)
        })
      )
    })
  ).pipe(Effect.ensuring(leaveUnread))
