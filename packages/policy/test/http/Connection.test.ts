import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Pools, trustOf } from "@gatehouse/policy/http/Pools.boundary"
import { makeSafeHttp } from "@gatehouse/policy/http/SafeHttp"
import { UrlPolicy } from "@gatehouse/policy/urls/UrlPolicy"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { clientLayer, withClient } from "./Client.ts"
import { httpServer, tcpServer } from "./Servers.ts"

describe("the peer", () => {
  it.live("is compared after the connection, and another one gets no byte", () =>
    Effect.gen(function* () {
      const elsewhere = yield* httpServer((_request, response) => response.end("elsewhere"), "127.0.0.9")
      const policy = yield* UrlPolicy
      // A network that leads elsewhere than the address says.
      const pools = new Pools(trustOf([]), (_address, port) => connect({ host: "127.0.0.9", port }))
      yield* Effect.addFinalizer(() => Effect.sync(() => pools.closeAll()))
      const http = makeSafeHttp(policy, pools)
      const error = yield* Effect.flip(http.request({ url: `http://site.example:${elsewhere.port}/` }))
      assert.deepStrictEqual([error.reason, error.refused?.reason, error.requestSent], ["policy", "rebinding", false])
      yield* Effect.sleep(20)
      assert.deepStrictEqual([elsewhere.connections(), elsewhere.received()], [1, 0])
    }).pipe(Effect.scoped, Effect.provide(clientLayer()))
  )
})

describe("proxies", () => {
  /** A proxy that opens every tunnel and keeps what it was told. */
  const proxyServer = (heads: Array<string>) =>
    tcpServer((socket) =>
      socket.once("data", (head: Buffer) => {
        heads.push(head.toString("latin1"))
        const [, host = "", port = ""] = /^CONNECT ([^ ]+):(\d+) /.exec(head.toString("latin1")) ?? []
        const onward = connect({ host, port: Number(port) }, () => {
          socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
          socket.pipe(onward).pipe(socket)
        })
        onward.on("error", () => socket.destroy())
        socket.on("close", () => onward.destroy())
      })
    )

  it.live("those of the environment are ignored", () =>
    Effect.gen(function* () {
      const heads: Array<string> = []
      const proxy = yield* proxyServer(heads)
      const names = ["http_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
      const before = names.map((name) => process.env[name])
      yield* Effect.addFinalizer(() =>
        Effect.sync(() =>
          names.forEach((name, index) => {
            const value = before[index]
            if (value === undefined) delete process.env[name]
            else process.env[name] = value
          })
        )
      )
      for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`
      const server = yield* httpServer((_request, response) => response.end("direct"))
      yield* withClient((http) => http.request({ url: `http://site.example:${server.port}/` }))
      assert.strictEqual(proxy.connections(), 0)
    }).pipe(Effect.scoped)
  )

  it.live("that of the settings gets the judged address, and its credentials alone", () =>
    Effect.gen(function* () {
      const heads: Array<string> = []
      const proxy = yield* proxyServer(heads)
      const server = yield* httpServer((request, response) => response.end(JSON.stringify(request.headers)))
      const settings = {
        proxy: { url: `http://127.0.0.1:${proxy.port}`, authorization: Redacted.make("Basic ZmFrZQ==") }
      }
      const answer = yield* withClient((http) => http.request({ url: `http://site.example:${server.port}/` }), settings)
      assert.match(heads[0] ?? "", new RegExp(`^CONNECT 127\\.0\\.0\\.1:${server.port} `))
      assert.include(heads[0], "Basic ZmFrZQ==")
      const sent = JSON.parse(Buffer.from(answer.body).toString())
      assert.strictEqual(sent.host, `site.example:${server.port}`)
      assert.notProperty(sent, "proxy-authorization")
    }).pipe(Effect.scoped)
  )

  it.live("one that the policy refuses is not asked, and the target is judged all the same", () =>
    Effect.gen(function* () {
      const heads: Array<string> = []
      const proxy = yield* proxyServer(heads)
      const settings = { proxy: { url: `http://127.0.0.1:${proxy.port}` } }
      const closed = yield* Effect.flip(withClient((http) => http.request({ url: "http://8.8.8.8/" }), settings, {}))
      assert.strictEqual(closed.reason, "policy")
      const target = yield* Effect.flip(
        withClient((http) => http.request({ url: "http://169.254.169.254/" }), settings)
      )
      assert.strictEqual(target.refused?.reason, "literal-address")
      assert.strictEqual(proxy.connections(), 0)
    }).pipe(Effect.scoped)
  )

  it.live("a tunnel that is refused is a connect error", () =>
    Effect.gen(function* () {
      const proxy = yield* tcpServer((socket) =>
        socket.once("data", () => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"))
      )
      const settings = { proxy: { url: `http://127.0.0.1:${proxy.port}` } }
      const error = yield* Effect.flip(withClient((http) => http.request({ url: "http://site.example:9/" }), settings))
      assert.strictEqual(error.reason, "connect")
      assert.include(error.message, "407")
    }).pipe(Effect.scoped)
  )
})
