/** The deed of a connect, in its place among the others: within the limit of the runtime and the server's own time. */
import type { McpDeclaration } from "@gatehouse/catalog/cores/AgentCore"
import { textOutput } from "@gatehouse/core/AdapterOutcome"
import type { Authorized } from "@gatehouse/core/Authorized"
import { boundedText } from "@gatehouse/core/BoundedText"
import type { AdapterError } from "@gatehouse/core/EffectError"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { connectError } from "../connect/ConnectEntry.ts"
import type { PreparedConnect } from "../connect/ConnectPlan.ts"
import { PeerFailure } from "../protocol/PeerFailure.ts"
import type { FairSlots } from "./FairSlots.ts"
import { type OpeningServices, openServer } from "./OpenServer.ts"
import { ServerSlot } from "./ServerSlot.ts"

export interface EstablishServices extends OpeningServices {
  readonly slots: FairSlots
}

/** What became of one attempt; the deed fills it in. */
export interface ConnectAttempt {
  slot: ServerSlot | null
  /** The last of what the server wrote, redacted, where it was not opened. */
  said: string
  retryAfterSeconds: number
}

/** UTF-16 units of what a server wrote that stand in a diagnostic. */
const saidLimit = 300

/** Opens below `parent`, so that closing that ends it at any time; a connect that fails or is cut off leaves nothing. */
export const establish = (
  declaration: McpDeclaration,
  { call, prepared }: Authorized<PreparedConnect>,
  parent: Scope.Scope,
  attempt: ConnectAttempt,
  services: EstablishServices
): Effect.Effect<{ readonly tools: number }, AdapterError> => {
  const seconds = declaration.manifest.connect_timeout_seconds
  const keepSaid = (said: string): void => {
    const shown = services.redactor.text(said, { bindings: new Map(), environment: {}, headers: {} })
    const lines = shown.trim().split("\n")
    attempt.said = boundedText(lines.slice(-3).join(" | "), saidLimit)
    call.witness.output({ ...textOutput(""), operator: { text: shown } })
  }
  const open = (restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const scope = yield* Scope.fork(parent, ExecutionStrategy.sequential)
      const opened = yield* Effect.exit(
        restore(
          openServer(declaration, prepared, call.turn, services, keepSaid).pipe(
            Scope.extend(scope),
            Effect.timeoutFail({ duration: seconds * 1_000, onTimeout: () => late(seconds) })
          )
        )
      )
      if (Exit.isFailure(opened)) {
        yield* Scope.close(scope, Exit.void)
        return yield* Effect.failCause(opened.cause)
      }
      attempt.slot = new ServerSlot(opened.value, scope)
      return { tools: opened.value.tools.tools.length }
    })
  return Effect.uninterruptibleMask((restore) => services.slots.within(call.turn.session, open(restore))).pipe(
    Effect.mapError((failure) => {
      attempt.retryAfterSeconds = failure.retryAfterSeconds ?? 0
      return connectError(failure.reason, failure.message)
    })
  )
}

const late = (seconds: number): PeerFailure =>
  new PeerFailure({
    reason: "closed",
    message: `timed out: handshake and listing together took more than connect_timeout_seconds (${seconds} s)`,
    sent: true
  })
