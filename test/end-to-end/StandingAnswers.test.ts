/** Answers of the owner, kept in the home's settings, through the whole host. */

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ApprovalRecords } from "@gatehouse/control-plane/approvals/ApprovalRecords"
import { EventLog } from "@gatehouse/control-plane/events/EventLog"
import { hostSession, Principals } from "@gatehouse/control-plane/principals/Principals"
import { executeCall } from "@gatehouse/host/runtime/ExecuteCall"
import { decodeSettings } from "@gatehouse/host/settings/ReadHostSettings.boundary"
import * as Effect from "effect/Effect"
import { withHost } from "../support/TestHost.ts"

const touchNotes = `
standing_answers:
  - principal: local
    source: builtin
    tool: terminal
    when:
      kind: command
      commands: [{ words: [touch, notes.txt] }]
      covers: [[[touch, notes.txt]]]
      leaves: [[[touch, other.txt]]]
    reason: notes are for anybody
    until: 2999-12-31
`
const writeDocs = `
standing_answers:
  - principal: local
    source: builtin
    tool: write_file
    when: { kind: path, pattern: "docs/**", covers: [docs/a.md], leaves: [src/a.ts] }
    reason: documentation is reviewed later
    until: 2999-12-31
`
const approvalRule = (result: { readonly stages: ReadonlyArray<{ readonly stage: string; readonly rule: string }> }) =>
  result.stages.find(({ stage }) => stage === "approval")?.rule

describe("standing answers of the home's settings", () => {
  it.live("answer in the owner's name where nobody can be asked, and are recorded so", () =>
    withHost({ settings: touchNotes, answers: null }, ({ turn }) =>
      Effect.gen(function* () {
        const covered = yield* executeCall(turn, "terminal", { command: "touch notes.txt" })
        assert.strictEqual(covered.status, "succeeded")
        assert.strictEqual(approvalRule(covered), "standing: decided by standing answer 1: notes are for anybody")
        for (const args of [
          { command: "touch other.txt" },
          { command: "touch notes.txt && touch other.txt" },
          { command: "touch notes.txt", env: { A: "1" } },
          { command: "touch notes.txt", stdin: "input" }
        ]) {
          const result = yield* executeCall(turn, "terminal", args)
          assert.strictEqual(result.status, "denied", JSON.stringify(args))
        }
        const records = yield* ApprovalRecords
        const principals = yield* Principals
        const [record] = yield* records.list(principals.local, "all")
        assert.strictEqual(record?.resolution?.by, "standing answer 1")
      })
    )
  )

  it.live("cover a command in another folder only with the way there", () =>
    withHost({ settings: touchNotes, answers: null, workspace: { "sub/a.txt": "" } }, ({ turn }) =>
      Effect.map(executeCall(turn, "terminal", { command: "touch notes.txt", cwd: "sub" }), ({ status }) =>
        assert.strictEqual(status, "denied")
      )
    )
  )

  it.live("count from the next question on when the settings change, and not at all when they became wrong", () =>
    withHost({ answers: [] }, ({ place, turn }) =>
      Effect.gen(function* () {
        const write = () => executeCall(turn, "write_file", { path: "docs/a.md", content: "text" })
        const settle = (text: string) => writeFileSync(join(place.home, "settings.yaml"), text)
        assert.strictEqual((yield* write()).status, "denied")
        settle(writeDocs)
        assert.strictEqual((yield* write()).status, "succeeded")
        settle(writeDocs.replace("covers: [docs/a.md]", "covers: [src/b.ts]"))
        assert.strictEqual((yield* write()).status, "denied")
        settle(writeDocs)
        assert.strictEqual((yield* write()).status, "succeeded")
        settle("")
        assert.strictEqual((yield* write()).status, "denied")
        const events = yield* EventLog
        const principals = yield* Principals
        const all = yield* events.read(yield* principals.operator("test"), { session: hostSession })
        const told = all.filter(({ type }) => type === "settings.refused")
        assert.strictEqual(told.length, 1)
        assert.match(String(told[0]?.data), /settings\.yaml:6 standing_answers\.0\.when\.covers\.0/)
      })
    )
  )

  it.live("do not answer for another principal, nor for what is denied", () =>
    withHost(
      {
        settings: `approval: { tools: { write_file: deny } }\n${writeDocs}`.replace("local", "somebody"),
        answers: null
      },
      ({ turn }) =>
        Effect.map(executeCall(turn, "write_file", { path: "docs/a.md", content: "" }), (result) => {
          assert.strictEqual(result.status, "denied")
          assert.match(String(approvalRule(result)), /approval\.tools\.write_file/)
        })
    )
  )
})

describe("settings whose standing answers do not hold", () => {
  const wrong: ReadonlyArray<readonly [string, string, RegExp]> = [
    [
      "an example that is not covered",
      writeDocs.replace("[docs/a.md]", "[docs/a.md, src/b.ts]"),
      /settings\.yaml:6 standing_answers\.0\.when\.covers\.1: is not covered/
    ],
    [
      "an example that is covered",
      writeDocs.replace("[src/a.ts]", "[docs/b]"),
      /settings\.yaml:6 standing_answers\.0\.when\.leaves\.0: is covered/
    ],
    [
      "a pattern of another language",
      writeDocs.replace("docs/**", "docs/{a,b}"),
      /settings\.yaml:6 standing_answers\.0\.when\.pattern: takes/
    ],
    [
      "a day that is none",
      writeDocs.replace("2999-12-31", "2026-02-30"),
      /settings\.yaml:8 standing_answers\.0\.until: must be a day of the calendar as YYYY-MM-DD/
    ],
    [
      "a tool of a core without its definition",
      writeDocs.replace("source: builtin", "source: authored"),
      /settings\.yaml:3 standing_answers\.0\.definition: is missing/
    ],
    [
      "a misspelt field",
      writeDocs.replace("reason:", "reson:"),
      /standing_answers\.0\.reson: is no field here\. Did you mean `reason`/
    ],
    [
      "a reason that says nothing",
      writeDocs.replace("documentation is reviewed later", '" "'),
      /settings\.yaml:7 standing_answers\.0\.reason: must be/
    ],
    [
      "a condition of another kind",
      writeDocs.replace("kind: path", "kind: paths"),
      /settings\.yaml:6 standing_answers\.0\.when/
    ]
  ]
  for (const [name, text, message] of wrong) {
    it.live(`are refused with their line: ${name}`, () =>
      Effect.map(Effect.flip(decodeSettings(text)), (refused) => {
        assert.match(refused.message, message, refused.message)
        assert.isAbove(refused.faults.length, 0)
      })
    )
  }
})
