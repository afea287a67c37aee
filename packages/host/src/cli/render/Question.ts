/** An approval question in words. */
import { isJsonObject, type Json } from "@gatehouse/core/Json"
import type { ApprovalPrompt } from "@gatehouse/policy/approvals/ApprovalPrompter"
import { renderFields } from "./Fields.ts"
import { marksIn, renderMarked } from "./Marked.ts"

/** What is asked: the effect, its target, its risk, and the preview with a diff where it has one. */
export const renderQuestion = (prompt: ApprovalPrompt, style: { readonly colours: boolean }): string => {
  const title = `${prompt.tool} wants to ${prompt.action} ${prompt.target}`
  const heading = style.colours ? `\u001b[1m${title}\u001b[0m` : title
  const diff = isJsonObject(prompt.preview) ? prompt.preview["diff"] : undefined
  const lines = Array.isArray(diff) ? diff.map(String) : null
  const rest = lines === null ? prompt.preview : withoutDiff(prompt.preview)
  return [
    `\n${heading}`,
    `  risk ${prompt.risk}, from ${prompt.provenance}`,
    renderFields(rest, style, "  "),
    ...(lines === null ? [] : [renderDiff(lines, style.colours)])
  ]
    .filter((part) => part.trim() !== "")
    .join("\n")
}

/**
 * "Why am I asked?": the setting that made it a question, and what the checks found, below the words of the target that
 * it is about.
 */
export const renderReasons = (
  prompt: Pick<ApprovalPrompt, "because" | "decidedBy" | "target">,
  style: { readonly colours: boolean; readonly columns: number }
): string => {
  const { marks, others } = marksIn(prompt.target, prompt.because)
  return [
    `  asked because of ${prompt.decidedBy}`,
    ...(marks.length === 0 ? [] : [renderMarked(prompt.target, marks, style, "    ")]),
    ...others.map(({ rule, text }) => (text === undefined ? `  - ${rule}` : `  - ${JSON.stringify(text)}: ${rule}`))
  ].join("\n")
}

const withoutDiff = (preview: Json): Json =>
  isJsonObject(preview) ? Object.fromEntries(Object.entries(preview).filter(([name]) => name !== "diff")) : preview

/** The lines of a unified diff, its added and removed lines coloured where colours are seen. */
const renderDiff = (lines: ReadonlyArray<string>, colours: boolean): string =>
  lines
    .map((line) => {
      if (!colours || line.startsWith("+++") || line.startsWith("---")) return `  ${line}`
      if (line.startsWith("+")) return `  \u001b[32m${line}\u001b[0m`
      return line.startsWith("-") ? `  \u001b[31m${line}\u001b[0m` : `  ${line}`
    })
    .join("\n")
