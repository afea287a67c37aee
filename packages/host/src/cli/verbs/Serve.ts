/** `gatehouse serve`: the governed MCP endpoint for any MCP client, on standard input and output or over HTTP. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { connectClient } from "../../endpoint/ConnectClient.ts"
import type { ClientConnection } from "../../endpoint/protocol/ClientConnection.ts"
import { feedStdio, leaveUnread, processStreams, stdioOutlet } from "../../endpoint/stdio/ServeStdio.boundary.ts"
import { version } from "../../Version.ts"
import type { Places } from "../GlobalOptions.ts"
import { Invocation } from "../Invocation.ts"
import { loadServeHost, loadServeHttp } from "../Verbs.boundary.ts"

export interface ServeArguments extends Places {
  /** `HOST:PORT`, or a port of this machine; without it, standard input and output. */
  readonly http: Option.Option<string>
  readonly allowRemote: boolean
  readonly withoutToken: boolean
  /** Names that clients reach the endpoint by, besides addresses. */
  readonly names: ReadonlyArray<string>
  readonly tlsCert: Option.Option<string>
  readonly tlsKey: Option.Option<string>
}

export const runServe = (args: ServeArguments) =>
  Option.match(args.http, {
    onNone: () => serveStdio(args),
    onSome: (address) => Effect.flatMap(loadServeHttp, ({ serveHttp }) => serveHttp(address, args))
  })

/** Serves one client. Nothing of the home is touched before the client asks for something. */
const serveStdio = (places: Places) =>
  Effect.scoped(
    Effect.gen(function* () {
      const invocation = yield* Invocation
      const hostScope = yield* Effect.scope
      const streams = processStreams()
      const outlet = stdioOutlet(streams)
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
            open: ({ connection }) => Effect.provideService(openSession(connection), Invocation, invocation)
          })
          yield* feedStdio(streams, outlet, connection, invocation.stop)
        })
      )
    })
  ).pipe(Effect.ensuring(leaveUnread))
