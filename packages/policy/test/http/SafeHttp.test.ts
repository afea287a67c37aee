import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { SafeHttp } from "@gatehouse/policy/http/SafeHttp"
import type { HopDecision } from "@gatehouse/policy/urls/Journey"
import { Resolver } from "@gatehouse/policy/urls/Resolver"
import { UrlPolicy } from "@gatehouse/policy/urls/UrlPolicy"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { makeAuthority } from "./Certificates.ts"
import { withClient } from "./Client.ts"
import { httpServer, httpsServer, tcpServer } from "./Servers.ts"

const text = (body: Uint8Array): string => Buffer.from(body).toString("utf8")
const authority = await makeAuthority()

describe("SafeHttp", () => {
  it.live("sends method, path, headers and body to the judged address, with the URL's host", () =>
    withClient((http) =>
      Effect.gen(function* () {
        const server = yield* httpServer((request, response) => {
          request.setEncoding("utf8")
          let body = ""
          request.on("data", (piece) => (body += piece))
          request.on("end", () =>
            response.end(JSON.stringify([request.method, request.url, request.headers.host, body]))
          )
        })
        const answer = yield* http.request({
          url: `http://site.example:${server.port}/a?b=c#d`,
          method: "POST",
          headers: { Host: "evil.example", "Content-Length": "999" },
          body: Buffer.from("hello")
        })
        assert.strictEqual(answer.status, 200)
        assert.deepStrictEqual(JSON.parse(text(answer.body)), [
          "POST",
          "/a?b=c",
          `site.example:${server.port}`,
          "hello"
        ])
        assert.deepStrictEqual(answer.audit, { origin: `http://site.example:${server.port}`, addresses: ["127.0.0.1"] })
      })
    )
  )

  it.live("uses a connection again", () =>
    withClient((http) =>
      Effect.gen(function* () {
        const server = yield* httpServer((_request, response) => response.end("x"))
        const ask = http.request({ url: `http://site.example:${server.port}/` })
        yield* Effect.repeatN(ask, 9)
        // The next request may come while the pool still puts the first connection back.
        assert.isAtMost(server.connections(), 2)
      })
    )
  )

  it.live("reaches IPv6, and the next address where the first refuses", () =>
    withClient((http) =>
      Effect.gen(function* () {
        const six = yield* httpServer((_request, response) => response.end("six"), "::1")
        const four = yield* httpServer((_request, response) => response.end("four"))
        assert.strictEqual(text((yield* http.request({ url: `http://six.example:${six.port}/` })).body), "six")
        assert.strictEqual(text((yield* http.request({ url: `http://dead-first.example:${four.port}/` })).body), "four")
      })
    )
  )

  it.live("refuses without a byte, and says so", () =>
    withClient(
      (http) =>
        Effect.gen(function* () {
          const server = yield* tcpServer(() => {})
          const error = yield* Effect.flip(
            http.request({ url: `http://127.0.0.1:${server.port}/SECRETPATH?q=SECRETQUERY` })
          )
          assert.strictEqual(error.reason, "policy")
          assert.isFalse(error.requestSent)
          assert.notMatch(JSON.stringify(error) + error.message, /SECRET/)
          const unknown = yield* Effect.flip(http.request({ url: "https://gone.example/" }))
          assert.strictEqual(unknown.reason, "dns")
          assert.strictEqual(server.connections(), 0)
        }),
      {},
      {}
    )
  )

  it.live("a redirect is judged like a request, and its credentials stay behind", () =>
    withClient((http) =>
      Effect.gen(function* () {
        const target = yield* httpServer((request, response) => response.end(JSON.stringify(request.headers)))
        const start = yield* httpServer((request, response) => {
          const to = request.url === "/meta" ? "http://169.254.169.254/" : `http://other.example:${target.port}/`
          response.writeHead(302, { location: to }).end("moved")
        })
        const decisions: Array<HopDecision> = []
        const observe = (decision: HopDecision) => Effect.sync(() => void decisions.push(decision))
        const headers = { authorization: "Bearer fake", "x-api-key": "fake", "x-request-id": "1" }
        const origin = `http://site.example:${start.port}`
        const elsewhere = yield* Effect.either(http.request({ url: `${origin}/go`, headers, observe }))
        // 127.0.0.2 is where the name leads; the listener is on 127.0.0.1 only.
        assert.strictEqual(elsewhere._tag, "Left")
        assert.deepStrictEqual(
          decisions.map(({ hop }) => hop),
          [0, 1]
        )
        const refused = yield* Effect.flip(http.request({ url: `${origin}/meta`, headers }))
        assert.strictEqual(refused.refused?.hopReason, "literal-address")
        assert.isTrue(refused.requestSent)
      })
    )
  )

  it.live("follows five redirects, drops credentials between origins, and stops in circles", () =>
    withClient((http) =>
      Effect.gen(function* () {
        const target = yield* httpServer(
          (request, response) => response.end(JSON.stringify([request.method, request.headers])),
          "127.0.0.2"
        )
        const server = yield* httpServer((request, response) => {
          const count = Number(request.url?.slice(1))
          if (request.url === "/circle") response.writeHead(302, { location: "/circle" }).end()
          else if (request.url === "/away")
            response.writeHead(302, { location: `http://other.example:${target.port}/` }).end()
          else if (request.url === "/odd") response.writeHead(302, { location: "/a\tb" }).end()
          else if (count > 0) response.writeHead(302, { location: `/${count - 1}` }).end()
          else response.end("there")
        })
        const ask = (path: string, extra = {}) =>
          http.request({ url: `http://site.example:${server.port}${path}`, ...extra })
        const five = yield* ask("/5")
        assert.deepStrictEqual([text(five.body), five.redirects], ["there", 5])
        const why = (path: string) => Effect.map(Effect.flip(ask(path)), ({ refused }) => refused?.hopReason)
        assert.strictEqual(yield* why("/6"), "limit")
        assert.strictEqual(yield* why("/circle"), "loop")
        assert.strictEqual(yield* why("/odd"), "malformed")
        const headers = { authorization: "Bearer fake", cookie: "a=b", "x-request-id": "1" }
        const [method, sent] = JSON.parse(
          text((yield* ask("/away", { method: "POST", body: Buffer.from("x"), headers })).body)
        )
        assert.strictEqual(method, "GET")
        assert.containsAllKeys(sent, ["x-request-id"])
        assert.doesNotHaveAnyKeys(sent, ["authorization", "cookie", "content-length", "content-type"])
        const manual = yield* ask("/3", { redirects: "manual" })
        assert.deepStrictEqual([manual.status, manual.headers.location], [302, "/2"])
      })
    )
  )
})

describe("pinning", () => {
  /** Answers the first look-up with one address and all later ones with another. */
  const flipping = (first: string, then: string) => {
    let lookups = 0
    const resolver = Layer.succeed(Resolver, {
      lookup: () => Effect.sync(() => [lookups++ === 0 ? first : then])
    })
    return { resolver, lookups: () => lookups }
  }

  it.live("a name that changes its answer between judgement and connect gets no byte at the second address", () => {
    const { lookups, resolver } = flipping("127.0.0.1", "127.0.0.2")
    return withClient(
      (http) =>
        Effect.gen(function* () {
          const first = yield* httpServer((_request, response) => response.end("first"))
          // The same port on the other address: a second look-up anywhere would lead here.
          const second = yield* Effect.acquireRelease(
            Effect.async<{ readonly bytes: () => number; readonly close: () => void }>((resume) => {
              let bytes = 0
              import("node:net").then(({ createServer }) => {
                const server = createServer((socket) => {
                  bytes += 1
                  socket.on("data", (piece) => (bytes += piece.length))
                })
                server.listen(first.port, "127.0.0.2", () =>
                  resume(Effect.succeed({ bytes: () => bytes, close: () => server.close() }))
                )
              })
            }),
            ({ close }) => Effect.sync(close)
          )
          const answer = yield* http.request({ url: `http://flip.example:${first.port}/` })
          assert.strictEqual(text(answer.body), "first")
          yield* http.request({ url: `http://flip.example:${first.port}/` })
          assert.deepStrictEqual([lookups(), second.bytes()], [1, 0])
        }),
      {},
      { mode: "private-allowed" },
      resolver
    )
  })

  it.live("a redirect to the same name asks again, and goes where the new answer is allowed to", () => {
    const { resolver } = flipping("127.0.0.1", "169.254.169.254")
    return withClient(
      (http) =>
        Effect.gen(function* () {
          const server = yield* httpServer((_request, response) => response.writeHead(302, { location: "/two" }).end())
          const error = yield* Effect.flip(http.request({ url: `http://flip.example:${server.port}/` }))
          assert.strictEqual(error.refused?.hopReason, "unsafe-answer")
        }),
      {},
      { mode: "private-allowed" },
      resolver
    )
  })
})

describe("TLS", () => {
  it.live("asks for the URL's name, trusts the host's authority, and no other", () =>
    Effect.gen(function* () {
      const certificate = yield* Effect.promise(() => authority.issue(["site.example", "127.0.0.1"]))
      const server = yield* httpsServer(certificate, (request, response) => response.end(request.headers.host))
      const url = `https://site.example:${server.port}/`
      const trusting = yield* withClient((http) => http.request({ url }), { ca: [authority.cert] })
      assert.strictEqual(text(trusting.body), `site.example:${server.port}`)
      assert.deepStrictEqual(server.serverNames, ["site.example"])
      const literal = yield* withClient((http) => http.request({ url: `https://127.0.0.1:${server.port}/` }), {
        ca: [authority.cert]
      })
      assert.strictEqual(literal.status, 200)
      const distrusting = yield* Effect.flip(withClient((http) => http.request({ url })))
      assert.deepStrictEqual([distrusting.reason, distrusting.requestSent], ["tls", false])
      assert.include(distrusting.message, "authority")
    }).pipe(Effect.scoped)
  )

  it.live("refuses a certificate for another name, and one that has expired", () =>
    withClient(
      (http) =>
        Effect.gen(function* () {
          const named = yield* Effect.promise(() => authority.issue(["site.example"]))
          const old = yield* Effect.promise(() => authority.issue(["site.example"], { expired: true }))
          const server = yield* httpsServer(named, (_request, response) => response.end())
          const expired = yield* httpsServer(old, (_request, response) => response.end())
          const wrong = yield* Effect.flip(http.request({ url: `https://wrong.example:${server.port}/` }))
          assert.deepStrictEqual([wrong.reason, wrong.code], ["tls", "ERR_TLS_CERT_ALTNAME_INVALID"])
          const late = yield* Effect.flip(http.request({ url: `https://site.example:${expired.port}/` }))
          assert.deepStrictEqual([late.reason, late.code], ["tls", "CERT_HAS_EXPIRED"])
        }),
      { ca: [authority.cert] }
    )
  )

  it.live("no variable of the environment turns the check off", () =>
    Effect.gen(function* () {
      const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
          else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
        })
      )
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0"
      const certificate = yield* Effect.promise(() => authority.issue(["site.example"]))
      const server = yield* httpsServer(certificate, (_request, response) => response.end())
      const error = yield* Effect.flip(
        withClient((http) => http.request({ url: `https://site.example:${server.port}/` }))
      )
      assert.strictEqual(error.reason, "tls")
    }).pipe(Effect.scoped)
  )

  it.live("https never leads to http", () =>
    withClient(
      (http) =>
        Effect.gen(function* () {
          const certificate = yield* Effect.promise(() => authority.issue(["site.example"]))
          const plain = yield* httpServer((_request, response) => response.end("plain"))
          const server = yield* httpsServer(certificate, (_request, response) =>
            response.writeHead(302, { location: `http://site.example:${plain.port}/` }).end()
          )
          const error = yield* Effect.flip(http.request({ url: `https://site.example:${server.port}/` }))
          assert.strictEqual(error.refused?.hopReason, "downgrade")
          assert.strictEqual(plain.connections(), 0)
        }),
      { ca: [authority.cert] }
    )
  )

  it.effect("an authority that is no certificate is named", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        Effect.scoped(
          Layer.build(SafeHttp.layer({ ca: ["-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"] }))
        ).pipe(Effect.provide(UrlPolicy.layer().pipe(Layer.provide(Resolver.layerTable({})))))
      )
      assert.match(error.message, /^ca:/)
    })
  )
})

describe("a stream", () => {
  it.live("comes piece by piece, and its socket is closed with the scope", () =>
    withClient((http) =>
      Effect.gen(function* () {
        const closed = yield* Deferred.make<void>()
        const server = yield* httpServer((request, response) => {
          response.writeHead(200, { "content-type": "text/event-stream" })
          response.write("data: 1\n\n")
          request.on("close", () => Deferred.unsafeDone(closed, Effect.void))
        })
        const first = yield* Effect.scoped(
          Effect.flatMap(
            http.open({ url: `http://site.example:${server.port}/`, limits: { totalMillis: null, bodyBytes: null } }),
            (answer) => Stream.runHead(answer.stream)
          )
        )
        assert.strictEqual(first._tag === "Some" ? text(first.value) : "", "data: 1\n\n")
        yield* Deferred.await(closed)
      })
    )
  )

  it.live("a hundred that never end do not hold up an ordinary request", () =>
    withClient((http) =>
      Effect.gen(function* () {
        const server = yield* httpServer((request, response) => {
          response.write("first")
          if (request.url === "/ordinary") response.end()
        })
        const url = `http://site.example:${server.port}`
        const lasting = http.open({ url: `${url}/lasting`, limits: { totalMillis: null, bodyBytes: null } })
        yield* Effect.all(
          Array.from({ length: 100 }, () => lasting),
          { concurrency: "unbounded" }
        )
        const answer = yield* http.request({ url: `${url}/ordinary` })
        assert.strictEqual(text(answer.body), "first")
      })
    )
  )

  it.live("follows redirects whose bodies do not end", () =>
    withClient((http) =>
      Effect.gen(function* () {
        const server = yield* httpServer((request, response) => {
          if (request.url === "/there") return void response.end("there")
          response.writeHead(302, { location: "/there" })
          response.write("moving")
        })
        const limits = { totalMillis: null, bodyBytes: null }
        const answer = yield* http.open({ url: `http://site.example:${server.port}/`, limits })
        const pieces = yield* Stream.runFold(answer.stream, "", (all, piece) => all + text(piece))
        assert.strictEqual(pieces, "there")
        yield* Effect.sleep(30)
        assert.isAtMost(server.open(), 1)
      })
    )
  )

  it.live("cancelling before the answer closes the socket", () =>
    withClient((http) =>
      Effect.gen(function* () {
        const asked = yield* Deferred.make<void>()
        const closed = yield* Deferred.make<void>()
        const server = yield* httpServer((request) => {
          Deferred.unsafeDone(asked, Effect.void)
          request.on("close", () => Deferred.unsafeDone(closed, Effect.void))
        })
        const fiber = yield* Effect.fork(http.request({ url: `http://site.example:${server.port}/` }))
        yield* Deferred.await(asked)
        yield* Fiber.interrupt(fiber)
        yield* Deferred.await(closed)
      })
    )
  )

  it.live("a body that nobody reads holds its sender back", () =>
    withClient((http) =>
      Effect.gen(function* () {
        let written = 0
        const server = yield* httpServer((_request, response) => {
          const more = (): void => {
            while (written < 64 * 1024 * 1024 && response.write(Buffer.alloc(64 * 1024))) written += 64 * 1024
            written += 64 * 1024
            if (written < 64 * 1024 * 1024) response.once("drain", more)
            else response.end()
          }
          more()
        })
        const answer = yield* http.open({ url: `http://site.example:${server.port}/`, limits: { bodyBytes: null } })
        yield* Effect.sleep(100)
        assert.isBelow(written, 32 * 1024 * 1024)
        const total = yield* Stream.runFold(answer.stream, 0, (sum, piece) => sum + piece.byteLength)
        assert.isAtLeast(total, 64 * 1024 * 1024)
      })
    )
  )

  it.live("gzip, deflate and brotli are undone", () =>
    withClient((http) =>
      Effect.gen(function* () {
        const zlib = yield* Effect.promise(() => import("node:zlib"))
        const long = "gatehouse ".repeat(20_000)
        const encoded: Record<string, Buffer> = {
          gzip: gzipSync(long),
          deflate: zlib.deflateSync(long),
          "raw deflate": zlib.deflateRawSync(long),
          br: zlib.brotliCompressSync(long),
          "gzip, br": zlib.brotliCompressSync(gzipSync(long))
        }
        const server = yield* httpServer((request, response) => {
          const name = decodeURIComponent(request.url?.slice(1) ?? "")
          response.writeHead(200, { "content-encoding": name.replace("raw ", "") }).end(encoded[name])
        })
        for (const name of Object.keys(encoded)) {
          const answer = yield* http.request({ url: `http://site.example:${server.port}/${encodeURIComponent(name)}` })
          assert.strictEqual(text(answer.body) === long, true, name)
        }
      })
    )
  )
})
