/** Bounds of redaction and of what its views show. Every one is a number with its unit. */
import type { PreviewBounds } from "./Redactor.ts"

export interface RedactionLimits {
  /** Milliseconds of processor time a call may take to be redacted, for each started megabyte of its payload. */
  readonly millisPerMegabyte: number
  /** The same for any call: what the first ones pay for compiling what they run. */
  readonly baseMillis: number
  /** Bytes from which on a payload is timed at all. */
  readonly timedBytes: number
  /** UTF-16 units of the model's text; adapters bound their own output below it. */
  readonly modelText: number
  /** UTF-16 units of the operator's text with `display_policy: full`, and with `summary`. */
  readonly operatorText: number
  readonly operatorSummary: number
  /** UTF-16 units of the model's text with `model_output_policy: summary`. */
  readonly modelSummary: number
  /** UTF-16 units of the JSON of a view's `data`; what is larger is shown as a preview. */
  readonly viewData: number
  /** Values whose shape the debug view shows. */
  readonly debugShapes: number
}

export const redactionLimits: RedactionLimits = {
  millisPerMegabyte: 100,
  baseMillis: 300,
  timedBytes: 65_536,
  modelText: 24_000,
  operatorText: 24_000,
  operatorSummary: 12_000,
  modelSummary: 1_200,
  viewData: 1_000_000,
  debugShapes: 64
}

/** Behaviour line A20: what an approver sees of a builtin's plan. */
export const approvalPreviewBounds: PreviewBounds = { depth: 6, items: 50, string: 500, total: 16_384 }

/** Behaviour line A21: what an approver sees of the arguments of an authored tool or an MCP tool. */
export const argumentPreviewBounds: PreviewBounds = { depth: 4, items: 20, string: 256, total: 2_048 }

/** Behaviour line A20: the longest summary, target and command of an approval. */
export const approvalTextBounds = { summary: 500, target: 1_000, command: 2_000 } as const
