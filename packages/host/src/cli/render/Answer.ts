/** The answer to one question of `gatehouse check` as a person reads it. */
import { isJsonObject, type Json } from "@gatehouse/core/Json"
import type { RenderAnswer } from "../CheckCases.ts"
import { renderFields } from "./Fields.ts"
import { type Mark, renderMarked } from "./Marked.ts"

/**
 * Field by field. Of a command's review a person reads the verdict, its reasons below the words that they are about, and
 * where the programs were found; `--json` holds the rest.
 */
export const renderAnswer = (kind: string): RenderAnswer => (kind === "command" ? renderReview : renderPlain)

const renderPlain: RenderAnswer = (_, answer, style) => renderFields(answer, style)

const renderReview: RenderAnswer = (question, answer, style) => {
  const command = commandOf(question)
  if (command === null || !isJsonObject(answer)) return renderFields(answer, style)
  const { because, class: kind = null, decision = null, resolved = {}, risk = null } = answer
  const marks = Array.isArray(because) ? because.flatMap(markOf) : []
  const fields = renderFields({ decision, risk, class: kind, resolved }, style)
  return marks.length === 0 ? fields : `${renderMarked(command, marks, style, "  ")}\n\n${fields}`
}

const commandOf = (question: unknown): string | null =>
  typeof question === "object" && question !== null && "command" in question && typeof question.command === "string"
    ? question.command
    : null

const markOf = (reason: Json): ReadonlyArray<Mark> => {
  if (!isJsonObject(reason)) return []
  const { end, rule, start } = reason
  return typeof start === "number" && typeof end === "number" && typeof rule === "string"
    ? [{ start, end, note: rule }]
    : []
}
