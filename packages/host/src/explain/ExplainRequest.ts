/**
 * The first five stages of a request, walked by the functions that every call walks, and stopped there: what each says,
 * and how it would end.
 */
import type { EffectError } from "@gatehouse/core/EffectError"
import type { EffectRequest } from "@gatehouse/core/EffectRequest"
import { type StageRecord, stages } from "@gatehouse/core/Stage"
import type { Status } from "@gatehouse/core/Status"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import type { ApprovalQuestion } from "@gatehouse/policy/approvals/Approvals"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { DecidingDependencies } from "../runtime/Dependencies.ts"
import type { Ending } from "../runtime/Ending.ts"
import { StageLog } from "../runtime/StageLog.ts"
import * as Stages from "../runtime/Stages.ts"
import type { ExplainedStage } from "./Explanation.ts"

/** How the first five stages ended. */
export interface Walked {
  readonly decision: "run" | "ask" | "refuse"
  readonly status: Status | null
  readonly error: EffectError | null
  readonly stages: ReadonlyArray<ExplainedStage>
  readonly bound: Stages.BoundCall | null
  /** What the plan asks; null where there is no plan. */
  readonly question: ApprovalQuestion | null
}

/** Walks `request`. The approvals in `dependencies` must ask nobody: who would have to be asked is the answer. */
export const walkRequest = (
  request: EffectRequest,
  turn: TurnContext,
  dependencies: DecidingDependencies
): Effect.Effect<Walked> =>
  Effect.suspend(() => {
    const log = new StageLog(dependencies.clock)
    const bound = Stages.binding(request, turn, log, dependencies)
    if (Either.isLeft(bound)) return Effect.succeed(refused(bound.left, log, null, null))
    const granted = Either.flatMap(Stages.principal(bound.right, log, dependencies), (call) =>
      Stages.capability(call, log, dependencies)
    )
    if (Either.isLeft(granted)) return Effect.succeed(refused(granted.left, log, bound.right, null))
    return granted.right.bound.adapter.use((adapter) => {
      const planned = Stages.preflight(granted.right, adapter, log, dependencies)
      if (Either.isLeft(planned)) return Effect.succeed(refused(planned.left, log, bound.right, null))
      const { question } = planned.right
      return Effect.map(Stages.approval(planned.right, log, dependencies), (approved) => {
        if (Either.isRight(approved)) return walked("run", log.soFar, bound.right, question)
        if (!isUnanswered(approved.left)) return refused(approved.left, log, bound.right, question)
        const asked = log.soFar.map(
          (record): ExplainedStage =>
            record.stage === "approval" ? { ...record, verdict: "asks", rule: question.decidedBy } : record
        )
        return walked("ask", asked, bound.right, question)
      })
    })
  })

/** The stages of a call that no request could be made for. */
export const unboundStages = (rule: string): ReadonlyArray<ExplainedStage> =>
  toApproval([{ stage: "binding", verdict: "refused", rule, micros: 0 }])

/** Nobody was there to be asked: in a dry run that is what asking looks like. */
const isUnanswered = ({ error }: Ending): boolean => error?._tag === "ApprovalError" && error.reason === "nobody"

const walked = (
  decision: "run" | "ask",
  records: ReadonlyArray<ExplainedStage>,
  bound: Stages.BoundCall,
  question: ApprovalQuestion
): Walked => ({ decision, status: null, error: null, stages: toApproval(records), bound, question })

const refused = (
  { error, status }: Ending,
  log: StageLog,
  bound: Stages.BoundCall | null,
  question: ApprovalQuestion | null
): Walked => ({ decision: "refuse", status, error, stages: toApproval(log.soFar), bound, question })

/** Binding to approval; what an earlier verdict left out is `skipped`. */
const toApproval = (records: ReadonlyArray<ExplainedStage>): ReadonlyArray<ExplainedStage> => [
  ...records,
  ...stages
    .slice(records.length, stages.indexOf("approval") + 1)
    .map((stage): StageRecord => ({ stage, verdict: "skipped", rule: "an earlier stage ended the call", micros: 0 }))
]
