import { assert, describe, it } from "@effect/vitest"
import { tokenShapes } from "@gatehouse/policy/redaction/text/TokenShapes"
import { fakeSecret, shownText } from "./cases.ts"

describe("token shapes", () => {
  it("are told apart by their kinds", () => {
    assert.strictEqual(new Set(tokenShapes.map(({ kind }) => kind)).size, tokenShapes.length)
  })

  for (const shape of tokenShapes) {
    it(`${shape.kind}: names its source and both kinds of examples, and judges them`, () => {
      assert.match(shape.source, /^https:\/\//)
      assert.isAbove(shape.matches.length, 0, "a rule without true positives")
      assert.isAbove(shape.spares.length, 0, "a rule without false positives")
      assert.strictEqual(shape.prefixes.length === 0, shape.inner !== undefined, "a prefix, or a piece inside")
      for (const token of shape.matches) {
        assert.notInclude(shownText(`keep-1 found ${token} in config, keep-2`), token)
        assert.include(shownText(`keep-1 found ${token} in config, keep-2`), "keep-2")
      }
      for (const text of shape.spares) assert.include(shownText(`keep-1 found ${text} in config`), text)
    })

    it(`${shape.kind}: is found between delimiters, behind escapes and colours, in names and in JSON`, () => {
      const [token = ""] = shape.matches
      for (const [before, after] of delimiters) {
        assert.notInclude(shownText(`keep${before}${token}${after}keep`), token, JSON.stringify([before, after]))
      }
      assert.notInclude(shownText(JSON.stringify({ note: `line\n${token}` })), token)
    })
  }

  it("a token that is known from one place is masked in its encodings too", () => {
    const token = tokenShapes[0]?.matches[0] ?? ""
    const encoded = Buffer.from(`user:${token}`).toString("base64")
    const text = shownText(
      `first ${token} then ${encoded} and ${Buffer.from(token).toString("hex")} keep-${fakeSecret(1).length}`
    )
    assert.notInclude(text, encoded.slice(8, -4))
    assert.notInclude(text, Buffer.from(token).toString("hex"))
  })
})

const delimiters: ReadonlyArray<readonly [string, string]> = [
  [" ", " "],
  ["[", "]"],
  ["`", "`"],
  ["<", ">"],
  ['"', '"'],
  ["'", "'"],
  ["(", ")"],
  ["=", "\n"],
  [":", ","],
  ["|", "|"],
  ["\n", "\n"],
  ["\t", "\t"],
  ["\u001b[32m", "\u001b[0m"],
  ["\\n", "\\n"],
  ["%20", "&"],
  ["/", "?"]
]
