/** The command review of a text alone: no folder is looked at and no program looked up. */
import { noLookups } from "@gatehouse/policy/commands/CommandLookups"
import type { CommandVerdict } from "@gatehouse/policy/commands/CommandReview"
import { programKnowledge } from "@gatehouse/policy/commands/ProgramKnowledge"
import { programs } from "@gatehouse/policy/commands/programs/Programs"
import { reviewCommand, textQuestion } from "@gatehouse/policy/commands/ReviewCommand"

const knowledge = programKnowledge(programs)

/** `overlay` names the variables that the call adds. */
export const reviewText = (
  command: string,
  environmentOverlay: ReadonlyArray<string>,
  background: boolean
): CommandVerdict => reviewCommand({ ...textQuestion(command), environmentOverlay, background }, knowledge, noLookups)
