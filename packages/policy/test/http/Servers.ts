/** Real servers on loopback, closed with the scope that opened them. */
import { createServer as createHttp, type RequestListener } from "node:http"
import { createServer as createHttps } from "node:https"
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Certificate } from "./Certificates.ts"

export interface Listening {
  readonly port: number
  /** Connections so far. */
  readonly connections: () => number
  /** Bytes that clients sent, over all connections. */
  readonly received: () => number
  readonly open: () => number
  /** Server names that clients asked for, where it speaks TLS. */
  readonly serverNames: ReadonlyArray<string>
}

const listening = (
  make: (serverNames: Array<string>) => Server,
  host: string
): Effect.Effect<Listening, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<{ readonly server: Server; readonly listening: Listening; readonly sockets: Set<Socket> }>(
      (resume) => {
        const serverNames: Array<string> = []
        const server = make(serverNames)
        const sockets = new Set<Socket>()
        let connections = 0
        let received = 0
        server.on("connection", (socket: Socket) => {
          connections += 1
          sockets.add(socket)
          socket.on("error", () => {})
          socket.on("close", () => {
            received += socket.bytesRead
            sockets.delete(socket)
          })
        })
        server.listen(0, host, () => {
          const { port } = server.address() as AddressInfo
          const bytes = () => received + [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0)
          resume(
            Effect.succeed({
              server,
              sockets,
              listening: {
                port,
                connections: () => connections,
                received: bytes,
                open: () => sockets.size,
                serverNames
              }
            })
          )
        })
      }
    ),
    ({ server, sockets }) =>
      Effect.async<void>((resume) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resume(Effect.void))
      })
  ).pipe(Effect.map(({ listening }) => listening))

export const httpServer = (listener: RequestListener, host = "127.0.0.1") => listening(() => createHttp(listener), host)

export const httpsServer = (certificate: Certificate, listener: RequestListener, host = "127.0.0.1") =>
  listening((serverNames) => {
    const server = createHttps({ ...certificate }, listener)
    server.on("secureConnection", (socket) => void serverNames.push(String(socket.servername)))
    return server
  }, host)

/** A server that says what it wants, byte for byte. */
export const tcpServer = (onSocket: (socket: Socket) => void, host = "127.0.0.1") =>
  listening(() => createTcp(onSocket), host)
