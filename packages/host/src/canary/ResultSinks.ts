/** What results, questions and catalogs show to their readers: every view, every word beside the views, every face. */
import type { Catalog } from "@gatehouse/catalog/Catalog"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import { viewNames } from "@gatehouse/core/View"
import type { ApprovalPrompt } from "@gatehouse/policy/approvals/ApprovalPrompter"
import { renderQuestion, renderReasons } from "../cli/render/Question.ts"
import { renderResult } from "../cli/render/Result.ts"
import { toToolResult } from "../runtime/ToolResult.ts"
import { type Sink, textSink } from "./Search.ts"

const style = { colours: true, columns: 120 } as const

export const resultSinks = (
  results: ReadonlyArray<EffectResult>,
  asked: ReadonlyArray<ApprovalPrompt>
): ReadonlyArray<Sink> => {
  const lines = (show: (result: EffectResult) => string): string => results.map(show).join("\n")
  return [
    ...viewNames.map((name) =>
      textSink(
        `${name} view`,
        lines(({ views }) => `${views[name].text}\n${JSON.stringify(views[name].data)}`)
      )
    ),
    textSink(
      "error messages",
      lines(({ error }) => `${error?.message}\n${error?.remedy}\n${JSON.stringify(error)}`)
    ),
    textSink(
      "error stacks",
      lines(({ error }) => `${error?.stack}\n${String(error?.cause)}`)
    ),
    textSink(
      "stages",
      lines(({ stages }) => JSON.stringify(stages))
    ),
    textSink(
      "whole results",
      lines((result) => JSON.stringify(result))
    ),
    textSink(
      "MCP results",
      lines((result) => JSON.stringify(toToolResult(result)))
    ),
    textSink(
      "results on a terminal",
      lines((result) => renderResult(result, viewNames, style))
    ),
    textSink(
      "questions on a terminal",
      asked.map((prompt) => `${renderQuestion(prompt, style)}\n${renderReasons(prompt, style)}`).join("\n")
    )
  ]
}

export const catalogSinks = (catalogs: ReadonlyArray<Catalog>): ReadonlyArray<Sink> => [
  textSink("definitions for a model", JSON.stringify(catalogs.map(({ definitions }) => definitions))),
  textSink("catalog entries", JSON.stringify(catalogs.map(({ entries }) => entries))),
  textSink("catalog diagnostics", JSON.stringify(catalogs.map(({ diagnostics }) => diagnostics)))
]
