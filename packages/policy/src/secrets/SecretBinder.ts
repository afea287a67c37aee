/** Reads exactly the secrets that were approved, once and for a short time. */
import { SecretError } from "@gatehouse/core/EffectError"
import type { SecretRequest } from "@gatehouse/core/EffectPlan"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { type EnvironmentHost, hostValue } from "../environment/HostEnvironment.ts"
import {
  environmentSource,
  judgeSecretRequests,
  missingSecret,
  type SecretFault,
  secretLifetimeSeconds
} from "./SecretRequests.ts"

export interface BoundSecrets {
  /** By target name. */
  readonly values: ReadonlyMap<string, Redacted.Redacted<string>>
  /** Milliseconds since the epoch of the earliest expiry; null without bindings. */
  readonly expiresAt: number | null
}

export class SecretBinder extends Context.Tag("@gatehouse/policy/SecretBinder")<
  SecretBinder,
  {
    /** `plannedAt`: when the question was asked; a binding that expired since then is refused. */
    readonly bind: (
      requests: ReadonlyArray<SecretRequest>,
      turn: TurnContext,
      plannedAt: number
    ) => Effect.Effect<BoundSecrets, SecretError>
  }
>() {
  /**
   * Binds from the host's own variables, the only source (`env:<NAME>`). A value is read when `bind` runs, which is
   * after the approval, and never before; whether a name is there is not its value.
   *
   * Refuses with the reasons of {@link SecretFault}, and with `expired` where a binding's time ran out while the
   * approver thought.
   */
  static readonly layer = (options: EnvironmentHost): Layer.Layer<SecretBinder> =>
    Layer.succeed(SecretBinder, {
      bind: (requests, turn, plannedAt) =>
        requests.length === 0
          ? Effect.succeed(nothingBound)
          : Effect.flatMap(Clock.currentTimeMillis, (now) => bindNow(requests, turn, plannedAt, now, options))
    })
}

const nothingBound: BoundSecrets = { values: new Map(), expiresAt: null }

const bindNow = (
  requests: ReadonlyArray<SecretRequest>,
  turn: TurnContext,
  plannedAt: number,
  now: number,
  host: EnvironmentHost
): Effect.Effect<BoundSecrets, SecretError> => {
  // The plan judged the same with its own timeout; here the approved requests are held against the turn once more.
  const fault = judgeSecretRequests(requests, {
    grants: turn.capabilities.defaults,
    timeoutSeconds: secretLifetimeSeconds,
    background: false,
    taken: [],
    host
  })
  if (fault !== null) return refuse(fault)
  const expiresAt = plannedAt + 1000 * Math.min(...requests.map(({ expiresInSeconds }) => expiresInSeconds))
  if (now >= expiresAt) return Effect.fail(expired())
  const values = new Map<string, Redacted.Redacted<string>>()
  for (const { source, target } of requests) {
    const name = environmentSource(source) ?? ""
    const value = hostValue(host, name)
    if (value === null || value === "") return refuse(missingSecret(name))
    values.set(target, Redacted.make(value))
  }
  return Effect.succeed({ values, expiresAt })
}

const refuse = ({ message, reason }: SecretFault): Effect.Effect<never, SecretError> =>
  Effect.fail(new SecretError({ reason, message, remedy: "Correct the call, or the core's grants, and call again." }))

const expired = (): SecretError =>
  new SecretError({
    reason: "expired",
    message: "secret_bindings: the time of a binding ran out before the call was approved; nothing was started",
    remedy: "Call again, with a longer expires_in_seconds where people need longer to answer."
  })
