/** What the tests of the command review share: the knowledge, the text-only review, the lines that are known. */

import { risks } from "@gatehouse/core/Risk"
import { noLookups } from "@gatehouse/policy/commands/CommandLookups"
import type { CommandVerdict } from "@gatehouse/policy/commands/CommandReview"
import { programKnowledge } from "@gatehouse/policy/commands/ProgramKnowledge"
import { programs } from "@gatehouse/policy/commands/programs/Programs"
import { reviewCommand, textQuestion } from "@gatehouse/policy/commands/ReviewCommand"
import { loadCases } from "../../../../test/vectors/run.mjs"

export const knowledge = programKnowledge(programs)

export const review = (command: string): CommandVerdict => reviewCommand(textQuestion(command), knowledge, noLookups)

export const isSofter = (left: CommandVerdict, right: CommandVerdict): boolean =>
  risks.indexOf(left.risk) < risks.indexOf(right.risk)

/** The commands of the vectors that are judged by their text alone, short enough to be varied. */
export const vectorLines: ReadonlyArray<string> = loadCases("command-review")
  .filter(({ input }: Case) => input.cwd_in_workspace !== false && input.env_overlay_keys === undefined)
  .map(({ input }: Case) => input.command)
  .filter((command: string) => command.trim() !== "" && command.length < 500)

export const exampleLines: ReadonlyArray<string> = programs.flatMap(({ examples }) => [
  ...examples.allowed,
  ...examples.refused
])

interface Case {
  readonly input: {
    readonly command: string
    readonly cwd_in_workspace?: boolean
    readonly env_overlay_keys?: ReadonlyArray<string>
  }
}
