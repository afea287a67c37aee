import { assert, describe, it } from "@effect/vitest"
import { marksIn, renderMarked } from "@gatehouse/host/cli/render/Marked"
import * as fc from "fast-check"

const style = { colours: false, columns: 60 }

describe("a text with marks", () => {
  it("has each mark below its words", () => {
    assert.strictEqual(
      renderMarked("cd app && npm test", [{ start: 10, end: 18, note: "runs code" }], style, "  "),
      "  cd app && npm test\n            ^^^^^^^^ runs code"
    )
  })

  it("is shown line by line, once for all marks of a line, in the order of the text", () => {
    const text = "ls\nrm a; rm b"
    const marks = [
      { start: 9, end: 13, note: "second" },
      { start: 3, end: 7, note: "first" }
    ]
    assert.strictEqual(renderMarked(text, marks, style), "rm a; rm b\n^^^^ first\n      ^^^^ second")
  })

  it("counts wide characters twice, combining ones not at all, and writes out what nobody sees", () => {
    assert.strictEqual(renderMarked("猫 rm", [{ start: 2, end: 4, note: "x" }], style), "猫 rm\n   ^^ x")
    assert.strictEqual(renderMarked("e\u0301 rm", [{ start: 3, end: 5, note: "x" }], style), "e\u0301 rm\n  ^^ x")
    assert.strictEqual(renderMarked("\u200brm", [{ start: 1, end: 3, note: "x" }], style), "\\u{200b}rm\n        ^^ x")
  })

  it("is cut around a mark where it is too wide", () => {
    const text = `${"a".repeat(100)} rm ${"b".repeat(100)}`
    const [line = "", under = ""] = renderMarked(text, [{ start: 101, end: 103, note: "x" }], style).split("\n")
    assert.strictEqual(line.slice(under.indexOf("^"), under.lastIndexOf("^") + 1), "rm")
    assert.isAtMost(line.length, style.columns)
    assert.match(line, /^….*…$/)
  })

  it("marks at least one column, wherever a mark stands, and acts on no terminal", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(40), fc.nat(40), (text, start, length) => {
        const shown = renderMarked(text, [{ start, end: start + length, note: "x" }], style)
        if (start > text.length) return assert.strictEqual(shown, "")
        assert.include(shown, "^ x")
        assert.notMatch(shown, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
      })
    )
  })

  it("takes reasons about its own words only", () => {
    const reasons = [
      { rule: "a", text: "npm", start: 0, end: 3 },
      { rule: "b", text: "npm", start: 4, end: 7 },
      { rule: "c" }
    ]
    const { marks, others } = marksIn("npm test", reasons)
    assert.deepStrictEqual(marks, [{ start: 0, end: 3, note: "a" }])
    assert.deepStrictEqual(
      others.map(({ rule }) => rule),
      ["b", "c"]
    )
  })
})
