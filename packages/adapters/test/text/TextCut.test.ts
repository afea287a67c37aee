import { assert, describe, it } from "@effect/vitest"
import { cutText } from "@gatehouse/adapters/text/TextCut"
import * as FastCheck from "fast-check"

describe("cutting text", () => {
  const table: ReadonlyArray<[name: string, text: string, limit: number, expected: string]> = [
    ["what fits stays", "abc", 3, "abc"],
    ["between lines", "one\ntwo three", 8, "one\n"],
    ["between words", "one two three", 10, "one two "],
    ["at the limit where there is nothing else", "abcdef", 4, "abcd"],
    ["never within a character", "abc\u{1f600}d", 4, "abc"],
    ["before a key block", "x\n-----BEGIN PRIVATE KEY-----\nabc\ndef\n-----END PRIVATE KEY-----\n", 40, "x\n"]
  ]
  it.each(table)("%s", (_, text, limit, expected) => assert.strictEqual(cutText(text, limit), expected))

  it("gives a beginning of the text within the limit, and never nothing", () => {
    const piece = FastCheck.constantFrom("a", " ", "\n", "\u{1f600}", "-----BEGIN X-----", "-----END X-----")
    const text = FastCheck.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""))
    FastCheck.assert(
      FastCheck.property(text, FastCheck.integer({ min: 2, max: 100 }), (whole, limit) => {
        const cut = cutText(whole, limit)
        assert.isTrue(whole.startsWith(cut))
        assert.isAtMost(cut.length, limit)
        if (whole !== "") assert.isAbove(cut.length, 0)
      })
    )
  })
})
