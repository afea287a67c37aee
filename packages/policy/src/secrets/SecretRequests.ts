/**
 * Whether the secrets that a call wants may be bound, decided before anybody is asked and without reading a value.
 * Cases `binding`, `binding-refused` and `reserved-target` of `test/vectors/env-allowlist.json`.
 */
import type { SecretRequest } from "@gatehouse/core/EffectPlan"
import * as Either from "effect/Either"
import { compileGrants } from "../capabilities/CompiledGrants.ts"
import { controllingReason } from "../environment/ControllingNames.ts"
import { foldEnvironmentName, isEnvironmentName } from "../environment/EnvironmentNames.ts"
import type { EnvironmentRefusal } from "../environment/EnvironmentPolicy.ts"
import { type EnvironmentHost, hostHas } from "../environment/HostEnvironment.ts"

/** Bindings of one call. */
export const secretLimit = 16

/** Seconds that a binding lives at most, whatever the call's own timeout. */
export const secretLifetimeSeconds = 120

/** Why a binding is refused. The message names the field and the remedy, never a value. */
export interface SecretFault {
  readonly reason: EnvironmentRefusal
  readonly message: string
}

export interface SecretCircumstances {
  /** Grants of the core to everything: a secret needs `secret.bind:<NAME>` exactly. */
  readonly grants: ReadonlyArray<string>
  readonly timeoutSeconds: number
  readonly background: boolean
  /** Names that the call itself sets. */
  readonly taken: ReadonlyArray<string>
  readonly host: EnvironmentHost
}

/**
 * Reads `secret_bindings` as a model writes them: a list of `source`, `target` (default: the source's name) and
 * `expires_in_seconds` (default: as long as it may be). Other fields are refused: a value never travels in a request.
 */
export const readSecretBindings = (
  raw: unknown,
  timeoutSeconds: number
): Either.Either<ReadonlyArray<SecretRequest>, SecretFault> => {
  if (raw === undefined) return Either.right([])
  if (!Array.isArray(raw)) return Either.left(invalidBinding("secret_bindings", "is no list; give a list of bindings"))
  if (raw.length > secretLimit) return Either.left(tooMany(raw.length))
  const requests: Array<SecretRequest> = []
  for (const [index, item] of raw.entries()) {
    const request = readBinding(item, `secret_bindings.${index}`, timeoutSeconds)
    if (Either.isLeft(request)) return Either.left(request.left)
    requests.push(request.right)
  }
  return Either.right(requests)
}

const readBinding = (
  item: unknown,
  field: string,
  timeoutSeconds: number
): Either.Either<SecretRequest, SecretFault> => {
  if (typeof item !== "object" || item === null || Array.isArray(item)) {
    return Either.left(invalidBinding(field, "is no object; give `source`, and `target` where it has another name"))
  }
  const fields = new Map<string, unknown>(Object.entries(item))
  const unknown = [...fields.keys()].filter((key) => !bindingFields.has(key))
  if (unknown.length > 0) {
    return Either.left(invalidBinding(field, `has a field beside ${[...bindingFields].join(", ")}; remove it`))
  }
  const source = fields.get("source")
  if (typeof source !== "string") return Either.left(invalidBinding(`${field}.source`, "is no text; give `env:<NAME>`"))
  const target = fields.has("target") ? fields.get("target") : (environmentSource(source) ?? "")
  if (typeof target !== "string") return Either.left(invalidBinding(`${field}.target`, "is no text; give a name"))
  const expires = fields.has("expires_in_seconds") ? fields.get("expires_in_seconds") : longestLifetime(timeoutSeconds)
  if (typeof expires !== "number") {
    return Either.left(invalidBinding(`${field}.expires_in_seconds`, "is no number; give whole seconds"))
  }
  return Either.right({ source, target, expiresInSeconds: expires })
}

const bindingFields: ReadonlySet<string> = new Set(["source", "target", "expires_in_seconds"])

/** The variable that `env:<NAME>` names; null for any other source. */
export const environmentSource = (source: string): string | null => {
  const name = source.startsWith("env:") ? source.slice(4) : ""
  return isEnvironmentName(name) ? name : null
}

/** The first fault of `requests`, or null where all of them may be bound. Whether a variable is there is looked at last. */
export const judgeSecretRequests = (
  requests: ReadonlyArray<SecretRequest>,
  circumstances: SecretCircumstances
): SecretFault | null => {
  const { background, grants, host, taken, timeoutSeconds } = circumstances
  if (requests.length === 0) return null
  if (background) {
    const remedy = "run the command in the foreground"
    return fault("background_binding", `secret_bindings: a background call outlives its secrets; ${remedy}`)
  }
  if (requests.length > secretLimit) return tooMany(requests.length)
  const compiled = compileGrants({ defaults: grants, components: {} })
  const targets = new Set(taken.map((name) => foldEnvironmentName(name, host.platform)))
  for (const [index, request] of requests.entries()) {
    const found = judgeOne(request, `secret_bindings.${index}`, timeoutSeconds, targets, host)
    if (found !== null) return found
    targets.add(foldEnvironmentName(request.target, host.platform))
  }
  for (const [index, { source }] of requests.entries()) {
    const name = environmentSource(source) ?? ""
    const capability = `secret.bind:${name}`
    if (!compiled.match(capability, "exact-default").granted) {
      const message = `secret_bindings.${index}.source: the core does not grant ${capability} among its defaults`
      return fault("missing_capability", `${message}; add that whole name under capabilities.defaults of agent.yaml`)
    }
  }
  const absent = requests.map(({ source }) => environmentSource(source) ?? "").find((name) => !hostHas(host, name))
  return absent === undefined ? null : missingSecret(absent)
}

const judgeOne = (
  { expiresInSeconds, source, target }: SecretRequest,
  field: string,
  timeoutSeconds: number,
  targets: ReadonlySet<string>,
  host: EnvironmentHost
): SecretFault | null => {
  if (environmentSource(source) === null) {
    return fault("invalid_source", `${field}.source: is not env:<NAME> with a legal name, the only kind of source`)
  }
  if (!isEnvironmentName(target)) {
    return fault("invalid_name", `${field}.target: is no letter or underscore, then letters, digits and underscores`)
  }
  const controlling = controllingReason(target)
  if (controlling !== null) {
    return fault("reserved_target", `${field}.target: ${target} ${controlling}; bind the secret to a name of its own`)
  }
  if (targets.has(foldEnvironmentName(target, host.platform))) {
    return fault("duplicate_target", `${field}.target: ${target} is set twice; give each its own name`)
  }
  const longest = longestLifetime(timeoutSeconds)
  if (!Number.isInteger(expiresInSeconds) || expiresInSeconds < 1 || expiresInSeconds > longest) {
    return fault("expiry_out_of_range", `${field}.expires_in_seconds: is no whole number from 1 to ${longest}`)
  }
  return null
}

/** Whole seconds that a binding of a call with this timeout may live. */
const longestLifetime = (timeoutSeconds: number): number => Math.floor(Math.min(timeoutSeconds, secretLifetimeSeconds))

/** A source that the host does not have, or has without a value. */
export const missingSecret = (name: string): SecretFault =>
  fault(
    "missing_variable",
    `secret_bindings: the host's environment has no value for ${name}; set it before the host starts`
  )

const tooMany = (count: number): SecretFault =>
  fault("too_many_bindings", `secret_bindings: has ${count} of at most ${secretLimit} bindings; bind fewer in one call`)

const invalidBinding = (field: string, problem: string): SecretFault => fault("invalid_binding", `${field}: ${problem}`)

const fault = (reason: EnvironmentRefusal, message: string): SecretFault => ({ reason, message })
