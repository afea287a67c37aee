/**
 * Runs an adapter in a scope of its own under one deadline and under cancellation, and says how it ended. What cut it
 * off is interrupted and given a limited time to confirm that it is gone; without that nobody can know,
 * and the word is `indeterminate`.
 */
import type { AdapterOutcome, AdapterOutput } from "@gatehouse/core/AdapterOutcome"
import type { Witness } from "@gatehouse/core/Authorized"
import {
  AdapterError,
  CancelledError,
  DeadlineError,
  DefectError,
  type EffectError,
  IndeterminateError
} from "@gatehouse/core/EffectError"
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import type { Ending } from "./Ending.ts"

/** Milliseconds that a cut-off adapter has to confirm its cleanup by default: TERM grace, KILL and a margin. */
export const cleanupLimitMillis = 10_000

/** Whose deadline is the earliest. */
export type DeadlineOwner = DeadlineError["by"]

export interface AdapterRun {
  readonly run: Effect.Effect<AdapterOutcome, AdapterError, Scope.Scope>
  /** Milliseconds since the epoch. */
  readonly deadline: number
  readonly deadlineBy: DeadlineOwner
  readonly cancellation: AbortSignal
  /** By policy, never by a server's claim: a cut-off call changed nothing. */
  readonly readOnly: boolean
  /** Milliseconds that it has to confirm its cleanup once it is cut off. */
  readonly cleanupLimitMillis: number
}

/** What a witness was told. */
export interface Testimony {
  output: AdapterOutput | null
  unconfirmed: string | null
}

/** A witness that remembers, with a way to pass on live text. */
export const makeWitness = (live: Witness["live"]): { readonly witness: Witness; readonly testimony: Testimony } => {
  const testimony: Testimony = { output: null, unconfirmed: null }
  return {
    testimony,
    witness: {
      output: (output) => void (testimony.output = output),
      unconfirmed: (reason) => void (testimony.unconfirmed ??= reason),
      live
    }
  }
}

type Cut = { readonly cut: "deadline" | "cancelled" }
type CleanupLimit = Pick<AdapterRun, "cleanupLimitMillis">
type RunExit = Exit.Exit<AdapterOutcome, AdapterError>

/**
 * The ending of the adapter. Must be run inside an uninterruptible region whose `restore` is given: the interruption of
 * the caller ends the adapter like a cancellation, and is for the caller to pass on.
 */
export const runAdapter = (
  options: AdapterRun,
  testimony: Testimony,
  restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
): Effect.Effect<Ending> =>
  Effect.flatMap(Effect.all([Effect.runtime<never>(), Effect.clock, Scope.make()]), ([runtime, clock, scope]) => {
    // Started at once and not scheduled: an adapter that needs no waiting has ended when this returns. What it fails with
    // is a value here: the library writes a line about a fiber that fails, and in it everything that is raw.
    const fiber = Runtime.runFork(runtime)(Effect.exit(Effect.interruptible(Scope.extend(options.run, scope))))
    const polled = fiber.unsafePoll()
    if (polled !== null) {
      const ended = Exit.flatten(polled)
      return Effect.map(closed(scope, options, testimony), () => finished(ended, options, testimony))
    }
    return Effect.flatMap(
      Effect.exit(
        restore(firstOf(fiber, clock, options.deadline - clock.unsafeCurrentTimeMillis(), options.cancellation))
      ),
      (awaited) => {
        const first: RunExit | Cut = Exit.isSuccess(awaited) ? awaited.value : { cut: "cancelled" }
        if (!("cut" in first))
          return Effect.map(closed(scope, options, testimony), () => finished(first, options, testimony))
        const cleanup = Effect.zipRight(Fiber.interrupt(fiber), Scope.close(scope, Exit.void))
        return Effect.map(bounded(cleanup, options, testimony), () => cutOff(first.cut, options, testimony))
      }
    )
  })

/** Gives back what the adapter acquired. Most acquire nothing that takes time. */
const closed = (scope: Scope.CloseableScope, limits: CleanupLimit, testimony: Testimony): Effect.Effect<void> =>
  bounded(Scope.close(scope, Exit.void), limits, testimony)

/** Waits for `cleanup` as long as a cut-off adapter has; what is not done by then is not confirmed. */
const bounded = (
  cleanup: Effect.Effect<unknown>,
  { cleanupLimitMillis }: CleanupLimit,
  testimony: Testimony
): Effect.Effect<void> =>
  Effect.flatMap(Effect.all([Effect.runtime<never>(), Effect.clock]), ([runtime, clock]) => {
    const fiber = Runtime.runFork(runtime)(Effect.exit(cleanup))
    const ended = fiber.unsafePoll()
    if (ended !== null) return noteFailure(Exit.flatten(ended), testimony)
    return Effect.flatMap(firstOf(fiber, clock, cleanupLimitMillis, null), (first) =>
      "cut" in first
        ? Effect.sync(() => void (testimony.unconfirmed ??= `cleanup took longer than ${cleanupLimitMillis} ms`))
        : noteFailure(first, testimony)
    )
  })

const noteFailure = (exit: Exit.Exit<unknown>, testimony: Testimony): Effect.Effect<void> =>
  Effect.sync(() => {
    if (Exit.isFailure(exit)) testimony.unconfirmed ??= "cleanup failed"
  })

/**
 * Waits for the fiber, the time or the cancellation, whichever is first. Unlike a race it holds inside an
 * uninterruptible region too.
 */
const firstOf = <A, E>(
  fiber: Fiber.RuntimeFiber<Exit.Exit<A, E>>,
  clock: Clock.Clock,
  millis: number,
  cancellation: AbortSignal | null
): Effect.Effect<Exit.Exit<A, E> | Cut> =>
  Effect.async((resume) => {
    const timer = Effect.runFork(
      Effect.withClock(
        Effect.delay(
          Effect.sync(() => resume(Effect.succeed<Cut>({ cut: "deadline" }))),
          Duration.millis(Math.max(0, millis))
        ),
        clock
      )
    )
    const onAbort = (): void => resume(Effect.succeed<Cut>({ cut: "cancelled" }))
    const onExit = (exit: Exit.Exit<Exit.Exit<A, E>>): void => {
      stopWaiting()
      resume(Effect.succeed(Exit.flatten(exit)))
    }
    const stopWaiting = (): void => {
      fiber.removeObserver(onExit)
      timer.unsafeInterruptAsFork(timer.id())
      cancellation?.removeEventListener("abort", onAbort)
    }
    fiber.addObserver(onExit)
    if (cancellation?.aborted === true) onAbort()
    else cancellation?.addEventListener("abort", onAbort, { once: true })
    return Effect.sync(stopWaiting)
  })

const finished = (exit: RunExit, options: AdapterRun, testimony: Testimony): Ending => {
  if (Exit.isSuccess(exit)) return answered(exit.value, options, testimony)
  const failure = Cause.failureOption(exit.cause)
  if (Option.isSome(failure)) {
    return started(
      failure.value.reason === "indeterminate" ? "indeterminate" : "failed",
      failure.value,
      failure.value.mayHaveHappened,
      testimony
    )
  }
  if (Cause.isInterruptedOnly(exit.cause)) return cutOff("cancelled", options, testimony)
  const error = new DefectError({
    stage: "adapter",
    message: "the adapter broke off with an internal error",
    remedy: "see the debug view, and report it as a bug"
  })
  return {
    ...started(options.readOnly ? "failed" : "indeterminate", error, !options.readOnly, testimony),
    cause: exit.cause
  }
}

const answered = (outcome: AdapterOutcome, options: AdapterRun, testimony: Testimony): Ending => {
  if (testimony.unconfirmed !== null) return unconfirmed(testimony.unconfirmed, outcome.output)
  if (outcome.status === "succeeded") {
    return { status: "succeeded", error: null, executionStarted: true, mayHaveHappened: false, output: outcome.output }
  }
  const error = new AdapterError({
    reason: "failed",
    message: outcome.message ?? "the effect ran and reported a failure",
    remedy: "",
    mayHaveHappened: !options.readOnly
  })
  return { status: "failed", error, executionStarted: true, mayHaveHappened: !options.readOnly, output: outcome.output }
}

const cutOff = (cut: Cut["cut"], options: AdapterRun, testimony: Testimony): Ending => {
  if (testimony.unconfirmed !== null) return unconfirmed(testimony.unconfirmed, testimony.output)
  return cut === "deadline"
    ? started("timed_out", deadlineError(options.deadlineBy), !options.readOnly, testimony)
    : started(
        "cancelled",
        new CancelledError({ stage: "adapter", message: "the call was cancelled", remedy: "" }),
        !options.readOnly,
        testimony
      )
}

const deadlineError = (by: DeadlineOwner): DeadlineError =>
  new DeadlineError({
    by,
    message: {
      call: "the call's own deadline ended it",
      turn: "the turn's deadline ended the call",
      secret: "a bound secret expired and ended the call"
    }[by],
    remedy: {
      call: "allow more time (timeout_seconds)",
      turn: "start a new turn",
      secret: "bind the secret for longer (expires_in_seconds)"
    }[by]
  })

const unconfirmed = (reason: string, output: AdapterOutput | null): Ending => ({
  status: "indeterminate",
  error: new IndeterminateError({
    message: `nobody can know how the call ended: ${reason}`,
    remedy: "look at what it acts on before you ask for it again"
  }),
  executionStarted: true,
  mayHaveHappened: true,
  output
})

const started = (
  status: Ending["status"],
  error: EffectError,
  mayHaveHappened: boolean,
  testimony: Testimony
): Ending => ({
  status,
  error,
  executionStarted: true,
  mayHaveHappened,
  output: testimony.output
})
