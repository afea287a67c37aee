/**
 * The value that only the pipeline makes, after the stages that come before an adapter have passed. An adapter
 * cannot be run without it: the constructor is private, and {@link Authorized.mint} is kept by lint to the runtime.
 */
import type * as Redacted from "effect/Redacted"
import type { AdapterOutput } from "./AdapterOutcome.ts"
import type { EffectEntry } from "./EffectEntry.ts"
import type { EffectPlan } from "./EffectPlan.ts"
import type { CallId } from "./Identifiers.ts"
import type { Json } from "./Json.ts"
import type { TurnContext } from "./TurnContext.ts"

/** How an adapter tells the pipeline what it saw while it runs, so that a call that is cut off still has an end. */
export interface Witness {
  /** The output so far; used when the call is cut off. The last one counts. */
  readonly output: (output: AdapterOutput) => void
  /** Cleanup could not be confirmed: the call ends as `indeterminate`, whatever cut it off. */
  readonly unconfirmed: (reason: string) => void
  /** Text for whoever watches live; already masked for bound secrets. */
  readonly live: (stream: "stdout" | "stderr", text: string) => void
}

export interface AuthorizedCall<Prepared> {
  readonly callId: CallId
  readonly entry: EffectEntry
  readonly turn: TurnContext
  readonly arguments: Json
  readonly plan: EffectPlan<Prepared>
  /** Bound secrets by target name. Empty for most calls. */
  readonly secrets: ReadonlyMap<string, Redacted.Redacted<string>>
  /** Milliseconds since the epoch on Effect's `Clock`: the earliest of call, turn and secret. */
  readonly deadline: number
  readonly witness: Witness
}

export class Authorized<Prepared> {
  readonly call: AuthorizedCall<Prepared>
  readonly #minted = true

  private constructor(call: AuthorizedCall<Prepared>) {
    this.call = call
  }

  /** What the plan resolved. */
  get prepared(): Prepared {
    return this.call.plan.prepared
  }

  /** Whether `value` was minted here; a structural copy is not. */
  static is(value: unknown): boolean {
    return typeof value === "object" && value !== null && #minted in value && value.#minted
  }

  /** @internal For the runtime's adapter stage only. */
  static mint<Prepared>(call: AuthorizedCall<Prepared>): Authorized<Prepared> {
    return new Authorized(call)
  }
}
