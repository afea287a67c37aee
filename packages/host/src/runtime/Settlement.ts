/** How an ending becomes a result: through redaction, and failing closed where that fails. Pure but for the redactor. */
import type { StoreError } from "@gatehouse/control-plane/StoreError"
import type { AdapterOutput } from "@gatehouse/core/AdapterOutcome"
import { type EffectError, SettleError } from "@gatehouse/core/EffectError"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import { isJsonObject, type Json } from "@gatehouse/core/Json"
import type { StageRecord } from "@gatehouse/core/Stage"
import { redactionFailedText } from "@gatehouse/core/View"
import type { CallToRender, SecretSources } from "@gatehouse/policy/redaction/Redactor"
import * as Redacted from "effect/Redacted"
import type { Dependencies } from "./Dependencies.ts"
import type { EndedCall, Ending } from "./Ending.ts"
import type { StageLog } from "./StageLog.ts"

/** The result of `call`. What redaction could not show becomes the one fixed failed result. */
export const toResult = (call: EndedCall, ending: Ending, log: StageLog, dependencies: Dependencies): EffectResult => {
  const rendered = dependencies.redactor.render(
    toRender(
      call,
      ending,
      log.soFar.map((record) => ({ ...record }))
    ),
    secretSources(call, dependencies)
  )
  const base = {
    callId: call.callId,
    tool: call.tool,
    catalog: call.catalog,
    executionStarted: ending.executionStarted,
    provenance: call.entry?.provenance ?? null,
    views: rendered.views
  }
  if (rendered.ok) {
    const error =
      ending.error === null ? null : shownError(ending.error, rendered.errorMessage ?? "", call, dependencies)
    const complete = log.complete({ verdict: "passed", rule: "redacted into five views" })
    const stages = Object.freeze(complete.map((record, index) => withRule(record, ruleAt(rendered.stages, index))))
    return Object.freeze({ ...base, status: ending.status, mayHaveHappened: ending.mayHaveHappened, error, stages })
  }
  const seen = log.soFar.length
  const stages = Object.freeze(
    log
      .complete({ verdict: "failed", rule: "redaction failed: the raw result was dropped" })
      .map((record, index) => withRule(record, index < seen ? redactionFailedText : null))
  )
  const mayHaveHappened = ending.mayHaveHappened || ending.executionStarted
  return Object.freeze({ ...base, status: "failed", mayHaveHappened, error: redactionError, stages })
}

/** The outcome could not be recorded: what was seen is shown, and the result says that it is not kept. */
export const unrecorded = (result: EffectResult, error: StoreError, dependencies: Dependencies): EffectResult => {
  const failure = new SettleError({
    reason: "record",
    message: `the outcome could not be recorded: ${dependencies.redactor.text(error.message, noSources)}`,
    remedy: error.remedy
  })
  return Object.freeze({
    ...result,
    status: result.executionStarted ? "indeterminate" : "failed",
    mayHaveHappened: result.executionStarted,
    error: failure
  })
}

const redactionError = new SettleError({
  reason: "redaction",
  message: "the result could not be redacted, so nothing of it is shown",
  remedy: "the effect itself may have taken place; look at what it acts on"
})

const noSources: SecretSources = { bindings: new Map(), environment: {}, headers: {} }

/** What is known to be secret about a call, for what is said of it beside its result. */
export const sourcesOf = (
  call: Pick<EndedCall, "arguments" | "secrets">,
  dependencies: Pick<Dependencies, "hostEnvironment">
): SecretSources => ({ ...secretSources(call, dependencies), arguments: call.arguments })

/** The same for the walk over the whole call, which meets the arguments by itself. */
const secretSources = (
  call: Pick<EndedCall, "secrets">,
  dependencies: Pick<Dependencies, "hostEnvironment">
): SecretSources => ({
  bindings: new Map([...(call.secrets?.values ?? [])].map(([name, value]) => [name, Redacted.value(value)])),
  environment: dependencies.hostEnvironment,
  headers: {}
})

const toRender = (call: EndedCall, ending: Ending, stages: Json): CallToRender => ({
  tool: call.tool,
  action: call.plan?.action ?? "",
  target: call.plan?.target ?? "",
  status: ending.status,
  executionStarted: ending.executionStarted,
  mayHaveHappened: ending.mayHaveHappened,
  arguments: call.arguments,
  ...shown(ending.output),
  error:
    ending.error === null
      ? null
      : { ...described(ending.error), ...(ending.cause === undefined ? {} : { cause: ending.cause }) },
  stages,
  displayPolicy: call.entry?.displayPolicy ?? "summary",
  modelOutputPolicy: call.entry?.modelOutputPolicy ?? "content"
})

const shown = (
  output: AdapterOutput | null
): Pick<CallToRender, "text" | "data" | "operatorText" | "operatorData" | "artifacts"> => ({
  text: output?.text ?? null,
  data: output?.data ?? null,
  operatorText: output?.operator?.text ?? null,
  operatorData: output?.operator?.data ?? null,
  artifacts: output === null ? [] : output.artifacts.map((artifact) => ({ ...artifact }))
})

const described = (error: EffectError) => ({
  tag: error._tag,
  stage: error.stage,
  message: error.message,
  remedy: error.remedy
})

/**
 * A copy that says `message`, and everything else that the error says in redacted words. The original's stack, which
 * repeats the raw message, stays behind.
 */
const shownError = <E extends EffectError>(
  error: E,
  message: string,
  call: EndedCall,
  dependencies: Dependencies
): E => {
  const copy: E = Object.create(Object.getPrototypeOf(error))
  const sources = sourcesOf(call, dependencies)
  const words = Object.entries(error).map(([field, value]) => [
    field,
    typeof value === "string" && !ownWords.has(field) ? dependencies.redactor.text(value, sources) : value
  ])
  return Object.assign(copy, Object.fromEntries(words), { message })
}

/** Fields that hold words of this host only. */
const ownWords: ReadonlySet<string> = new Set(["_tag", "stage", "message"])

/** The redacted rule of the stage at `index`; null where the log had not come so far. */
const ruleAt = (stages: Json, index: number): string | null => {
  const record = Array.isArray(stages) ? stages[index] : undefined
  const rule = record !== undefined && isJsonObject(record) ? record["rule"] : undefined
  return typeof rule === "string" ? rule : null
}

/** What was said after the walk are words of this host. */
const withRule = (record: StageRecord, rule: string | null): StageRecord =>
  rule === null || rule === record.rule ? record : { ...record, rule }
