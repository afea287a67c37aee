/** `gatehouse serve`: the governed MCP endpoint for any MCP client, on standard input and output. */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { connectClient } from "../../endpoint/ConnectClient.ts"
import { feedStdio, processStreams, stdioOutlet } from "../../endpoint/stdio/ServeStdio.boundary.ts"
import { version } from "../../Version.ts"
import type { Places } from "../GlobalOptions.ts"
import { Invocation } from "../Invocation.ts"
import { loadServeHost } from "../Verbs.boundary.ts"

/** Serves one client. Nothing of the home is touched before the client asks for something. */
export const runServe = (places: Places) =>
  Effect.scoped(
    Effect.gen(function* () {
      const invocation = yield* Invocation
      const streams = processStreams()
      const hostScope = yield* Effect.scope
      const outlet = stdioOutlet(streams)
      const openSession = Effect.fnUntraced(function* (connection: Parameters<typeof feedStdio>[2]) {
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
            open: ({ connection }) => Effect.provideService(openSession(connection), Invocation, invocation)
          })
          yield* feedStdio(streams, outlet, connection, invocation.stop)
        })
      )
    })
  )
