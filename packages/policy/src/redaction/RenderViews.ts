/**
 * Five renderings of one redacted call. Everything that comes in is redacted already; here it is only chosen, cut
 * and laid out for its reader.
 */
import { boundedText } from "@gatehouse/core/BoundedText"
import { isJsonObject, type Json, type JsonObject } from "@gatehouse/core/Json"
import type { View, ViewName } from "@gatehouse/core/View"
import { argumentPreviewBounds, type RedactionLimits } from "./Limits.ts"
import { boundedJson } from "./Preview.ts"
import type { CallToRender } from "./Redactor.ts"
import { shapeOf } from "./Shapes.ts"
import { visibleJson, visibleText } from "./TerminalText.ts"

/** A call after the walk: texts and JSON, no secret in them. */
export interface RedactedCall extends Omit<CallToRender, "arguments" | "data" | "operatorData" | "error"> {
  readonly arguments: Json
  readonly data: Json
  readonly operatorData: Json
  readonly error: {
    readonly tag: string
    readonly stage: string
    readonly message: string
    readonly remedy: string
    readonly cause?: Json
  } | null
  /** Keyed fingerprints of what was masked, for the debug view. */
  readonly fingerprints: ReadonlyArray<JsonObject>
  /** Bytes of the whole call as JSON. */
  readonly size: number
  /** Whether nothing in it could act on a terminal. */
  readonly inert: boolean
}

/** One renderer for each view, by name, so that a fault in one can be told from a fault in another. */
const viewRenderers: Readonly<Record<ViewName, (call: RedactedCall, limits: RedactionLimits) => View>> = {
  model: (call, limits) => {
    const body = modelBody(call, limits)
    const text = [...(call.error === null ? [] : [failureText(call)]), ...(body === "" ? [] : [body])].join("\n\n")
    const open = call.modelOutputPolicy === "content" && call.data !== null
    return open ? { text, data: boundedData(call.data, call, limits) } : { text }
  },
  operator: (call, limits) => {
    const head = `${call.status}: ${call.action}${call.target === "" ? "" : ` ${call.target}`}`
    const parts = [head, ...(call.error === null ? [] : [failureText(call)]), ...operatorBody(call, limits)]
    const data = call.operatorData ?? call.data
    const text = visibleText(parts.filter((part) => part !== "").join("\n\n"))
    return data === null || call.displayPolicy === "hidden" ? { text } : { text, data: boundedData(data, call, limits) }
  },
  event: (call) => ({
    text: visibleText(`${call.tool} ${call.status}${call.error === null ? "" : ` (${call.error.tag})`}`),
    data: shownJson(call, {
      ...identity(call),
      error: call.error === null ? null : { tag: call.error.tag, stage: call.error.stage },
      artifacts: Array.isArray(call.artifacts) ? call.artifacts.length : 0,
      characters: call.text === null ? 0 : call.text.length
    })
  }),
  durable: (call) => {
    const data: JsonObject = {
      ...identity(call),
      arguments: boundedJson(call.arguments, argumentPreviewBounds),
      error:
        call.error === null
          ? null
          : {
              tag: call.error.tag,
              stage: call.error.stage,
              message: boundedText(call.error.message, durableTextLength),
              remedy: boundedText(call.error.remedy, durableTextLength)
            },
      stages: call.stages,
      artifacts: call.artifacts
    }
    return { text: visibleText(durableText(call)), data: shownJson(call, data) }
  },
  debug: (call, limits) => {
    const shapes = shapeOf({ arguments: call.arguments, text: call.text, data: call.data }, limits.debugShapes)
    const cause = call.error?.cause
    return {
      text: visibleText(
        `${call.tool} ${call.status}, ${call.fingerprints.length} values masked${cause === undefined ? "" : `\n${causeText(cause)}`}`
      ),
      data: shownJson(call, {
        tool: call.tool,
        status: call.status,
        executionStarted: call.executionStarted,
        mayHaveHappened: call.mayHaveHappened,
        stages: call.stages,
        shapes,
        masked: call.fingerprints,
        ...(cause === undefined ? {} : { cause })
      })
    }
  }
}

/** One view of `call`. */
export const renderView = (name: ViewName, call: RedactedCall, limits: RedactionLimits): View =>
  viewRenderers[name](call, limits)

const durableTextLength = 2_000

/** What became of the effect, in words; the empty text where success says it. */
export const happenedText = (call: Pick<CallToRender, "status" | "executionStarted" | "mayHaveHappened">): string => {
  if (call.status === "succeeded") return ""
  if (call.mayHaveHappened) return "The effect may have taken place."
  return call.executionStarted ? "The effect began and did not succeed." : "Nothing happened."
}

const failureText = (call: RedactedCall): string => {
  const { error } = call
  if (error === null) return ""
  const lines = [`${call.status} at ${error.stage}: ${error.message}`, error.remedy, happenedText(call)]
  return lines.filter((line) => line !== "").join("\n")
}

const modelBody = (call: RedactedCall, limits: RedactionLimits): string => {
  const text = call.text ?? ""
  switch (call.modelOutputPolicy) {
    case "content":
      return boundedText(text, limits.modelText)
    case "summary":
      return boundedText(text, limits.modelSummary)
    case "none":
      return call.error === null ? `${call.tool} ${call.status}; its output is not shown to the model.` : ""
  }
}

const operatorBody = (call: RedactedCall, limits: RedactionLimits): ReadonlyArray<string> => {
  if (call.displayPolicy === "hidden") return ["The output is hidden by its display policy."]
  const text = call.operatorText ?? call.text ?? ""
  return [
    boundedText(text, call.displayPolicy === "full" ? limits.operatorText : limits.operatorSummary),
    artifactLines(call.artifacts)
  ]
}

const artifactLines = (artifacts: Json): string => {
  if (!Array.isArray(artifacts)) return ""
  return artifacts
    .filter(isJsonObject)
    .map((artifact) => `artifact ${String(artifact["name"] ?? "")} (${String(artifact["bytes"] ?? "?")} bytes)`)
    .join("\n")
}

const identity = (call: RedactedCall): JsonObject => ({
  tool: call.tool,
  action: call.action,
  target: boundedText(call.target, durableTextLength),
  status: call.status,
  executionStarted: call.executionStarted,
  mayHaveHappened: call.mayHaveHappened
})

const durableText = (call: RedactedCall): string => {
  const { error } = call
  const head = `${call.tool}: ${call.action} ${call.target}`.trim()
  const lines = [boundedText(head, durableTextLength), call.status]
  if (error !== null) lines.push(`${error.tag} at ${error.stage}: ${boundedText(error.message, durableTextLength)}`)
  lines.push(happenedText(call))
  return lines.filter((line) => line !== "").join("\n")
}

const causeText = (cause: Json): string =>
  typeof cause === "string" ? boundedText(cause, 8_000) : boundedText(JSON.stringify(cause, null, 2), 8_000)

const boundedData = (data: Json, call: RedactedCall, limits: RedactionLimits): Json =>
  call.size <= limits.viewData
    ? data
    : boundedJson(data, {
        depth: 200,
        items: Number.MAX_SAFE_INTEGER,
        string: limits.viewData,
        total: limits.viewData
      })

/** What people may be shown: nothing in it acts on their terminal or page. Most calls hold nothing that could. */
const shownJson = (call: RedactedCall, value: JsonObject): Json =>
  call.inert && visibleText(call.tool) === call.tool ? value : visibleJson(value)
