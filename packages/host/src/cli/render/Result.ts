/** A result as a person reads it: the views that were asked for, and for what did not succeed the stages. No terminal obeys it. */
import type { EffectResult } from "@gatehouse/core/EffectResult"
import type { StageRecord } from "@gatehouse/core/Stage"
import type { ViewName } from "@gatehouse/core/View"
import { visibleText } from "@gatehouse/policy/redaction/TerminalText"

interface Style {
  readonly colours: boolean
}

export const renderResult = (result: EffectResult, views: ReadonlyArray<ViewName>, style: Style): string =>
  [
    ...views.map((name) =>
      visibleText(views.length === 1 ? result.views[name].text : `── ${name} ──\n${result.views[name].text}`)
    ),
    ...(result.status === "succeeded" ? [] : [renderStages(result.stages, style)])
  ].join("\n")

/** One line a stage: verdict, duration and rule. */
export const renderStages = (stages: ReadonlyArray<StageRecord>, style: Style): string =>
  stages
    .map(({ micros, rule, stage, verdict }) => {
      const line = `  ${marks[verdict]} ${stage.padEnd(10)} ${duration(micros).padStart(8)}  ${visibleText(rule)}`
      if (!style.colours || verdict === "passed") return line
      return verdict === "skipped" ? `\u001b[2m${line}\u001b[0m` : `\u001b[31m${line}\u001b[0m`
    })
    .join("\n")

const marks = { passed: "✓", refused: "✗", failed: "✗", skipped: "·" } as const

const duration = (micros: number): string => (micros < 1000 ? `${micros} µs` : `${(micros / 1000).toFixed(1)} ms`)
