/** Puts one question: opens its record, asks, and waits for the first answer from any surface, for a bounded time. */
import { ApprovalId, Entropy, makeIdentifier, type PrincipalId } from "@gatehouse/core/Identifiers"
import {
  type ApprovalResolution,
  type ApprovalStoreError,
  type PendingApproval,
  PendingApprovals
} from "@gatehouse/core/PendingApprovals"
import { redactionFailedText } from "@gatehouse/core/View"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { Redactor } from "../redaction/Redactor.ts"
import type { ApprovalEvents } from "./ApprovalEvents.ts"
import { ApprovalPrompter } from "./ApprovalPrompter.ts"
import type { ApprovalQuestion } from "./Approvals.ts"
import { describeQuestion } from "./DescribeQuestion.ts"
import { type StandingVerdict, standingName } from "./standing/StandingAnswers.ts"

/** Milliseconds that a question waits at most, whatever the caller's own deadline. */
export const pendingLimitMillis = 10 * 60 * 1000

/** Milliseconds that a store gets to note the end of a question that nobody waits for any more. */
const closingMillis = 1000

export type Posed =
  | { readonly kind: "answered"; readonly approval: ApprovalId; readonly answer: string; readonly by: string }
  | { readonly kind: "expired"; readonly approval: ApprovalId | null }
  /** The record could not be kept, or the question could not be put into words. */
  | { readonly kind: "failed"; readonly approval: ApprovalId | null }

/**
 * With a standing verdict the record is opened and resolved in the owner's name, and nobody is asked. Interrupted, the
 * record is resolved as withdrawn.
 */
export type PoseQuestion = (question: ApprovalQuestion, standing: StandingVerdict | null) => Effect.Effect<Posed>

export const makePoseQuestion = (
  events: ApprovalEvents,
  principalName?: (id: PrincipalId) => string
): Effect.Effect<PoseQuestion, never, PendingApprovals | ApprovalPrompter | Redactor> =>
  Effect.gen(function* () {
    const pending = yield* PendingApprovals
    const prompter = yield* ApprovalPrompter
    const redactor = yield* Redactor
    const entropy = yield* Entropy
    const surface = prompter.surface ?? "approver"

    const resolve = (id: ApprovalId, answer: string, by: string) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) => pending.resolve(id, { answer, by, at }))

    /** An approver that throws, or answers with something else than a text, has said nothing that could be a yes. */
    const askPrompter = (record: PendingApproval): Effect.Effect<never, ApprovalStoreError> =>
      Effect.suspend(() => prompter.ask(record)).pipe(
        Effect.catchAllCause(() => Effect.succeed("failed")),
        Effect.flatMap((answer) => resolve(record.id, typeof answer === "string" ? answer : "nonsense", surface)),
        Effect.zipRight(Effect.never)
      )

    /** From whatever surface. Both sides may hold on longer than anybody waits. */
    const firstAnswer = (record: PendingApproval, standing: StandingVerdict | null) =>
      standing === null
        ? Effect.raceFirst(Effect.disconnect(pending.resolution(record.id)), Effect.disconnect(askPrompter(record)))
        : Effect.zipRight(resolve(record.id, standing.answer, standingName(standing)), pending.resolution(record.id))

    /** Notes an end that no answer brought; an answer that was quicker counts. */
    const endWithout = (id: ApprovalId, by: string): Effect.Effect<ApprovalResolution | null> =>
      Effect.flatMap(resolve(id, "deny", by), (recorded) =>
        recorded === "late" ? pending.resolution(id) : Effect.succeed(null)
      ).pipe(Effect.disconnect, Effect.timeout(closingMillis), Effect.option, Effect.map(Option.getOrNull))

    const pose = (record: PendingApproval, question: ApprovalQuestion, standing: StandingVerdict | null) =>
      Effect.gen(function* () {
        yield* pending.open(record)
        yield* events.requested(question, record.id)
        return yield* firstAnswer(record, standing)
      }).pipe(
        Effect.disconnect,
        Effect.timeoutTo({
          duration: record.deadline - record.createdAt,
          onSuccess: (resolution) => Effect.succeed<ApprovalResolution | null>(resolution),
          onTimeout: () => endWithout(record.id, "deadline")
        }),
        Effect.flatten,
        Effect.map(
          (resolution): Posed =>
            resolution === null
              ? { kind: "expired", approval: record.id }
              : { kind: "answered", approval: record.id, answer: resolution.answer, by: resolution.by }
        ),
        // In a fiber of its own: in this one, which was interrupted, nothing could be bounded any more.
        Effect.onInterrupt(() =>
          Effect.flatMap(Effect.forkDaemon(Effect.interruptible(endWithout(record.id, "withdrawn"))), Fiber.await)
        ),
        Effect.catchAll(() => Effect.succeed<Posed>({ kind: "failed", approval: record.id }))
      )

    return (question, standing) =>
      Effect.gen(function* () {
        const createdAt = yield* Clock.currentTimeMillis
        const deadline = Math.min(question.deadline, createdAt + pendingLimitMillis)
        if (!(deadline > createdAt)) return { kind: "expired", approval: null } as const
        const id = ApprovalId(makeIdentifier("approval", entropy))
        const record = describeQuestion(question, { id, createdAt, deadline }, { redactor, principalName })
        // Nobody can answer for what they cannot see.
        if (record.preview === redactionFailedText || record.target === redactionFailedText) {
          return { kind: "failed", approval: null } as const
        }
        return yield* pose(record, question, standing)
      }).pipe(
        // A view that cannot be made is not shown raw, and a question that cannot be shown is not asked.
        Effect.catchAllDefect(() => Effect.succeed<Posed>({ kind: "failed", approval: null }))
      )
  })
