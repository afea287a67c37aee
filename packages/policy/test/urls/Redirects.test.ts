import { assert, describe, it } from "@effect/vitest"
import { type HopRequest, nextHop, staysWithOrigin } from "@gatehouse/policy/urls/Redirects"

const from = new URL("https://a.example/dir/page?q=1")
const request = (method: string, headers: Readonly<Record<string, string>> = {}): HopRequest => ({
  url: from.href,
  method,
  headers,
  hasBody: method !== "GET" && method !== "HEAD"
})
const follow = (location: string, status = 302, method = "GET", headers: Readonly<Record<string, string>> = {}) => {
  const next = nextHop(from, request(method, headers), { status, location })
  return next.next === "follow" ? next.request : null
}

describe("a redirect", () => {
  it("turns the method as Fetch says", () => {
    const cases: ReadonlyArray<readonly [number, string, string]> = [
      [301, "POST", "GET"],
      [302, "POST", "GET"],
      [303, "POST", "GET"],
      [303, "PUT", "GET"],
      [303, "DELETE", "GET"],
      [303, "HEAD", "HEAD"],
      [301, "PUT", "PUT"],
      [302, "HEAD", "HEAD"],
      [307, "POST", "POST"],
      [308, "POST", "POST"],
      [308, "DELETE", "DELETE"]
    ]
    for (const [status, before, after] of cases) {
      const next = follow("/x", status, before, { "content-type": "text/plain", "content-length": "3", accept: "*/*" })
      assert.strictEqual(next?.method, after, `${status} ${before}`)
      const kept = after === before
      assert.strictEqual("content-type" in (next?.headers ?? {}), kept, `${status} ${before}`)
      assert.strictEqual(next?.hasBody, kept && before !== "GET" && before !== "HEAD", `${status} ${before}`)
    }
  })

  it("other statuses, and none without Location, are answers", () => {
    for (const status of [200, 300, 304, 305, 306, 309, 404]) assert.isNull(follow("/x", status))
    assert.strictEqual(nextHop(from, request("GET"), { status: 302, location: null }).next, "none")
  })

  it("Location is resolved, and what names a host stays raw", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["/two", "https://a.example/two"],
      ["two", "https://a.example/dir/two"],
      ["../up", "https://a.example/up"],
      ["?page=2", "https://a.example/dir/page?page=2"],
      ["#part", "https://a.example/dir/page?q=1#part"],
      ["//b.example/x", "https://b.example/x"],
      ["//u:p@b.example/x", "https://u:p@b.example/x"],
      ["https:b.example", "https:b.example"],
      ["HTTP://b.example\\x", "HTTP://b.example\\x"],
      ["\\\\b.example/", "https:\\\\b.example/"],
      ["javascript:alert(1)", "javascript:alert(1)"]
    ]
    for (const [location, target] of cases) assert.strictEqual(follow(location)?.url, target, location)
    for (const location of ["/a b", "/a\tb", "/a\r\nb", "a\\b", "/a\u0000"]) {
      assert.strictEqual(
        nextHop(from, request("GET"), { status: 302, location }).next,
        "refuse",
        JSON.stringify(location)
      )
    }
  })

  it("credentials do not leave their origin, by whatever name", () => {
    const secret = [
      "authorization",
      "cookie",
      "proxy-authorization",
      "x-api-key",
      "x-auth-token",
      "private-token",
      "api_key",
      "mcp-session-id",
      "x-amz-security-token",
      "x-goog-signature",
      "referer",
      "origin"
    ]
    const plain = [
      "accept",
      "accept-language",
      "x-request-id",
      "user-agent",
      "content-type",
      "mcp-protocol-version",
      "x-keyboard",
      "if-none-match"
    ]
    assert.deepStrictEqual([...secret, ...plain].filter(staysWithOrigin), secret)
    const headers = Object.fromEntries([...secret, ...plain].map((name) => [name, "x"]))
    for (const [location, crosses] of [
      ["/x", false],
      ["https://a.example:443/x", false],
      ["https://a.example:8443/", true],
      ["http://a.example/", true],
      ["https://b.example/", true],
      ["https://sub.a.example/", true]
    ] as const) {
      assert.sameMembers(
        Object.keys(follow(location, 307, "POST", headers)?.headers ?? {}),
        crosses ? plain : [...secret, ...plain],
        location
      )
    }
  })
})
