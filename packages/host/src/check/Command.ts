/** `gatehouse check command`: may this command run unasked? */
import { liveLookups } from "@gatehouse/policy/commands/CommandLookups.boundary"
import { programKnowledge } from "@gatehouse/policy/commands/ProgramKnowledge"
import { programs } from "@gatehouse/policy/commands/programs/Programs"
import { reviewCommand } from "@gatehouse/policy/commands/ReviewCommand"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { decodeCase } from "./CaseInput.ts"
import type { CheckKind } from "./CheckKind.ts"

const AbsolutePath = Schema.String.pipe(Schema.pattern(/^\//))
const absent = { default: () => null }

/**
 * The form of `test/vectors/command-review.json`. With `workspace` (and `cwd`, by default the same) links and the
 * settings of repositories are looked at, with `search_path` programs are looked up; without them the text alone is judged.
 */
const CommandCase = Schema.Struct({
  command: Schema.String,
  cwd_in_workspace: Schema.optionalWith(Schema.Boolean, { default: () => true }),
  env_overlay_keys: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  background: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  workspace: Schema.optionalWith(Schema.NullOr(AbsolutePath), absent),
  cwd: Schema.optionalWith(Schema.NullOr(AbsolutePath), absent),
  search_path: Schema.optionalWith(Schema.NullOr(Schema.String), absent)
})

const knowledge = programKnowledge(programs)

export const commandCheck: CheckKind = {
  name: "command",
  summary: "may this command run unasked?",
  decide: (input) =>
    Effect.gen(function* () {
      const question = yield* decodeCase(CommandCase, input)
      const before = yield* Clock.currentTimeNanos
      const verdict = reviewCommand(
        {
          command: question.command,
          cwd: question.cwd ?? question.workspace,
          workspace: question.workspace,
          cwdInWorkspace: question.cwd_in_workspace,
          environmentOverlay: question.env_overlay_keys,
          background: question.background,
          searchPath: question.search_path
        },
        knowledge,
        liveLookups
      )
      const after = yield* Clock.currentTimeNanos
      return {
        decision: verdict.decision,
        risk: verdict.risk,
        class: verdict.class,
        because: verdict.because.map(({ text, start, end, rule }) => ({ text, start, end, rule })),
        parts: verdict.parts,
        resolved: verdict.resolved,
        micros: Number((after - before) / 1000n)
      }
    })
}
