import { assert, describe, it } from "@effect/vitest"
import { noLookups } from "@gatehouse/policy/commands/CommandLookups"
import { programKnowledge } from "@gatehouse/policy/commands/ProgramKnowledge"
import { programs } from "@gatehouse/policy/commands/programs/Programs"
import { reviewCommand, textQuestion } from "@gatehouse/policy/commands/ReviewCommand"
import { kinds, loadCases } from "../../../../test/vectors/run.mjs"

const knowledge = programKnowledge(programs)

describe("the vectors of command-review.json", () => {
  for (const test of loadCases("command-review")) {
    it(`${test.id} (${test.kind})`, () => {
      const verdict = reviewCommand(
        {
          ...textQuestion(test.input.command),
          cwdInWorkspace: test.input.cwd_in_workspace ?? true,
          environmentOverlay: test.input.env_overlay_keys ?? [],
          background: test.input.background ?? false
        },
        knowledge,
        noLookups
      )
      assert.deepStrictEqual(kinds["command-review"].compare(test, verdict), [], JSON.stringify(verdict.because))
    })
  }
})
