/** The eight stages of every effect, in their order. */
export const stages = [
  "binding",
  "principal",
  "capability",
  "preflight",
  "approval",
  "secrets",
  "adapter",
  "settle"
] as const
export type Stage = (typeof stages)[number]

/** What a stage said: `passed`, the verdict that ended the call, or `skipped` where an earlier stage ended it. */
export type Verdict = "passed" | "refused" | "failed" | "skipped"

/** One stage's answer to "why?". */
export interface StageRecord {
  readonly stage: Stage
  readonly verdict: Verdict
  /** The rule that spoke, in words that a person can look up: a setting with its place, a check with its finding. */
  readonly rule: string
  /** Microseconds that the stage took. */
  readonly micros: number
}
