/** Approvals at work: policy and memory first, then the owner's standing answers, then one question for equal calls. */
import type { PendingApprovals } from "@gatehouse/core/PendingApprovals"
import type { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import type { Redactor } from "../redaction/Redactor.ts"
import { bindingOf } from "./ApprovalBinding.ts"
import { type Loss, makeApprovalCache, type OpenQuestion } from "./ApprovalCache.ts"
import { makeApprovalEvents } from "./ApprovalEvents.ts"
import { ApprovalPrompter } from "./ApprovalPrompter.ts"
import type { ApprovalOutcome, ApprovalQuestion, Approvals, ApprovalsOptions } from "./Approvals.ts"
import { makePoseQuestion } from "./PoseQuestion.ts"
import { interruptedQuestion, outcomeOf, type QuestionEnd, settleQuestion } from "./QuestionEnd.ts"
import { noStandingAnswers, type StandingVerdict } from "./standing/StandingAnswers.ts"

/** Milliseconds after its own deadline that the asking call waits for its question's end: only a store that hangs. */
const graceMillis = 1000

/** A question under way, and how many calls wait for it. */
interface LiveQuestion {
  readonly end: Deferred.Deferred<QuestionEnd>
  fiber: Fiber.RuntimeFiber<unknown> | null
  waiting: number
}

export const makeApprovals = (
  options: ApprovalsOptions
): Effect.Effect<
  Context.Tag.Service<typeof Approvals>,
  never,
  PendingApprovals | ApprovalPrompter | Redactor | RuntimeEvents | Scope.Scope
> =>
  Effect.gen(function* () {
    const cache = makeApprovalCache()
    const events = yield* makeApprovalEvents(options.fingerprintKey)
    const pose = yield* makePoseQuestion(events, options.principalName)
    const prompter = yield* ApprovalPrompter
    const standing = options.standing ?? Effect.succeed(noStandingAnswers)
    const live = new Map<OpenQuestion, LiveQuestion>()
    // Made before the closing below, and so ended after it: whoever waits hears that the host closed.
    const fibers = yield* FiberSet.make()

    const interrupt = (questions: ReadonlyArray<OpenQuestion>): Effect.Effect<void> =>
      Effect.forEach(
        questions.flatMap((question) => live.get(question)?.fiber ?? []),
        (fiber) => Fiber.interruptFork(fiber),
        { discard: true }
      )
    yield* Effect.addFinalizer(() => Effect.suspend(() => interrupt(cache.close())))

    /** Asks, settles and tells. Runs in a fiber of its own: whatever ends it, everybody who waits hears an end. */
    const run = (asked: ApprovalQuestion, question: OpenQuestion, verdict: StandingVerdict | null, own: LiveQuestion) =>
      Effect.interruptible(pose(asked, verdict)).pipe(
        Effect.zipWith(Clock.currentTimeNanos, (posed, now) => settleQuestion(cache, question, posed, verdict, now)),
        Effect.catchAllCause(() =>
          Effect.map(Clock.currentTimeNanos, (now) => interruptedQuestion(cache, question, now))
        ),
        Effect.tap((end) => events.decided(asked, end)),
        Effect.flatMap((end) => {
          live.delete(question)
          return Deferred.succeed(own.end, end)
        })
      )

    const leave = (question: OpenQuestion, own: LiveQuestion): Effect.Effect<void> =>
      Effect.suspend(() => {
        own.waiting -= 1
        if (own.waiting > 0 || own.fiber === null) return Effect.void
        cache.withdraw(question)
        return Fiber.interruptFork(own.fiber)
      })

    const ask = (asked: ApprovalQuestion, verdict: StandingVerdict | null): Effect.Effect<ApprovalOutcome> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const cacheable = verdict === null && asked.plan.sessionCacheable && asked.plan.secrets.length === 0
          const { first, question } = cache.join(bindingOf(asked), cacheable)
          const own = live.get(question) ?? {
            end: Deferred.unsafeMake<QuestionEnd>(FiberId.none),
            fiber: null,
            waiting: 0
          }
          own.waiting += 1
          if (first) {
            live.set(question, own)
            own.fiber = yield* FiberSet.run(fibers, run(asked, question, verdict, own))
          }
          const now = yield* Clock.currentTimeMillis
          const end = yield* restore(
            Effect.timeoutTo(Deferred.await(own.end), {
              duration: Math.max(0, asked.deadline - now) + (first ? graceMillis : 0),
              onSuccess: (ended): QuestionEnd => ended,
              onTimeout: (): QuestionEnd => ({ decision: "denied", reason: "expired", by: "deadline", approval: null })
            })
          ).pipe(Effect.ensuring(leave(question, own)))
          return { end, first }
        })
      ).pipe(
        Effect.flatMap(({ end, first }) =>
          end.decision === "denied" && end.reason === "expired" && !first ? againInTime(asked, end) : tell(asked, end)
        )
      )

    /** The time of the call that asked was over; one that joined it may have time left, and asks itself. */
    const againInTime = (asked: ApprovalQuestion, end: QuestionEnd): Effect.Effect<ApprovalOutcome> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => (now < asked.deadline ? decide(asked) : tell(asked, end)))

    const tell = (asked: ApprovalQuestion, end: QuestionEnd): Effect.Effect<ApprovalOutcome> =>
      Effect.as(end.decision === "denied" ? events.denied(asked, end) : Effect.void, outcomeOf(end, asked))

    const prompt = (asked: ApprovalQuestion): Effect.Effect<ApprovalOutcome> =>
      Effect.gen(function* () {
        const answers = yield* standing
        const verdict = answers(asked, yield* Clock.currentTimeMillis)
        if (verdict !== null || (asked.turn.route !== "none" && prompter.available)) return yield* ask(asked, verdict)
        const end: QuestionEnd = { decision: "denied", reason: "nobody", by: "nobody", approval: null }
        yield* events.requested(asked, null)
        yield* events.decided(asked, end)
        return yield* tell(asked, end)
      })

    const decide = (asked: ApprovalQuestion): Effect.Effect<ApprovalOutcome> =>
      Effect.flatMap(Clock.currentTimeNanos, (now) => {
        switch (cache.admit(bindingOf(asked), now)) {
          case "auto":
            return Effect.succeed<ApprovalOutcome>({ decision: "allowed", how: "auto", rule: asked.decidedBy })
          case "cached":
            return Effect.succeed<ApprovalOutcome>({ decision: "allowed", how: "cached", rule: cachedRule })
          case "prompt":
            return prompt(asked)
          case "denied":
            return tell(asked, { decision: "denied", reason: "policy", by: asked.decidedBy, approval: null })
          case "closed":
            return tell(asked, { decision: "denied", reason: "closed", by: "host", approval: null })
        }
      })

    const drop = (loss: Loss): Effect.Effect<void> => Effect.suspend(() => interrupt(cache.drop(loss)))

    return {
      decide,
      dropSession: (session) => drop({ of: "session", session }),
      revoke: (principal) => drop({ of: "principal", principal: principal.id }),
      dropCore: (core) => drop({ of: "core", core })
    }
  })

const cachedRule = "allowed for this session"
