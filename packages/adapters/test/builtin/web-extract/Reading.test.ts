import { assert, describe, it } from "@effect/vitest"
import { decodePage } from "@gatehouse/adapters/builtin/web-extract/Charset"
import { extractPage } from "@gatehouse/adapters/builtin/web-extract/Extraction.boundary"
import { htmlDepthLimit, nestsTooDeep } from "@gatehouse/adapters/builtin/web-extract/HtmlDepth"
import { kindOf, parseMediaType, sniff } from "@gatehouse/adapters/builtin/web-extract/MediaType"
import { frameOf, pageCharacters, referenceLimit, windowOf } from "@gatehouse/adapters/builtin/web-extract/PageWindow"
import * as fc from "fast-check"
import iconv from "iconv-lite"

describe("charsets", () => {
  it("mark, header, declaration, bytes: in this order", () => {
    const cases: ReadonlyArray<readonly [Uint8Array, string | null, boolean, string, string]> = [
      [Buffer.from("é"), null, false, "é", "utf-8"],
      [Buffer.from([0xe9]), null, false, "é", "windows-1252"],
      [Buffer.from([0x80]), "iso-8859-1", false, "€", "windows-1252"],
      [iconv.encode("日本", "shift_jis"), "Shift_JIS", false, "日本", "shift_jis"],
      [iconv.encode("日本", "euc-jp"), "euc-jp", false, "日本", "euc-jp"],
      [iconv.encode("мир", "koi8-r"), "koi8-r", false, "мир", "koi8-r"],
      [iconv.encode("中文", "gbk"), "gb2312", false, "中文", "gbk"],
      [Buffer.concat([Buffer.from([0xff, 0xfe]), iconv.encode("é", "utf-16le")]), "utf-8", false, "é", "utf-16le"],
      [Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from("é")]), "iso-8859-1", false, "é", "utf-8"],
      [
        Buffer.concat([Buffer.from('<meta charset="windows-1251">'), iconv.encode("мир", "windows-1251")]),
        null,
        true,
        '<meta charset="windows-1251">мир',
        "windows-1251"
      ],
      [Buffer.from("<meta charset=utf-16><p>é"), null, true, "<meta charset=utf-16><p>é", "utf-8"],
      [Buffer.from("+ADw-script+AD4-"), "utf-7", false, "+ADw-script+AD4-", "utf-8"],
      [Buffer.from("aGk="), "base64", false, "aGk=", "utf-8"],
      [Buffer.from("é"), "no-such-charset", false, "é", "utf-8"],
      [Buffer.from(""), null, true, "", "utf-8"]
    ]
    for (const [body, header, declared, text, charset] of cases) {
      assert.deepStrictEqual(decodePage(body, header, declared), { text, charset }, `${header} ${text}`)
    }
  })

  it("any bytes under any label are some text", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.option(fc.string({ maxLength: 12 })),
        fc.boolean(),
        (body, header, declared) => {
          assert.isString(decodePage(body, header, declared).text)
        }
      )
    )
  })
})

describe("media types", () => {
  it("essence and charset", () => {
    assert.deepStrictEqual(parseMediaType('Text/HTML; Charset="UTF-8"; x=y'), {
      essence: "text/html",
      charset: "utf-8"
    })
    assert.deepStrictEqual(parseMediaType(undefined), { essence: null, charset: null })
    assert.deepStrictEqual(parseMediaType("text/<script>"), { essence: null, charset: null })
  })

  it("kinds", () => {
    const kinds: ReadonlyArray<readonly [string | null, string]> = [
      ["text/html", "html"],
      ["application/xhtml+xml", "html"],
      ["text/csv", "text"],
      ["application/ld+json", "json"],
      ["image/svg+xml", "text"],
      ["application/octet-stream", "unknown"],
      [null, "unknown"],
      ["application/zip", "binary"],
      ["video/mp4", "binary"],
      ["font/woff2", "binary"],
      ["application/vnd.ms-excel", "binary"]
    ]
    for (const [essence, kind] of kinds) assert.strictEqual(kindOf(essence), kind, String(essence))
  })

  it("sniffs", () => {
    const starts: ReadonlyArray<readonly [string, string]> = [
      ["%PDF-1.7", "pdf"],
      ["  <!DOCTYPE HTML><p>", "html"],
      ["<!-- hi --><html>", "html"],
      ["\u007fELF\u0001", "binary"],
      ["PK\u0003\u0004", "binary"],
      ["<htmlish", "text"],
      ["words", "text"],
      ["", "text"]
    ]
    for (const [start, kind] of starts) assert.strictEqual(sniff(Buffer.from(start, "latin1")), kind, start)
  })
})

describe("depth", () => {
  it("counts what nests, and nothing else", () => {
    assert.isTrue(nestsTooDeep("<div>".repeat(htmlDepthLimit + 1)))
    assert.isTrue(nestsTooDeep(`<ul><li>`.repeat(htmlDepthLimit + 1)))
    assert.isFalse(nestsTooDeep("<div>".repeat(htmlDepthLimit)))
    assert.isFalse(nestsTooDeep("<div></div>".repeat(5000)))
    assert.isFalse(nestsTooDeep("<p>one<br><img src=x>".repeat(5000)))
    assert.isFalse(nestsTooDeep("<tr><td>x".repeat(5000)))
    assert.isFalse(nestsTooDeep(`<script>${"'<div>'".repeat(5000)}</script><p>x`))
    assert.isFalse(nestsTooDeep("<path/>".repeat(5000)))
    assert.isTrue(nestsTooDeep("<DIV CLASS=x>".repeat(1000)))
  })

  it("is linear on whatever comes", () => {
    for (const text of [
      "<".repeat(1_000_000),
      "<a".repeat(500_000),
      "<script>".repeat(100_000),
      "<a ".repeat(300_000),
      "</script".repeat(100_000)
    ]) {
      const started = performance.now()
      nestsTooDeep(text)
      assert.isBelow(performance.now() - started, 1000, text.slice(0, 10))
    }
  })
})

describe("pages", () => {
  const read = async (html: string, url = "https://site.example/dir/page") => {
    const page = await extractPage({ body: Buffer.from(html), kind: "html", charset: "utf-8", url })
    return page._tag === "text" ? page : { title: null, text: page.reason, links: [] }
  }

  it("a page without an article is read as a whole", async () => {
    const { links, text, title } = await read(
      '<title>List</title><ul><li><a href="../a">A</a><li><a href="//b.example/">B</a></ul>'
    )
    assert.strictEqual(title, "List")
    assert.deepStrictEqual(links, ["https://site.example/a", "https://b.example/"])
    assert.include(text, "[A][1]")
    assert.include(text, "[B][2]")
  })

  it("a fragment, nothing, and a table", async () => {
    assert.strictEqual((await read("just <b>bold</b> text")).text, "just **bold** text")
    assert.strictEqual((await read("")).text, "")
    assert.include(
      (await read("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>")).text,
      "| a | b |\n| 1 | 2 |"
    )
  })

  it("base, odd links and images", async () => {
    const { links, text } = await read(
      '<base href="https://cdn.example/x/"><a href="y">y</a> <a href="mailto:a@b.example">mail</a> <a href="http://[">odd</a> <img alt="a cat" src="cat.png"> <img src="dot.gif">'
    )
    assert.deepStrictEqual(links, ["https://cdn.example/x/y"])
    assert.include(text, "[image: a cat]")
    assert.notMatch(text, /mailto|dot\.gif|cat\.png/)
  })
})

describe("the window", () => {
  it("names only links that it shows, and bounds them", () => {
    const links = Array.from({ length: 500 }, (_, index) => `https://a.example/${index}`)
    const text = links.map((_, index) => `[x][${index + 1}]`).join(" ")
    const window = windowOf(text, links, 0)
    assert.isAtMost(window.references.length, referenceLimit)
    assert.deepStrictEqual(windowOf("[x][2] [y][900] [z][0]", links, 0).references, [[2, "https://a.example/1"]])
  })

  it("the frame is bounded, whatever the page holds", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 30_000 }),
        fc.string({ maxLength: 2000 }),
        fc.nat(40_000),
        (text, title, offset) => {
          const window = windowOf(text, [], offset)
          const frame = frameOf(window, { origin: "https://a.example", mediaType: "text/plain", title, mark: "abcdef" })
          assert.isAtMost(window.text.length, pageCharacters)
          assert.isAtMost(frame.length, pageCharacters + 1000)
        }
      ),
      { numRuns: 50 }
    )
  })
})
