/** Pending approvals of one process, in memory: for tests, `gatehouse call` and hosts without a store. */
import type { ApprovalId } from "@gatehouse/core/Identifiers"
import {
  type ApprovalResolution,
  ApprovalStoreError,
  type PendingApproval,
  PendingApprovals
} from "@gatehouse/core/PendingApprovals"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Questions remembered, answered ones included, so that a late answer is told so. */
const rememberedQuestions = 1_000

/**
 * The port in memory. The first resolution of a question counts; `list` shows what is open and in time, oldest first.
 */
export const layerPendingApprovalsMemory: Layer.Layer<PendingApprovals> = Layer.sync(PendingApprovals, () => {
  const questions = new Map<ApprovalId, Question>()
  const find = (id: ApprovalId): Effect.Effect<Question, ApprovalStoreError> => {
    const question = questions.get(id)
    return question === undefined ? Effect.fail(unknownQuestion) : Effect.succeed(question)
  }
  return {
    open: (approval) =>
      Effect.map(Deferred.make<ApprovalResolution>(), (answered) => {
        questions.set(approval.id, { approval, answered, resolved: false })
        for (const [id, { resolved }] of questions) {
          if (questions.size <= rememberedQuestions) break
          if (resolved) questions.delete(id)
        }
      }),
    resolution: (id) => Effect.flatMap(find(id), ({ answered }) => Deferred.await(answered)),
    resolve: (id, resolution) =>
      Effect.suspend(() => {
        const question = questions.get(id)
        if (question === undefined) return Effect.succeed("not_found" as const)
        if (question.resolved) return Effect.succeed("late" as const)
        question.resolved = true
        return Effect.as(Deferred.succeed(question.answered, resolution), "recorded" as const)
      }),
    list: (principal) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        [...questions.values()]
          .filter(({ approval, resolved }) => !resolved && approval.principal === principal && approval.deadline > now)
          .map(({ approval }) => approval)
      )
  }
})

interface Question {
  readonly approval: PendingApproval
  readonly answered: Deferred.Deferred<ApprovalResolution>
  resolved: boolean
}

const unknownQuestion = new ApprovalStoreError({
  message: "approval: is not known here; `gatehouse approvals` lists the open ones"
})
