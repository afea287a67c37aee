/** What bad servers do, and how it ends: in bounded time, with a reason, and without a socket left open. */

import type { Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import type { SafeHttpReason } from "@gatehouse/policy/http/SafeHttpError"
import * as Effect from "effect/Effect"
import { withClient } from "./Client.ts"
import { httpServer, tcpServer } from "./Servers.ts"

const bounded = { bodyBytes: 256 * 1024 }
const impatient = { ...bounded, headersMillis: 300, idleMillis: 300, totalMillis: 900 }
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))

const cases: ReadonlyArray<{
  readonly name: string
  readonly reason: SafeHttpReason
  readonly onSocket: (socket: Socket) => void
}> = [
  { name: "never answers", reason: "timeout", onSocket: () => {} },
  {
    name: "drips a byte of its headers",
    reason: "timeout",
    onSocket: (socket) => {
      const head = [..."HTTP/1.1 200 OK\r\nx-slow: yes\r\n"]
      const timer = setInterval(() => socket.write(head.shift() ?? "x"), 50)
      socket.on("close", () => clearInterval(timer))
    }
  },
  {
    name: "drips a byte of its body, never silent for long",
    reason: "timeout",
    onSocket: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n")
      const timer = setInterval(() => socket.write("x"), 100)
      socket.on("close", () => clearInterval(timer))
    }
  },
  {
    name: "falls silent in its body",
    reason: "timeout",
    onSocket: (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nabc")
  },
  {
    name: "sends headers without end",
    reason: "size",
    onSocket: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n")
      const more = (): void => {
        while (!socket.destroyed && socket.write(`x-filler: ${"y".repeat(1000)}\r\n`));
      }
      socket.on("drain", more)
      more()
    }
  },
  {
    name: "sends one header without end",
    reason: "size",
    onSocket: (socket) => socket.write(`HTTP/1.1 200 OK\r\nx-filler: ${"y".repeat(100_000)}`)
  },
  {
    name: "announces a larger body than is wanted",
    reason: "size",
    onSocket: (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 104857600\r\n\r\n")
  },
  {
    name: "sends a body without end",
    reason: "size",
    onSocket: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
      const piece = `10000\r\n${"z".repeat(0x10000)}\r\n`
      const more = (): void => {
        while (!socket.destroyed && socket.write(piece));
      }
      socket.on("drain", more)
      more()
    }
  },
  {
    name: "closes before its announced length",
    reason: "connect",
    onSocket: (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nabc")
  },
  { name: "closes without a word", reason: "connect", onSocket: (socket) => socket.end() },
  {
    name: "speaks another protocol",
    reason: "protocol",
    onSocket: (socket) => socket.write("220 mail.example ESMTP\r\n")
  },
  {
    name: "speaks HTTP/2 only",
    reason: "protocol",
    onSocket: (socket) => socket.write(Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]))
  },
  {
    name: "says gzip and sends none",
    reason: "protocol",
    onSocket: (socket) =>
      socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-encoding: gzip\r\ncontent-length: 5\r\n\r\nhello")
  },
  {
    name: "sends half of a gzip body",
    reason: "protocol",
    onSocket: (socket) => {
      const half = gzipSync(Buffer.alloc(5000, "abc")).subarray(0, 20)
      socket.write(
        `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-encoding: gzip\r\ncontent-length: ${half.length}\r\n\r\n`
      )
      socket.write(half)
    }
  },
  {
    name: "uses an encoding that was not asked for",
    reason: "protocol",
    onSocket: (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\ncontent-length: 5\r\n\r\nhello")
  },
  {
    name: "stacks encodings",
    reason: "protocol",
    onSocket: (socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip, gzip\r\ncontent-length: 5\r\n\r\nhello")
  },
  {
    name: "sends a bomb",
    reason: "size",
    onSocket: (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    }
  }
]

describe("a server that", () => {
  for (const { name, onSocket, reason } of cases) {
    it.live(`${name}: ${reason}`, () =>
      withClient((http) =>
        Effect.gen(function* () {
          // What a server says before it is asked would be taken for nothing's answer.
          const server = yield* tcpServer((socket) => socket.once("data", () => onSocket(socket)))
          const url = `http://site.example:${server.port}/SECRETPATH`
          const limits = reason === "timeout" ? impatient : bounded
          const error = yield* Effect.flip(http.request({ url, limits })).pipe(Effect.timeout(5000))
          assert.strictEqual(error._tag === "SafeHttpError" ? error.reason : error._tag, reason)
          assert.notInclude(String(error.message), "SECRETPATH")
          yield* Effect.sleep(30)
          assert.deepStrictEqual([server.open(), server.connections()], [0, 1])
        })
      )
    )
  }

  it.live("refuses connections: connect, with the port to check", () =>
    withClient((http) =>
      Effect.gen(function* () {
        const port = yield* Effect.scoped(
          Effect.map(
            tcpServer(() => {}),
            ({ port }) => port
          )
        )
        const error = yield* Effect.flip(http.request({ url: `http://site.example:${port}/` }))
        assert.deepStrictEqual([error.reason, error.code, error.requestSent], ["connect", "ECONNREFUSED", false])
        assert.include(error.remedy, "port")
      })
    )
  )

  it.live("a later request is served after all of them", () =>
    withClient((http) =>
      Effect.gen(function* () {
        let count = 0
        const server = yield* httpServer((_request, response) => {
          count += 1
          if (count === 1) response.socket?.destroy()
          else response.end("well")
        })
        const url = `http://site.example:${server.port}/`
        yield* Effect.flip(http.request({ url }))
        const answer = yield* http.request({ url })
        assert.strictEqual(Buffer.from(answer.body).toString(), "well")
      })
    )
  )
})
