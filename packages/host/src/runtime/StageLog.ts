/** Keeps one call's answers to "why?": each stage's verdict, rule and duration. */
import { type Stage, type StageRecord, stages, type Verdict } from "@gatehouse/core/Stage"
import type * as Clock from "effect/Clock"

export class StageLog {
  readonly #clock: Clock.Clock
  readonly #records: Array<StageRecord> = []
  #since: bigint

  constructor(clock: Clock.Clock) {
    this.#clock = clock
    this.#since = clock.unsafeCurrentTimeNanos()
  }

  /** Closes the stage that is under way. */
  record(stage: Stage, verdict: Verdict, rule: string): void {
    const now = this.#clock.unsafeCurrentTimeNanos()
    this.#records.push({ stage, verdict, rule, micros: Number((now - this.#since) / 1000n) })
    this.#since = now
  }

  /** What was recorded so far, for views that are rendered before the settle stage ends. */
  get soFar(): ReadonlyArray<StageRecord> {
    return [...this.#records]
  }

  /** The stage that comes next. */
  get next(): Stage {
    return stages[Math.min(this.#records.length, stages.length - 1)] ?? "settle"
  }

  /** All eight stages in their order: those that an earlier verdict left out are `skipped`. */
  complete(settle: { readonly verdict: Verdict; readonly rule: string }): ReadonlyArray<StageRecord> {
    for (const stage of stages.slice(this.#records.length, -1)) {
      this.#records.push({ stage, verdict: "skipped", rule: "an earlier stage ended the call", micros: 0 })
    }
    this.record("settle", settle.verdict, settle.rule)
    return Object.freeze(this.#records)
  }
}
