/** Standing answers as a table. */
import {
  lastMoment,
  type StandingAnswer,
  type StandingCondition
} from "@gatehouse/policy/approvals/standing/StandingAnswer"
import { table } from "./Table.ts"

/** One row an answer, with its number; one that is over says so. `now` in milliseconds since the epoch. */
export const renderStandingAnswers = (
  answers: ReadonlyArray<StandingAnswer>,
  now: number,
  style: { readonly colours: boolean }
): string =>
  table(
    ["N", "SAYS", "PRINCIPAL", "TOOL", "FOR", "UNTIL", "REASON"],
    answers.map((answer, index) => [
      String(index + 1),
      answer.answer,
      answer.principal,
      answer.tool,
      coverage(answer.when),
      now >= (lastMoment(answer.until) ?? 0) ? `${answer.until} (over)` : answer.until,
      answer.reason
    ]),
    style
  )

/** What a condition covers, in a line. */
const coverage = (condition: StandingCondition): string => {
  switch (condition.kind) {
    case "path":
      return condition.pattern
    case "command":
      return condition.commands.map(({ more, words }) => `${words.join(" ")}${more ? " …" : ""}`).join(", ")
    case "mcp":
      return `${condition.server} ${JSON.stringify(condition.arguments)}`
    case "target":
      return `${condition.action} ${condition.target}`
  }
}
