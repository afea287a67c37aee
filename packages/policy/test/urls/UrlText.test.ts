import { assert, describe, it } from "@effect/vitest"
import type { NetworkMode } from "@gatehouse/policy/urls/Address"
import { judgeText } from "@gatehouse/policy/urls/UrlText"
import * as fc from "fast-check"

const reason = (url: string, mode: NetworkMode = "default"): string => {
  const verdict = judgeText(url, mode, [])
  return verdict.decision === "deny" ? verdict.reason : "pass"
}

const refused: ReadonlyArray<readonly [string, string]> = [
  ["", "malformed"],
  ["https://", "malformed"],
  ["https:public.example", "malformed"],
  ["https:/public.example", "malformed"],
  ["https:////public.example", "malformed"],
  ["//public.example/", "malformed"],
  ["https://public.example/a b", "malformed"],
  ["https://public.example/a\u00a0b", "malformed"],
  ["https://public.example/a\u3000b", "malformed"],
  ["https://public.example/\u2028", "malformed"],
  ["https://public.example/\u0085", "malformed"],
  ["https://public.example/\u007f", "malformed"],
  ["https://public.example/\u0000", "malformed"],
  ["https://public.example/?q=\\", "malformed"],
  ["https://public.example/\ud800", "malformed"],
  ["https://public.example/#\t", "malformed"],
  ["https://public.example:-1/", "malformed"],
  ["https://public.example:+443/", "malformed"],
  ["https://public.example:00/", "malformed"],
  ["https://public.example:99999/", "malformed"],
  ["https://public.example:４４３/", "malformed"],
  ["https://[fe80::1%eth0]/", "malformed"],
  ["https://[v1.fe80]/", "malformed"],
  ["https://1.2.3.4.5/", "malformed"],
  ["https://public.example.0x1/", "malformed"],
  ["https://a,b.example/", "malformed"],
  ["https://a!b.example/", "malformed"],
  ["https://a(b).example/", "malformed"],
  ["https://a~b.example/", "malformed"],
  ["https://$host.example/", "malformed"],
  ["https://.public.example/", "malformed"],
  ["https://public.example../", "malformed"],
  [`https://${"a".repeat(64)}.example/`, "malformed"],
  [`https://${"a.".repeat(130)}example/`, "malformed"],
  [`https://public.example/${"a".repeat(20_000)}`, "malformed"],
  ["https://public.example%00.evil.example/", "malformed"],
  ["https://public.example%2f@evil.example/", "userinfo"],
  ["https://a:b@c@public.example/", "userinfo"],
  ["https://@/", "userinfo"],
  ["ws://public.example/", "scheme"],
  ["https+unix://public.example/", "scheme"],
  ["localhost:3000", "scheme"],
  ["view-source:https://public.example/", "scheme"],
  ["http://LOCALHOST/", "hostname"],
  ["http://%6cocalhost/", "hostname"],
  ["http://foo.localdomain./", "hostname"],
  ["http://x.metadata.goog/", "hostname"],
  ["http://router/", "hostname"],
  ["http://a.b.svc/", "hostname"],
  ["http://x.onion/", "hostname"],
  ["http://0/", "literal-address"],
  ["http://0x7f.0.0.0x1/", "literal-address"],
  ["http://[::ffff:10.0.0.1]/", "literal-address"],
  ["http://[::10.0.0.1]/", "literal-address"]
]

describe("the text of a URL", () => {
  for (const [url, expected] of refused) {
    it(`${JSON.stringify(url).slice(0, 60)}: ${expected}`, () => {
      assert.strictEqual(reason(url), expected)
    })
  }

  it("what is public passes, and has one name", () => {
    const passed: ReadonlyArray<readonly [string, string]> = [
      ["https://PUBLIC.example./a?b#c", "https://public.example"],
      ["https://public.example:443/", "https://public.example"],
      ["https://public.example:/", "https://public.example"],
      ["http://public.example:443/", "http://public.example:443"],
      ["https://a_b.public.example/", "https://a_b.public.example"],
      ["https://public.example/\u00e9?q=\u00e9", "https://public.example"],
      ["https://notlocalhost/x".replace("host/", "host.example/"), "https://notlocalhost.example"],
      ["https://8.8.8.8/", "https://8.8.8.8"]
    ]
    for (const [url, origin] of passed) assert.strictEqual(judgeText(url, "default", []).audit.origin, origin, url)
    for (const [url] of passed) assert.strictEqual(reason(url), "pass", url)
  })

  it("private-allowed opens local names and never metadata", () => {
    for (const name of ["localhost", "a.local", "intranet", "x.internal", "y.home.arpa"]) {
      assert.strictEqual(reason(`http://${name}/`, "private-allowed"), "pass", name)
    }
    for (const name of ["metadata", "metadata.google.internal", "instance-data", "a.metadata.azure.internal"]) {
      assert.strictEqual(reason(`http://${name}/`, "private-allowed"), "hostname", name)
    }
  })

  it("any spelling of a closed IPv4 address is refused without a look-up", () => {
    const closed = fc.oneof(
      fc.integer({ min: 0, max: 0xffffff }).map((low) => 0x7f000000 + low),
      fc.integer({ min: 0, max: 0xffffff }).map((low) => 0x0a000000 + low),
      fc.integer({ min: 0, max: 0xffff }).map((low) => 0xa9fe0000 + low)
    )
    const spelled = (value: number, parts: number, bases: ReadonlyArray<number>): string => {
      const bytes = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256)
      const last = bytes.slice(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0)
      return [...bytes.slice(0, parts - 1), last]
        .map((part, index) => {
          const base = bases[index] ?? 10
          return base === 10 ? String(part) : base === 16 ? `0x${part.toString(16)}` : `0${part.toString(8)}`
        })
        .join(".")
    }
    const wide = (text: string): string =>
      [...text].map((char) => String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfee0)).join("")
    fc.assert(
      fc.property(
        closed,
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 }),
        fc.constantFrom("", "."),
        fc.constantFrom("plain", "wide", "percent"),
        (value, parts, bases, dot, form) => {
          const text = spelled(value, parts, bases)
          const host =
            form === "wide" ? wide(text) : form === "percent" ? text.replace(/\d/, (digit) => `%3${digit}`) : text
          assert.strictEqual(reason(`http://${host}${dot}/`), "literal-address", host)
        }
      )
    )
  })

  it("control characters, blanks and backslashes are refused wherever they stand", () => {
    const url = "https://public.example:443/path?query=1#end"
    const odd = fc.constantFrom(
      ..."\u0000\u0001\t\n\v\f\r\u001f \u007f\u0080\u009f\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\\"
    )
    fc.assert(
      fc.property(fc.integer({ min: 0, max: url.length }), odd, (at, char) => {
        assert.strictEqual(reason(url.slice(0, at) + char + url.slice(at)), "malformed")
      })
    )
  })

  it("a message and an audit view hold nothing beyond the origin", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          "http://127.0.0.1",
          "https://localhost",
          "ftp://public.example",
          "https://public.example:0",
          "https://u:SECRET@a.example",
          "https://[::1"
        ),
        fc.constantFrom("/SECRET", "?SECRET", "#SECRET", "/a?b=SECRET#SECRET"),
        (start, rest) => {
          const verdict = judgeText(start + rest, "default", [])
          assert.strictEqual(verdict.decision, "deny")
          assert.notInclude(JSON.stringify(verdict), "SECRET")
        }
      )
    )
  })

  it("whatever passes parses again to the same host", () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ["http", "https"], withQueryParameters: true }), (url) => {
        const verdict = judgeText(url, "default", [])
        if (verdict.decision === "pass") {
          assert.strictEqual(new URL(verdict.url.href).hostname, verdict.url.hostname)
          assert.strictEqual(verdict.url.username + verdict.url.password, "")
        }
      })
    )
  })
})
