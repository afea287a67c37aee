import { assert, describe, it } from "@effect/vitest"
import type { ApprovalSubject } from "@gatehouse/core/EffectPlan"
import { CoreRevision } from "@gatehouse/core/Identifiers"
import type { ApprovalQuestion } from "@gatehouse/policy/approvals/Approvals"
import { definitionFingerprint } from "@gatehouse/policy/approvals/standing/DefinitionFingerprint"
import { lastMoment, StandingAnswer } from "@gatehouse/policy/approvals/standing/StandingAnswer"
import { compileStandingAnswers } from "@gatehouse/policy/approvals/standing/StandingAnswers"
import { suggestStanding } from "@gatehouse/policy/approvals/standing/StandingSuggestion"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { testTurn } from "../TestTurn.ts"
import { testEntry, testPlan, testQuestion } from "./TestQuestion.ts"

const turn = testTurn()
const common = { principal: "p1", source: "builtin", reason: "known to be harmless", until: "2026-12-31" }
const npmTest = {
  ...common,
  tool: "terminal",
  when: {
    kind: "command",
    commands: [{ words: ["npm", "test"] }, { words: ["git", "log"], more: true }],
    covers: [
      [["npm", "test"]],
      [
        ["npm", "test"],
        ["git", "log", "-1"]
      ]
    ],
    leaves: [
      [["npm", "test", "--watch"]],
      [
        ["npm", "test"],
        ["rm", "a.txt"]
      ]
    ]
  }
}
const docs = {
  ...common,
  tool: "write_file",
  when: { kind: "path", pattern: "docs/**", covers: ["docs/a.md", "docs/x/y.md"], leaves: ["src/a.ts", "docs.md"] }
}
const searchEntry = testEntry({ name: "docs__search", source: "mcp", provenance: "agent/mcp/docs.yaml tool search" })
const search = {
  ...common,
  source: "mcp",
  tool: "search",
  definition: definitionFingerprint(searchEntry),
  when: {
    kind: "mcp",
    server: "docs",
    arguments: {
      type: "object",
      properties: { query: { type: "string", maxLength: 20 } },
      additionalProperties: false
    },
    covers: [{ query: "a" }],
    leaves: [{ query: "a", all: true }, { query: 5 }]
  }
}
const decode = Schema.decodeUnknownEither(Schema.Array(StandingAnswer), { onExcessProperty: "error" })
const load = (...answers: ReadonlyArray<unknown>) => Either.flatMap(decode(answers), compileStandingAnswers)
const compiled = (...answers: ReadonlyArray<unknown>) => Either.getOrThrow(load(...answers))
const refusal = (...answers: ReadonlyArray<unknown>) => {
  const loaded = load(...answers)
  return Either.isLeft(loaded) ? String(loaded.left.message) : assert.fail("was taken")
}
const command = (...parts: ReadonlyArray<ReadonlyArray<string>>): ApprovalSubject => ({
  kind: "command",
  parts,
  blocked: false,
  literal: true
})
const terminal = (subject: ApprovalSubject, changes: Partial<ApprovalQuestion> = {}) =>
  testQuestion({
    turn,
    entry: testEntry({ name: "terminal", capability: "terminal.exec" }),
    plan: testPlan({ subject, action: "run" }),
    ...changes
  })
const file = (path: string, changes: Partial<Extract<ApprovalSubject, { kind: "path" }>> = {}) =>
  testQuestion({
    turn,
    plan: testPlan({ subject: { kind: "path", path, insideWorkspace: true, sensitive: false, ...changes } })
  })
const searching = (args: Record<string, string>, changes: Parameters<typeof testEntry>[0] = {}) =>
  testQuestion({
    turn,
    entry: { ...searchEntry, ...changes },
    plan: testPlan({ subject: { kind: "mcp", server: "docs", tool: "search", arguments: args } })
  })
const now = Date.parse("2026-06-01T00:00:00Z")

describe("standing answers", () => {
  it("answer in the owner's name, with their number and reason", () => {
    assert.deepStrictEqual(compiled(docs, npmTest)(terminal(command(["npm", "test"])), now), {
      number: 2,
      answer: "allow",
      reason: "known to be harmless"
    })
  })

  it("cover a command only if every part of it is, word by word", () => {
    const answers = compiled(npmTest)
    const word = fc.constantFrom("npm", "test", "git", "log", "rm", "", "npm test", "-rf")
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 4 }), { maxLength: 4 }), (parts) => {
        const isCovered = (part: ReadonlyArray<string>) =>
          (part.length === 2 && part[0] === "npm" && part[1] === "test") || (part[0] === "git" && part[1] === "log")
        const expected = parts.length > 0 && parts.every(isCovered)
        assert.strictEqual(answers(terminal(command(...parts)), now) !== null, expected)
      })
    )
    assert.isNull(
      answers(terminal({ kind: "command", parts: [["npm", "test"]], blocked: false }), now),
      "an overlay is seen in no word"
    )
  })

  it("never answer what is denied, blocked, secret, not to be kept, an evolution, or over", () => {
    const subject = command(["npm", "test"])
    const answers = compiled(npmTest, { ...npmTest, tool: "evolve_core" })
    const plan = testPlan({ subject, action: "run" })
    assert.isNull(answers(terminal(subject, { policy: "deny" }), now))
    assert.isNull(answers(terminal(subject, { plan: { ...plan, policy: "deny" } }), now))
    assert.isNull(answers(terminal({ ...subject, kind: "command", parts: [["npm", "test"]], blocked: true }), now))
    assert.isNull(
      answers(
        terminal(subject, { plan: { ...plan, secrets: [{ source: "env:A", target: "A", expiresInSeconds: 1 }] } }),
        now
      )
    )
    assert.isNull(answers(terminal(subject, { plan: { ...plan, sessionCacheable: false } }), now))
    assert.isNull(answers(terminal(subject, { entry: testEntry({ name: "evolve_core" }) }), now))
    assert.isNull(answers(terminal(subject), Date.parse("2027-01-01T00:00:00Z")))
    assert.isNotNull(answers(terminal(subject), Date.parse("2026-12-31T23:59:59Z")))
    assert.isNull(compiled({ ...npmTest, principal: "p2" })(terminal(subject), now))
  })

  it("cover files by a pattern, and what is delicate by its whole name only", () => {
    const answers = compiled(docs)
    assert.isNotNull(answers(file("/ws/docs/a.md"), now))
    assert.isNotNull(answers(file("/ws/docs/.hidden/a.md"), now))
    assert.isNull(answers(file("/ws/src/docs/a.md"), now))
    assert.isNull(answers(file("/other/docs/a.md", { insideWorkspace: false }), now))
    assert.isNull(answers(file("/ws/docs/.env", { sensitive: true }), now))
    const exact = {
      ...docs,
      when: { kind: "path", pattern: "docs/.env", covers: ["docs/.env"], leaves: ["docs/.env2"] }
    }
    assert.isNotNull(compiled(exact)(file("/ws/docs/.env", { sensitive: true }), now))
  })

  it("cover a server's tool by the server's own names and the arguments, for one definition", () => {
    const answers = compiled(search)
    assert.isNotNull(answers(searching({ query: "x" }), now))
    assert.isNull(answers(searching({ query: "x", all: "y" }), now))
    assert.isNotNull(
      answers(searching({ query: "x" }, { name: "docs__search-1a2b", coreRevision: CoreRevision("r2") }), now)
    )
    assert.isNull(answers(searching({ query: "x" }, { description: "Now also deletes" }), now))
    assert.match(refusal({ ...search, definition: undefined }), /definition: is missing/)
  })

  it("may deny, which any part is enough for and which goes first", () => {
    const never = {
      ...npmTest,
      answer: "deny",
      when: {
        kind: "command",
        commands: [{ words: ["git", "push"], more: true }],
        covers: [[["git", "push", "-f"]]],
        leaves: [[["git", "pull"]]]
      }
    }
    const answers = compiled(npmTest, never)
    assert.strictEqual(answers(terminal(command(["npm", "test"], ["git", "push"])), now)?.answer, "deny")
    assert.strictEqual(answers(terminal(command(["npm", "test"])), now)?.answer, "allow")
  })

  it("are refused where their own examples come out otherwise, or their words mean nothing", () => {
    assert.match(
      refusal({ ...docs, when: { ...docs.when, covers: ["src/a.ts"] } }),
      /standing_answers\.0\.when\.covers\.0: is not covered/
    )
    assert.match(
      refusal(npmTest, { ...docs, when: { ...docs.when, leaves: ["docs/x.md"] } }),
      /standing_answers\.1\.when\.leaves\.0: is covered/
    )
    for (const pattern of ["docs/{a,b}", "!docs", "docs/../src/*", "docs/+(a)", "docs/[a-z]"]) {
      assert.match(refusal({ ...docs, when: { ...docs.when, pattern } }), /when\.pattern/)
    }
    assert.match(refusal({ ...search, when: { ...search.when, arguments: { typ: "object" } } }), /when\.arguments/)
    for (const wrong of [
      { until: "2026-02-30" },
      { until: "tomorrow" },
      { reason: " " },
      { answer: "maybe" },
      { extra: 1 }
    ]) {
      assert.isTrue(Either.isLeft(decode([{ ...docs, ...wrong }])), JSON.stringify(wrong))
    }
    for (const when of [
      { ...docs.when, covers: [] },
      { ...docs.when, leaves: [] }
    ]) {
      assert.isTrue(Either.isLeft(decode([{ ...docs, when }])))
    }
  })

  it("end with their day", () => {
    assert.strictEqual(lastMoment("2026-12-31"), Date.parse("2027-01-01T00:00:00Z"))
    for (const day of ["2026-13-01", "2026-02-30", "2026-1-1", "", "2026-12-31T00:00:00Z"])
      assert.isNull(lastMoment(day))
  })
})

describe("the suggestion for always", () => {
  const isPlain = () => true
  const finish = (question: ApprovalQuestion) => {
    const suggestion = suggestStanding(question, isPlain)
    return suggestion === null ? null : { ...suggestion.answer, reason: "asked often", until: "2026-12-31" }
  }

  it("covers the call that it was made for, and loads", () => {
    const questions = [
      file("/ws/docs/a.md"),
      terminal(command(["npm", "test"], ["git", "push", "--force", "a b"])),
      searching({ query: "x" }),
      testQuestion({
        turn,
        plan: testPlan({ action: "fetch", target: "https://docs.example.org", subject: { kind: "other" } })
      })
    ]
    for (const question of questions) assert.isNotNull(compiled(finish(question))(question, now))
  })

  it("covers nothing wider", () => {
    const made = finish(terminal(command(["git", "push"])))
    assert.isNull(compiled(made)(terminal(command(["git", "push", "--force"])), now))
    assert.isNull(compiled(finish(file("/ws/a.txt")))(file("/ws/b.txt"), now))
    assert.isNull(compiled(finish(searching({ query: "x" })))(searching({ query: "y" }), now))
  })

  it("is not made for what may not be answered, is delicate, or would write a secret down", () => {
    assert.isNull(suggestStanding(file("/ws/.env", { sensitive: true }), isPlain))
    assert.isNull(suggestStanding(file("/etc/hosts", { insideWorkspace: false }), isPlain))
    assert.isNull(suggestStanding(file("/ws/a*.txt"), isPlain))
    assert.isNull(suggestStanding(terminal({ kind: "command", parts: [["a"]], blocked: false }), isPlain))
    assert.isNull(suggestStanding(terminal(command(["npm", "test"]), { policy: "deny" }), isPlain))
    assert.isNull(suggestStanding(terminal(command(["curl", "-H", "token"])), (text) => !text.includes("token")))
  })
})
