/** Which servers of a session are asked about: each again only some time after somebody refused it. */
import { ApprovalError } from "@gatehouse/core/EffectError"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import { CallId, CatalogId } from "@gatehouse/core/Identifiers"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { unboundCall } from "../runtime/UnboundCall.ts"
import type { AroundPreparing } from "../turns/TurnGate.ts"

/** Milliseconds for which a refusal holds: clients list again whenever they like, and nobody wants to be asked each time. */
export const refusalMillis = 10 * 60 * 1_000

export class ServerOpenings {
  private readonly refusals = new Map<string, { readonly until: number; readonly result: EffectResult }>()
  private readonly clock: Clock.Clock

  constructor(clock: Clock.Clock) {
    this.clock = clock
  }

  /** Passes an opening, or answers it with the refusal that still holds for the same declaration. */
  readonly around: AroundPreparing = (entry, pass) =>
    Effect.suspend(() => {
      const declaration = declarationOf(entry)
      const known = this.refusals.get(declaration)
      if (known !== undefined && this.clock.unsafeCurrentTimeMillis() < known.until) return Effect.succeed(known.result)
      return Effect.map(pass, (result) => {
        if (isRefusal(result)) {
          this.refusals.set(declaration, { until: this.clock.unsafeCurrentTimeMillis() + refusalMillis, result })
        } else this.refusals.delete(declaration)
        return result
      })
    })
}

/** Opens nothing: for a turn that must be there at once. */
export const heldBack: AroundPreparing = (entry) =>
  Effect.sync(() => unboundCall({ callId: CallId(""), tool: entry.name, catalog: CatalogId("") }, "denied", notYet))

const notYet = new ApprovalError({
  reason: "nobody",
  message: "the server is being opened",
  remedy: "the client is told when its list has changed"
})

/** Somebody said no, or nobody answered; a denial by policy asks nobody anyway. */
const isRefusal = ({ error }: EffectResult): boolean =>
  error?._tag === "ApprovalError" && (error.reason === "person" || error.reason === "expired")

/** The entry's metadata holds a fingerprint of its declaration. */
const declarationOf = ({ metadata, name }: SourceEntry): string => JSON.stringify([name, metadata])
