import { assert, describe, it } from "@effect/vitest"
import { listenAddress, urlOf } from "@gatehouse/host/cli/ListenAddress"
import { guardProtocol, guardRequest } from "@gatehouse/host/endpoint/http/HttpGuard"
import { RateLimit } from "@gatehouse/host/endpoint/http/RateLimit"
import { bearerOf, ownerOf, tokenHash, writeToken } from "@gatehouse/host/endpoint/http/Tokens"
import * as Either from "effect/Either"

const local = { isLoopback: true, names: ["gate.example"] }
const remote = { isLoopback: false, names: ["gate.example"] }

const outcome = (
  headers: Readonly<Record<string, string>>,
  options = local,
  method = "POST",
  target = "/mcp"
): string | number =>
  Either.match(guardRequest({ method, target, headers: { host: "127.0.0.1:8977", ...headers } }, options), {
    onLeft: ({ status }) => status,
    onRight: (place) => place
  })

describe("names that a request is sent under", () => {
  const hosts: ReadonlyArray<readonly [string, string | number, string | number]> = [
    ["127.0.0.1:8977", "mcp", "mcp"],
    ["127.0.0.1", "mcp", "mcp"],
    ["127.9.9.9:1", "mcp", "mcp"],
    ["localhost:8977", "mcp", "mcp"],
    ["LOCALHOST", "mcp", "mcp"],
    ["[::1]:8977", "mcp", "mcp"],
    ["gate.example:443", "mcp", "mcp"],
    ["10.0.0.5:8977", 403, "mcp"],
    ["[2001:db8::1]:8977", 403, "mcp"],
    ["evil.example:8977", 403, 403],
    ["localhost.evil.example", 403, 403],
    ["127.0.0.1.evil.example", 403, 403],
    ["evil.example@127.0.0.1", 403, 403],
    ["127.0.0.1:8977/x", 403, 403],
    ["2130706433", 403, 403],
    ["127.1", 403, 403],
    ["", 403, 403]
  ]
  it.each(hosts)("Host %j", (host, onLoopback, onRemote) => {
    assert.strictEqual(outcome({ host }), onLoopback)
    assert.strictEqual(outcome({ host }, remote), onRemote)
  })

  const origins: ReadonlyArray<readonly [string, string | number]> = [
    ["http://localhost:6274", "mcp"],
    ["https://127.0.0.1", "mcp"],
    ["http://[::1]:3000", "mcp"],
    ["https://gate.example", "mcp"],
    ["http://evil.example", 403],
    ["http://localhost.evil.example", 403],
    ["http://localhost@evil.example", 403],
    ["http://evil.example/localhost", 403],
    ["vscode-webview://localhost", 403],
    ["null", 403],
    ["", 403]
  ]
  it.each(origins)("Origin %j", (origin, expected) => assert.strictEqual(outcome({ origin }), expected))
})

describe("where a request goes", () => {
  const cases: ReadonlyArray<readonly [string, string, string | number]> = [
    ["GET", "/healthz", "health"],
    ["GET", "/readyz?x", "ready"],
    ["POST", "/healthz", 405],
    ["GET", "/mcp", "mcp"],
    ["DELETE", "/mcp?x=1", "mcp"],
    ["PUT", "/mcp", 405],
    ["OPTIONS", "/mcp", 405],
    ["POST", "/", 404],
    ["POST", "/mcp/", 404],
    ["GET", "//mcp", 404]
  ]
  it.each(cases)("%s %s", (method, target, expected) =>
    assert.strictEqual(outcome({}, local, method, target), expected)
  )

  const json = "application/json"
  const both = "application/json, text/event-stream"
  const media: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, number | null]> = [
    ["POST", { accept: both, "content-type": json }, null],
    ["POST", { accept: both, "content-type": "Application/JSON; charset=utf-8" }, null],
    ["POST", { "content-type": json }, null],
    ["POST", { accept: json, "content-type": json }, null],
    ["POST", { accept: "text/html", "content-type": json }, 406],
    ["POST", { accept: both, "content-type": "text/plain" }, 415],
    ["POST", { accept: both }, 415],
    ["POST", { accept: both, "content-type": json, "mcp-protocol-version": "2025-06-18" }, null],
    ["POST", { accept: both, "content-type": json, "mcp-protocol-version": "2026-07-28" }, 400],
    ["GET", { accept: "text/event-stream" }, null],
    ["GET", { accept: json }, 406],
    ["DELETE", {}, null]
  ]
  it.each(media)("%s %j", (method, headers, status) => {
    const guarded = guardProtocol({ method, target: "/mcp", headers })
    assert.strictEqual(Either.isLeft(guarded) ? guarded.left.status : null, status)
  })
})

describe("tokens", () => {
  const token = writeToken(Buffer.alloc(32, 7))
  const entry = { name: "a", principal: "local", sha256: tokenHash(token), created_at: 0 }

  it("are read from one header form", () => {
    assert.strictEqual(bearerOf(`Bearer ${token}`), token)
    assert.strictEqual(bearerOf(`bearer  ${token}`), token)
    for (const other of [
      null,
      "",
      token,
      `Basic ${token}`,
      `Bearer ${token} x`,
      "Bearer ",
      `Bearer ${"x".repeat(600)}`
    ])
      assert.isNull(bearerOf(other), String(other))
  })

  it("have an owner when they are whole", () => {
    assert.strictEqual(ownerOf(token, [{ ...entry, name: "b", sha256: tokenHash("other") }, entry])?.name, "a")
    for (const other of [token.slice(0, -1), `${token}x`, token.toUpperCase(), ""])
      assert.isNull(ownerOf(other, [entry]))
    assert.isNull(ownerOf(token, []))
  })
})

describe("a rate", () => {
  it("gives a burst, then so many a second, to each by itself", () => {
    const limit = new RateLimit({ perSecond: 2, burst: 3 })
    assert.deepStrictEqual(
      [0, 0, 0, 0].map((now) => limit.take("a", now)),
      [0, 0, 0, 1]
    )
    assert.strictEqual(limit.take("b", 0), 0)
    assert.deepStrictEqual([limit.take("a", 499), limit.take("a", 500), limit.take("a", 500)], [1, 0, 1])
    assert.deepStrictEqual(
      Array.from({ length: 4 }, () => limit.take("a", 60_000)),
      [0, 0, 0, 1]
    )
  })

  it("is not turned by a clock that goes back", () => {
    const limit = new RateLimit({ perSecond: 1, burst: 1 })
    assert.strictEqual(limit.take("a", 1_000), 0)
    assert.strictEqual(limit.take("a", 0), 1)
  })
})

describe("where it listens", () => {
  const cases: ReadonlyArray<readonly [string, object | null]> = [
    ["8977", { host: "127.0.0.1", port: 8977, isLoopback: true }],
    ["localhost:0", { host: "127.0.0.1", port: 0, isLoopback: true }],
    ["[::1]:80", { host: "::1", port: 80, isLoopback: true }],
    ["0.0.0.0:80", { host: "0.0.0.0", port: 80, isLoopback: false }],
    ["[::]:80", { host: "::", port: 80, isLoopback: false }],
    ["127.0.0.1", null],
    ["gate.example:80", null],
    ["127.0.0.1:65536", null],
    ["", null]
  ]
  it.each(cases)("%j", (text, expected) =>
    assert.deepStrictEqual(Either.getOrNull(listenAddress(text)), expected as never)
  )

  it("is written as a URL", () => {
    assert.strictEqual(urlOf("https", "::1", 5), "https://[::1]:5")
    assert.strictEqual(urlOf("http", "127.0.0.1", 5), "http://127.0.0.1:5")
  })
})
