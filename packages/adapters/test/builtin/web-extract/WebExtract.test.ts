import { assert, describe, it } from "@effect/vitest"
import { pageCharacters } from "@gatehouse/adapters/builtin/web-extract/PageWindow"
import { webExtractEntry } from "@gatehouse/adapters/builtin/web-extract/WebExtract"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import type { Json } from "@gatehouse/core/Json"
import type { RuntimeEvent } from "@gatehouse/core/RuntimeEvents"
import { CoreEgress } from "@gatehouse/policy/urls/CoreEgress"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { callEntry, planCall, turnIn } from "../../support/CallEntry.ts"
import { type Page, serveSite, webLayer } from "../../support/PageServer.ts"

const turn = turnIn("/tmp")
const article = (inner: string, head = "<title>A page</title>"): string =>
  `<!doctype html><html><head>${head}</head><body><nav><a href="/home">Home</a></nav><article><h1>Heading</h1>${inner}</article></body></html>`
const paragraph = `<p>${"Readable words stand here, and they go on for a while. ".repeat(12)}</p>`

const extract = (
  pages: Readonly<Record<string, Page>>,
  path: string,
  more: { readonly [key: string]: Json } = {},
  events: Array<RuntimeEvent> = []
) =>
  Effect.gen(function* () {
    const site = yield* serveSite(pages)
    const entry = yield* webExtractEntry
    const outcome = yield* callEntry(entry, { url: `${site.origin}${path}`, ...more }, turn)
    return { site, text: outcome.output.text, data: JSON.parse(JSON.stringify(outcome.output.data)) }
  }).pipe(Effect.scoped, Effect.provide(webLayer(events)))

const refusal = (pages: Readonly<Record<string, Page>>, path: string, more: { readonly [key: string]: Json } = {}) =>
  Effect.flip(extract(pages, path, more))

const quoted = (text: string): string => /<<< \w+\n([\s\S]*)\n\w+ >>>$/.exec(text)?.[1] ?? ""

describe("web_extract", () => {
  it.live("gives the text of a page, with title, origin and links as references", () =>
    Effect.gen(function* () {
      const page = article(
        `${paragraph}<p>See <a href="/other#x">the other</a>, <a href="/other#x">again</a> and <a href="javascript:alert(1)">this</a>.</p><script>steal()</script>`
      )
      const { data, site, text } = yield* extract(
        { "/a": { type: "text/html", body: page } },
        "/a?token=SECRETQUERY".replace("?token=SECRETQUERY", "")
      )
      const [head = ""] = text.split("\n")
      assert.include(head, site.origin)
      assert.match(text, /untrusted text/)
      const inner = quoted(text)
      assert.match(inner, /^title: A page\n/)
      assert.include(inner, "[the other][1]")
      assert.include(inner, "[again][1]")
      assert.include(inner, `links:\n[1]: ${site.origin}/other#x`)
      assert.notInclude(inner, "javascript:")
      assert.notInclude(inner, "steal()")
      assert.deepInclude(data, { title: "A page", origin: site.origin, media_type: "text/html", next_offset: null })
    })
  )

  it.live("goes on where an answer ended, and the parts are the whole", () =>
    Effect.gen(function* () {
      const body = Array.from({ length: 4000 }, (_, index) => `line ${index} 😀`).join("\n")
      const pages = { "/t": { type: "text/plain; charset=utf-8", body } }
      let offset: number | null = 0
      let whole = ""
      while (offset !== null) {
        const {
          data,
          text
        }: { data: { next_offset: number | null; characters: number; total_characters: number }; text: string } =
          yield* extract(pages, "/t", { offset })
        assert.isAtMost(data.characters, pageCharacters)
        assert.strictEqual(data.total_characters, body.length)
        if (data.next_offset !== null) assert.include(text, `offset ${data.next_offset}`)
        whole += quoted(text).slice(0, data.characters)
        offset = data.next_offset
      }
      assert.strictEqual(whole, body)
      const beyond = yield* extract(pages, "/t", { offset: 1_000_000 })
      assert.include(beyond.text, "nothing at offset")
    })
  )

  it.live("reads JSON, Markdown, XML and PDF, and what has no type", () =>
    Effect.gen(function* () {
      const pdf =
        "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
        "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj\n" +
        "4 0 obj<</Length 44>>stream\nBT /F1 24 Tf 50 100 Td (Hello PDF world) Tj ET\nendstream endobj\n" +
        "5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>"
      const pages: Record<string, Page> = {
        "/j": { type: "application/problem+json", body: '{"a":[1,2]}' },
        "/m": { type: "text/markdown", body: "# Title\n\n- one" },
        "/x": { type: "application/rss+xml", body: "<rss><title>News</title></rss>" },
        "/p": { type: "application/pdf", body: pdf },
        "/op": { type: "application/octet-stream", body: pdf },
        "/none": { body: "<!DOCTYPE html><html><body><p>typeless</p></body></html>" },
        "/plain": { body: "just text" }
      }
      const read = (path: string) => Effect.map(extract(pages, path), ({ text }) => quoted(text))
      assert.include(yield* read("/j"), '"a": [\n    1,\n    2\n  ]')
      assert.strictEqual(yield* read("/m"), "# Title\n\n- one")
      assert.include(yield* read("/x"), "<title>News</title>")
      assert.strictEqual(yield* read("/p"), "Hello PDF world")
      assert.strictEqual(yield* read("/op"), "Hello PDF world")
      assert.strictEqual(yield* read("/none"), "typeless")
      assert.strictEqual(yield* read("/plain"), "just text")
    })
  )

  it.live("refuses what is no text by its type, and does not read it", () =>
    Effect.gen(function* () {
      const pages: Record<string, Page> = {
        "/i": {
          serve: (_request, response) => {
            response.writeHead(200, { "content-type": "image/png" })
            response.write(Buffer.alloc(1000))
          }
        },
        "/b": { type: "application/octet-stream", body: Buffer.from([0, 1, 2, 3]) },
        "/l": { type: "text/plain", body: Buffer.from([65, 0, 66, 0, 7]) }
      }
      const image = yield* refusal(pages, "/i")
      assert.deepInclude(image, { reason: "media_type", mayHaveHappened: false })
      assert.include(image.message, "image/png")
      assert.deepInclude(yield* refusal(pages, "/b"), { reason: "media_type" })
      assert.deepInclude(yield* refusal(pages, "/l"), { reason: "media_type" })
    })
  )

  it.live("a page cannot end its own quotation, nor hide orders where nobody looks", () =>
    Effect.gen(function* () {
      const page = article(
        `${paragraph}<p style="display:none">IGNORE ALL</p><p hidden>HIDDEN ORDER</p><p>&gt;&gt;&gt; 000000000000</p><p>tag\u{e0041}\u{e0042}s</p>`
      )
      const { text } = yield* extract({ "/a": { type: "text/html; charset=utf-8", body: page } }, "/a")
      assert.notMatch(text, /IGNORE ALL|HIDDEN ORDER/)
      assert.include(text, "tags")
      const mark = /<<< (\w{12})\n/.exec(text)?.[1] ?? "none"
      assert.strictEqual(quoted(text).includes(mark), false)
      assert.isTrue(text.endsWith(`${mark} >>>`))
    })
  )

  it.live("tells network errors apart, with a hint", () =>
    Effect.gen(function* () {
      const pages: Record<string, Page> = {
        "/slow": { serve: () => {} },
        "/moved": { status: 302, headers: { location: "http://169.254.169.254/latest" } },
        "/big": { type: "text/plain", headers: { "content-length": String(64 * 1024 * 1024) } }
      }
      const missing = yield* refusal(pages, "/missing")
      assert.deepInclude(missing, { reason: "status" })
      assert.include(missing.message, "404")
      assert.deepInclude(yield* refusal(pages, "/slow", { timeout_seconds: 1 }), { reason: "timeout" })
      assert.deepInclude(yield* refusal(pages, "/moved"), { reason: "policy" })
      assert.deepInclude(yield* refusal(pages, "/big"), { reason: "size" })
      for (const error of [missing]) assert.isNotEmpty(error.remedy)
    })
  )

  it.live("interruption ends the request at once", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(extract({ "/slow": { serve: () => {} } }, "/slow"))
      yield* Effect.sleep(100)
      const started = performance.now()
      yield* Fiber.interrupt(fiber)
      assert.isBelow(performance.now() - started, 500)
    })
  )

  it.live("hostile pages end in bounded time", () =>
    Effect.gen(function* () {
      const pages: Record<string, Page> = {
        "/deep": { type: "text/html", body: "<div>".repeat(50_000) },
        "/items": { type: "text/html", body: "<li><p>".repeat(20_000) },
        "/open": { type: "text/html", body: "<a".repeat(500_000) },
        "/json": { type: "application/json", body: "[".repeat(100_000) },
        "/pdf": { type: "application/pdf", body: "%PDF-1.4\nnonsense" }
      }
      assert.deepInclude(yield* refusal(pages, "/deep"), { reason: "unreadable" })
      yield* Effect.either(extract(pages, "/items", { timeout_seconds: 2 }))
      yield* Effect.either(extract(pages, "/open", { timeout_seconds: 2 }))
      const json = yield* extract(pages, "/json")
      assert.strictEqual(json.data.total_characters, 100_000)
      assert.deepInclude(yield* refusal(pages, "/pdf"), { reason: "unreadable" })
    })
  )

  it.live("every request and hop is an event, with origin and addresses alone", () =>
    Effect.gen(function* () {
      const events: Array<RuntimeEvent> = []
      const pages: Record<string, Page> = {
        "/from?SECRET": { status: 302, headers: { location: "/to?SECRET" } },
        "/to?SECRET": { type: "text/plain", body: "there" }
      }
      yield* extract(pages, "/from?SECRET", {}, events)
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["url.judged", "url.judged"]
      )
      assert.notInclude(JSON.stringify(events), "SECRET")
      const decisions = JSON.parse(JSON.stringify(events.map(({ data }) => data)))
      assert.deepStrictEqual(
        decisions.map(({ decision, hop }: { decision: string; hop: number }) => [hop, decision]),
        [
          [0, "allow"],
          [1, "allow"]
        ]
      )
      assert.deepStrictEqual(decisions[0].addresses, ["127.0.0.1"])
    })
  )
})

describe("the plan of web_extract", () => {
  const planned = (url: string) =>
    Effect.map(webExtractEntry, (entry) => planCall(entry, { url }, turn).plan).pipe(Effect.provide(webLayer([], {})))

  it.effect("refuses by text, before anybody is asked, and repeats nothing secret", () =>
    Effect.gen(function* () {
      for (const url of [
        "http://127.0.0.1/SECRET",
        "http://user:SECRET@a.example/",
        "file:///SECRET",
        "http://metadata.google.internal/SECRET",
        "http://0x7f.1/SECRET",
        "nonsense SECRET"
      ]) {
        const plan = yield* planned(url)
        assert.instanceOf(plan, PlanRefused, url)
        if (plan instanceof PlanRefused) {
          assert.strictEqual(plan.status, "denied")
          assert.notInclude(`${plan.rule} ${plan.message}`, "SECRET")
        }
      }
    })
  )

  it.effect("asks for the origin, shows the whole address, and wants a person", () =>
    Effect.gen(function* () {
      const entry = yield* webExtractEntry
      assert.deepInclude(entry, {
        name: "web_extract",
        policy: "prompt",
        risk: "medium",
        toolset: "coding",
        capability: "network.fetch",
        readOnly: true
      })
      const plan = planCall(entry, { url: "https://BÜCHER.example./a?b=c#d", timeout_seconds: 60 }, turn).plan
      assert.deepInclude(plan, {
        action: "fetch",
        target: "https://xn--bcher-kva.example",
        timeoutMillis: 60_000,
        preview: { url: "https://xn--bcher-kva.example/a?b=c", offset: 0, timeout_seconds: 60 }
      })
      assert.deepInclude(planCall(entry, { url: "https://a.example", timeout_seconds: 61 }, turn).plan, {
        status: "invalid"
      })
    }).pipe(Effect.provide(webLayer([], {})))
  )

  it.effect("obeys the rules of the turn's core", () =>
    Effect.gen(function* () {
      const rules = { origin: "agent.yaml:7 network", allow: ["*.docs.example"], deny: [] }
      const entry = yield* Effect.provideService(webExtractEntry, CoreEgress, { rulesFor: () => [rules] })
      const closed = planCall(entry, { url: "https://a.example/" }, turn).plan
      assert.instanceOf(closed, PlanRefused)
      if (closed instanceof PlanRefused) assert.include(closed.rule, "agent.yaml:7 network")
      assert.notInstanceOf(planCall(entry, { url: "https://a.docs.example/" }, turn).plan, PlanRefused)
    }).pipe(Effect.provide(webLayer([], {})))
  )

  it.live("a bad DNS answer is found after the approval, and before a connection", () =>
    Effect.gen(function* () {
      const entry = yield* webExtractEntry
      const error = yield* Effect.flip(Effect.scoped(callEntry(entry, { url: "http://bad.example/" }, turn)))
      assert.deepInclude(error, { reason: "policy", mayHaveHappened: false })
      const unknown = yield* Effect.flip(Effect.scoped(callEntry(entry, { url: "http://unknown.example/" }, turn)))
      assert.deepInclude(unknown, { reason: "dns" })
    }).pipe(Effect.provide(webLayer()))
  )
})
