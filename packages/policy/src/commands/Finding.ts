/** What the review noticed about one piece of a command, and how findings add up to a verdict. */
import type { Risk } from "@gatehouse/core/Risk"
import { risks } from "@gatehouse/core/Risk"
import type { CommandClass, CommandDecision } from "./CommandReview.ts"

/**
 * What a piece of a command does, from harmless to ruin. `changes` is a change of files in the workspace that a person
 * can oversee; `controls` is a change of the repository, of packages, of processes or of the machine.
 */
export type Deed = "reads" | "asks" | "runs" | "changes" | "controls" | "network" | "ruins"

export interface Finding {
  readonly class: CommandClass
  readonly risk: Risk
  readonly rule: string
  /** UTF-16 positions in the command under review. */
  readonly start: number
  readonly end: number
}

/** The class and the risk that a deed has by itself; a place can make it graver. */
export const gravityOf: Readonly<Record<Deed, { readonly class: CommandClass; readonly risk: Risk }>> = {
  reads: { class: "read_only", risk: "low" },
  asks: { class: "unknown", risk: "high" },
  runs: { class: "project_code", risk: "high" },
  changes: { class: "mutation", risk: "medium" },
  controls: { class: "mutation", risk: "high" },
  network: { class: "network", risk: "high" },
  ruins: { class: "destructive", risk: "critical" }
}

/** From harmless to ruin: the class of a whole is the last of these that one of its findings has. */
const classes: ReadonlyArray<CommandClass> = [
  "read_only",
  "unknown",
  "project_code",
  "mutation",
  "network",
  "destructive"
]

const decisions: Readonly<Record<Risk, CommandDecision>> = {
  low: "allow",
  medium: "prompt",
  high: "prompt",
  critical: "block"
}

export interface Gravity {
  readonly decision: CommandDecision
  readonly risk: Risk
  readonly class: CommandClass
}

/**
 * The whole is as grave as its gravest part. `compound` says that a person has to read more than one plain command to
 * know what happens; then nothing that asks is less than high.
 */
export const gravityOfAll = (findings: Iterable<Finding>, compound: boolean): Gravity => {
  let risk = 0
  let kind = 0
  for (const finding of findings) {
    risk = Math.max(risk, risks.indexOf(finding.risk))
    kind = Math.max(kind, classes.indexOf(finding.class))
  }
  const gravest = risks[risk] ?? "critical"
  const whole = compound && gravest === "medium" ? "high" : gravest
  return { decision: decisions[whole], risk: whole, class: classes[kind] ?? "destructive" }
}

/** Of two verdicts the one that asks more. */
export const isGraver = (left: Gravity, right: Gravity): boolean => {
  const byRisk = risks.indexOf(left.risk) - risks.indexOf(right.risk)
  return byRisk !== 0 ? byRisk > 0 : classes.indexOf(left.class) > classes.indexOf(right.class)
}
