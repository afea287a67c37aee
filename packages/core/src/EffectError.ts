/**
 * Why an effect did not succeed: one closed union, one tagged class for each stage or cause. Every one names its
 * stage and says in `message` the field, the shape and the remedy, never a secret.
 */
import * as Data from "effect/Data"
import type { Stage } from "./Stage.ts"

interface Explained {
  readonly message: string
  /** What to do about it; the empty text where nothing helps. */
  readonly remedy: string
}

/** The request is not of this turn's catalog, or its arguments do not fit the schema. */
export class BindingError extends Data.TaggedError("BindingError")<
  Explained & { readonly reason: "foreign" | "arguments" | "unknown_name" }
> {
  readonly stage: Stage = "binding"
}

/** The scope was not issued by this host, or is not valid any more. */
export class PrincipalError extends Data.TaggedError("PrincipalError")<Explained> {
  readonly stage: Stage = "principal"
}

/** The core does not grant what the entry requires. */
export class CapabilityError extends Data.TaggedError("CapabilityError")<Explained & { readonly capability: string }> {
  readonly stage: Stage = "capability"
}

/** The plan's own checks refuse the call. */
export class PreflightError extends Data.TaggedError("PreflightError")<
  Explained & { readonly reason: "denied" | "invalid" | "not_found"; readonly rule: string }
> {
  readonly stage: Stage = "preflight"
}

/** Policy or a person said no, or nobody could be asked. */
export class ApprovalError extends Data.TaggedError("ApprovalError")<
  Explained & { readonly reason: "policy" | "person" | "nobody" | "expired" | "closed" | "store" }
> {
  readonly stage: Stage = "approval"
}

/** A secret could not be bound. */
export class SecretError extends Data.TaggedError("SecretError")<Explained & { readonly reason: string }> {
  readonly stage: Stage = "secrets"
}

/** The adapter ran, or began to, and failed. `reason` is a word of that adapter. */
export class AdapterError extends Data.TaggedError("AdapterError")<
  Explained & { readonly reason: string; readonly mayHaveHappened: boolean }
> {
  readonly stage: Stage = "adapter"
}

/** A deadline ended the call; `by` says whose. */
export class DeadlineError extends Data.TaggedError("DeadlineError")<
  Explained & { readonly by: "call" | "turn" | "secret" }
> {
  readonly stage: Stage = "adapter"
}

/** Somebody cancelled the call; `stage` is where it was. */
export class CancelledError extends Data.TaggedError("CancelledError")<Explained & { readonly stage: Stage }> {}

/** Nobody can know how the call ended. */
export class IndeterminateError extends Data.TaggedError("IndeterminateError")<Explained> {
  readonly stage: Stage = "adapter"
}

/** The result could not be recorded or shown safely. */
export class SettleError extends Data.TaggedError("SettleError")<
  Explained & { readonly reason: "redaction" | "record" | "output" }
> {
  readonly stage: Stage = "settle"
}

/** A defect of Gatehouse or of an adapter: the cause goes to the debug view only. */
export class DefectError extends Data.TaggedError("DefectError")<Explained & { readonly stage: Stage }> {}

export type EffectError =
  | BindingError
  | PrincipalError
  | CapabilityError
  | PreflightError
  | ApprovalError
  | SecretError
  | AdapterError
  | DeadlineError
  | CancelledError
  | IndeterminateError
  | SettleError
  | DefectError
