/** `gatehouse check env`: what environment does the child get? */

import type { SecretRequest } from "@gatehouse/core/EffectPlan"
import type { Json } from "@gatehouse/core/Json"
import { buildEnvironment, type EnvironmentBasis } from "@gatehouse/policy/environment/BuildEnvironment"
import type { EnvironmentAnswer } from "@gatehouse/policy/environment/EnvironmentPolicy"
import { defaultEnvironmentSettings, EnvironmentSettings } from "@gatehouse/policy/environment/EnvironmentSettings"
import { hostValue } from "@gatehouse/policy/environment/HostEnvironment"
import { environmentSource, missingSecret, readSecretBindings } from "@gatehouse/policy/secrets/SecretRequests"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { decodeCase } from "./CaseInput.ts"
import type { CheckKind } from "./CheckKind.ts"

/** The form of `test/vectors/env-allowlist.json`, and what the host's owner may set. */
const EnvCase = Schema.Struct({
  purpose: Schema.optionalWith(Schema.Literal("terminal", "mcp-stdio"), { default: () => "terminal" as const }),
  platform: Schema.optionalWith(Schema.Literal("posix", "windows"), { default: () => "posix" as const }),
  parent: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.String }), { default: () => ({}) }),
  overlay: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Unknown }), { default: () => ({}) }),
  bindings: Schema.optional(Schema.Unknown),
  grants: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  timeout_seconds: Schema.optionalWith(Schema.Number, { default: () => defaultTimeoutSeconds }),
  background: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  settings: Schema.optionalWith(EnvironmentSettings, { default: () => defaultEnvironmentSettings })
})

/** The terminal's own default. */
const defaultTimeoutSeconds = 30

/** Stands for the folder that a host would choose. */
const controlledHome = "<controlled-home>"

export const envCheck: CheckKind = {
  name: "env",
  summary: "what environment does the child get?",
  decide: (input) => Effect.map(decodeCase(EnvCase, input), decideCase)
}

const decideCase = (question: typeof EnvCase.Type): Json => {
  const basis = {
    hostEnvironment: question.parent,
    platform: question.platform,
    controlledHome,
    settings: question.settings
  }
  const overlay = new Map<string, string>()
  for (const [name, value] of Object.entries(question.overlay)) {
    if (typeof value !== "string")
      return refused("invalid_value", `env.${name}: is of type ${typeof value}; give a text`)
    overlay.set(name, value)
  }
  const bindings = readSecretBindings(question.bindings, question.timeout_seconds)
  if (Either.isLeft(bindings)) return refused(bindings.left.reason, bindings.left.message)
  const answer = buildEnvironment(
    {
      purpose: question.purpose,
      overlay: Object.fromEntries(overlay),
      bindings: bindings.right,
      grants: question.grants,
      timeoutSeconds: question.timeout_seconds,
      background: question.background
    },
    basis
  )
  return answer.outcome === "refused" ? refused(answer.reason, answer.message) : built(answer, bindings.right, basis)
}

/** The environment as it is once the call was approved: with the bound values, which are the question's own. */
const built = (
  answer: Extract<EnvironmentAnswer, { outcome: "built" }>,
  bindings: ReadonlyArray<SecretRequest>,
  basis: EnvironmentBasis
): Json => {
  const env = new Map(Object.entries(answer.environment))
  for (const { source, target } of bindings) {
    const name = environmentSource(source) ?? ""
    const value = hostValue(basis, name)
    if (value === null || value === "") return refused("missing_variable", missingSecret(name).message)
    env.set(target, value)
  }
  return {
    outcome: "built",
    env: Object.fromEntries(env),
    requires_approval: answer.requiresApproval,
    risk: answer.risk,
    session_cacheable: answer.sessionCacheable,
    effective_timeout_seconds: answer.effectiveTimeoutSeconds
  }
}

const refused = (reason: string, message: string): Json => ({ outcome: "refused", reason, message })
