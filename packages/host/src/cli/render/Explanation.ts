/** How a call would fare, as a person reads it: `gatehouse check call`. */
import { isJsonObject, type Json, type JsonObject } from "@gatehouse/core/Json"
import type { RenderAnswer } from "../CheckCases.ts"
import { renderFields } from "./Fields.ts"
import { marksIn, renderMarked } from "./Marked.ts"
import { table } from "./Table.ts"

/** What the standing answers make of a call, and nothing else of the explanation. */
export const renderStandingLooks = (answer: Json, style: Style): string =>
  isJsonObject(answer)
    ? `${heading(answer, style)}\n\n${standingOf(answer, style) || "  no standing answer was looked at"}`
    : renderFields(answer, style)

interface Style {
  readonly colours: boolean
  readonly columns: number
}

/** The stages, who had a say, what would be asked, and what the standing answers make of it. */
export const renderExplanation: RenderAnswer = (_, answer, style) => {
  if (!isJsonObject(answer)) return renderFields(answer, style)
  const parts = [
    heading(answer, style),
    stagesOf(answer, style),
    voicesOf(answer, style),
    questionOf(answer, style),
    standingOf(answer, style),
    diagnosticsOf(answer)
  ]
  return parts.filter((part) => part !== "").join("\n\n")
}

const heading = (answer: JsonObject, { colours }: Style): string => {
  const { policy, principal, risk, tool } = answer
  const title = `${String(tool)} ${outcome(answer)}`
  const facts = `as ${String(principal)}${risk === null ? "" : `, risk ${String(risk)}, policy ${String(policy)}`}; nothing was done`
  return `${colours ? `\u001b[1m${title}\u001b[0m` : title}\n  ${facts}`
}

const outcome = ({ decision, standing_answer = null, status }: JsonObject): string => {
  switch (decision) {
    case "run":
      return standing_answer === null
        ? "would run unasked"
        : `would run: standing answer ${String(standing_answer)} allows it`
    case "ask":
      return "would ask a person"
    default:
      return `would end as ${String(status)}`
  }
}

const signs: Record<string, string> = { passed: "✓", refused: "✗", failed: "✗", skipped: "·", asks: "?" }

const stagesOf = (answer: JsonObject, style: Style): string => {
  const grant = isJsonObject(answer["entry"]) ? (answer["entry"]["granted_at"] ?? null) : null
  const lines = objects(answer["stages"]).map(({ rule, stage, verdict }) => {
    const place = stage === "capability" && verdict === "passed" && grant !== null ? ` (${String(grant)})` : ""
    const line = `  ${signs[String(verdict)] ?? " "} ${String(stage).padEnd(10)}  ${String(rule)}${place}`
    return style.colours && verdict === "skipped" ? `\u001b[2m${line}\u001b[0m` : line
  })
  const error = answer["error"] ?? null
  const remedy = isJsonObject(error) && error["remedy"] !== "" ? [`    ${String(error["remedy"])}`] : []
  return [...lines, ...remedy].join("\n")
}

/** Settings first, then what was found for this call. */
const voicesOf = (answer: JsonObject, style: Style): string => {
  const own = isJsonObject(answer["entry"]) ? objects(answer["entry"]["voices"]) : []
  const voices = [...own, ...objects(answer["voices"])]
  if (voices.length === 0) return ""
  const decidedBy = answer["decided_by"]
  const rows = voices.map(({ by, origin, policy }) => [
    `  ${String(policy)}`,
    String(by),
    `${String(origin)}${origin === decidedBy && policy === answer["policy"] ? "  <- decided" : ""}`
  ])
  return `Who had a say\n${table(["  POLICY", "BY", "SETTING OR RULE"], rows, style)}`
}

const questionOf = (answer: JsonObject, style: Style): string => {
  const question = answer["question"] ?? null
  if (!isJsonObject(question) || answer["decision"] === "refuse") return ""
  const { action, always, preview = null, target } = question
  const reasons = objects(question["because"])
  const asks = answer["decision"] === "ask"
  return [
    asks ? "What would be asked" : "What it would do",
    `  ${String(action)} ${String(target)}`,
    ...(asks ? [renderFields(preview, style, "    ")] : []),
    ...renderBecause(reasons, String(target), style),
    ...(asks ? [`  ${keeping(answer["session_cacheable"] === true, always ?? null)}`] : [])
  ].join("\n")
}

/** Reasons about the target stand below its words; others are told one a line. */
const renderBecause = (reasons: ReadonlyArray<JsonObject>, target: string, style: Style): ReadonlyArray<string> => {
  const { marks, others } = marksIn(target, reasons.map(placedReason))
  return [
    ...(marks.length === 0 ? [] : [renderMarked(target, marks, style, "    ")]),
    ...others.map(({ rule }) => `    ${rule}`)
  ]
}

const placedReason = ({ end, rule, start, text }: JsonObject) => ({
  rule: String(rule),
  ...(typeof start === "number" && typeof end === "number" && typeof text === "string" ? { start, end, text } : {})
})

const keeping = (sessionCacheable: boolean, always: Json): string =>
  sessionCacheable
    ? `a yes may be kept for the session${always === null ? "" : `; or for good: ${String(always)}`}`
    : "a yes is for once only"

const standingOf = (answer: JsonObject, style: Style): string => {
  const looks = objects(answer["standing"])
  if (looks.length === 0) return ""
  const rows = looks.map(({ answer: said, number, reason, why_not }) => [
    `  ${String(number)}`,
    String(said),
    why_not === null ? "answers" : `does not answer: ${String(why_not)}`,
    String(reason)
  ])
  return `Standing answers\n${table(["  N", "SAYS", "FOR THIS CALL", "REASON"], rows, style)}`
}

const diagnosticsOf = (answer: JsonObject): string =>
  objects(answer["diagnostics"])
    .map(({ message, remedy, severity, subject }) => {
      const mending = remedy === "" ? "" : `\n  ${String(remedy)}`
      return `${String(severity)}: ${String(subject)}: ${String(message)}${mending}`
    })
    .join("\n")

const objects = (value: Json | undefined): ReadonlyArray<JsonObject> =>
  Array.isArray(value) ? value.filter((item): item is JsonObject => isJsonObject(item)) : []
