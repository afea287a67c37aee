import { assert, describe, it } from "@effect/vitest"
import { decodeSettings } from "@gatehouse/host/settings/ReadHostSettings.boundary"
import { standingAnswerText, withoutStandingAnswer, withStandingAnswer } from "@gatehouse/host/settings/StandingText"
import type { StandingAnswer } from "@gatehouse/policy/approvals/standing/StandingAnswer"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "fast-check"

const answer = (words: readonly [string, ...Array<string>], changes: Partial<StandingAnswer> = {}): StandingAnswer => ({
  answer: "allow",
  principal: "local",
  source: "builtin",
  tool: "terminal",
  when: {
    kind: "command",
    commands: [{ words, more: false }],
    covers: [[words]],
    leaves: [[[...words, "more"]]]
  },
  reason: "known",
  until: "2999-12-31",
  ...changes
})
const npmTest = answer(["npm", "test"])
const added = (text: string, one = npmTest) => Either.getOrThrow(withStandingAnswer(text, one))
const answersIn = (text: string) => Effect.map(decodeSettings(text), ({ settings }) => settings.standing_answers)

const written = `# The owner's own words
approval:
  risks: { critical: deny } # never

# Who may be spoken to
network:
  deny_hosts: ["evil.example"]
`

describe("standing answers in the text of the settings", () => {
  const texts: ReadonlyArray<readonly [string, string]> = [
    ["none", ""],
    ["comments only", "# nothing yet\n"],
    ["other settings", written],
    ["an empty list", `${written}standing_answers: []\n`],
    ["a map in brackets", "{ approval: { default: prompt } }\n"],
    ["answers before", added(written, answer(["make"]))]
  ]
  for (const [name, text] of texts) {
    it.effect(`are added behind what is there: ${name}`, () =>
      Effect.gen(function* () {
        const before = yield* decodeSettings(text)
        const after = yield* decodeSettings(added(text))
        assert.deepStrictEqual(after.settings, {
          ...before.settings,
          standing_answers: [...before.settings.standing_answers, npmTest]
        })
      })
    )
  }

  it("keep every comment and the order of the fields", () => {
    const text = added(written)
    const comments = (of: string) => of.match(/#.*/g)
    assert.deepStrictEqual(comments(text), comments(written))
    assert.isTrue(
      text.startsWith("# The owner's own words\napproval:\n  risks: { critical: deny } # never\n\n# Who may be")
    )
    assert.deepStrictEqual(comments(Either.getOrThrow(withoutStandingAnswer(text, 1))), comments(written))
  })

  it("are written for people: lists on one line, defaults and aliases left out", () => {
    assert.strictEqual(
      standingAnswerText(npmTest),
      `principal: local
source: builtin
tool: terminal
when:
  kind: command
  commands: [ { words: [ npm, test ] } ]
  covers: [ [ [ npm, test ] ] ]
  leaves: [ [ [ npm, test, more ] ] ]
reason: known
until: 2999-12-31`
    )
  })

  it.effect("are what was said, whatever the words", () =>
    Effect.gen(function* () {
      const words = fc.string({ unit: "grapheme", maxLength: 12 }).filter((word) => word.isWellFormed())
      for (const [first, ...rest] of fc.sample(fc.tuple(words, words, words), 200)) {
        const one = answer([first, ...rest], { reason: `because of ${first}: x`.trim() })
        const [read] = yield* answersIn(added(written, one))
        assert.deepStrictEqual(read, one)
      }
    })
  )

  it.effect("go by their number, and the others stay", () =>
    Effect.gen(function* () {
      const words = ["a", "b", "c"] as const
      const text = words.reduce((before, word) => added(before, answer([word])), written)
      for (const [index, word] of words.entries()) {
        const left = yield* answersIn(Either.getOrThrow(withoutStandingAnswer(text, index + 1)))
        assert.deepStrictEqual(
          left,
          words.filter((other) => other !== word).map((other) => answer([other]))
        )
      }
      for (const number of [0, 4, -1, 1.5])
        assert.isTrue(Either.isLeft(withoutStandingAnswer(text, number)), `${number}`)
      assert.isTrue(Either.isLeft(withoutStandingAnswer("", 1)))
    })
  )

  it("are left alone where they are written as something else", () => {
    for (const text of ["standing_answers: 5\n", "a: &x []\nstanding_answers: *x\n", "standing_answers: { a: b }\n"]) {
      assert.isTrue(Either.isLeft(withStandingAnswer(text, npmTest)), text)
      assert.isTrue(Either.isLeft(withoutStandingAnswer(text, 1)), text)
    }
  })
})
