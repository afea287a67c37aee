/**
 * The environment of a child, as a pure function: the listed names of the host, a home of its own, and what the call or
 * the declaration adds. A variable of the host reaches a child only if it is listed.
 */
import type { Risk } from "@gatehouse/core/Risk"
import { judgeSecretRequests } from "../secrets/SecretRequests.ts"
import { controllingReason } from "./ControllingNames.ts"
import { foldEnvironmentName, homeNames, inheritedNames, isEnvironmentName, isOwnName } from "./EnvironmentNames.ts"
import type { EnvironmentAnswer, EnvironmentQuestion, EnvironmentRefusal } from "./EnvironmentPolicy.ts"
import type { EnvironmentSettings } from "./EnvironmentSettings.ts"
import { type EnvironmentHost, hostHas, hostValue } from "./HostEnvironment.ts"

export interface EnvironmentBasis extends EnvironmentHost {
  /** Absolute; the private folder that children see as their home. */
  readonly controlledHome: string
  readonly settings: EnvironmentSettings
}

/** Bytes of one `NAME=value` with its end mark: Linux takes no longer string (`MAX_ARG_STRLEN`, execve(2)). */
export const variableLimit = 131_072

/**
 * Answers one question. The environment has no bound secrets in it: these are read after the approval only.
 *
 * @example
 * buildEnvironment({ purpose: "terminal", overlay: { CI: "true" }, ... }, basis)
 * // { outcome: "built", environment: { PATH: ..., HOME: ..., CI: "true" }, requiresApproval: true, risk: "high", ... }
 */
export const buildEnvironment = (question: EnvironmentQuestion, basis: EnvironmentBasis): EnvironmentAnswer => {
  const environment = inherited(basis)
  const refused = addOverlay(environment, question, basis) ?? judgeBindings(question, basis)
  if (refused !== null) return refused
  const changed = Object.keys(question.overlay).length > 0 || question.bindings.length > 0
  return {
    outcome: "built",
    environment: Object.fromEntries(environment),
    requiresApproval: changed,
    risk: riskOf(question, changed),
    sessionCacheable: question.bindings.length === 0,
    effectiveTimeoutSeconds: Math.min(
      question.timeoutSeconds,
      ...question.bindings.map(({ expiresInSeconds }) => expiresInSeconds)
    )
  }
}

/** The listed names that the host has, in the list's spelling, and the home. Empty values are left out. */
const inherited = (basis: EnvironmentBasis): Map<string, string> => {
  const environment = new Map<string, string>()
  for (const name of [...inheritedNames[basis.platform], ...basis.settings.inherit]) {
    const value = hostValue(basis, name)
    if (value !== null && value !== "") environment.set(name, value)
  }
  for (const name of homeNames[basis.platform]) {
    const own = basis.settings.home === "host" ? hostValue(basis, name) : null
    environment.set(name, own === null || own === "" ? basis.controlledHome : own)
  }
  return environment
}

const addOverlay = (
  environment: Map<string, string>,
  { overlay, purpose }: EnvironmentQuestion,
  basis: EnvironmentBasis
): EnvironmentAnswer | null => {
  const added = new Set<string>()
  for (const [name, text] of Object.entries(overlay)) {
    if (!isEnvironmentName(name)) return refuse("invalid_name", `env: a name is ${nameShape}; rename it`)
    if (isOwnName(name))
      return refuse("reserved_target", `env.${name}: is a mark of Gatehouse itself; choose another name`)
    const folded = foldEnvironmentName(name, basis.platform)
    if (added.has(folded)) {
      return refuse("duplicate_target", `env.${name}: is there twice in other letter case; keep one of them`)
    }
    added.add(folded)
    const missing = purpose === "mcp-stdio" ? missingReference(text, basis) : null
    if (missing !== null) {
      const remedy = "set it before the host starts, or take the reference out"
      return refuse(
        "missing_variable",
        `env.${name}: refers to ${missing}, which the host's environment lacks; ${remedy}`
      )
    }
    const value = purpose === "mcp-stdio" ? resolveReferences(text, basis) : text
    const fault = valueFault(name, value)
    if (fault !== null) return refuse("invalid_value", `env.${name}: ${fault}`)
    for (const present of environment.keys()) {
      if (foldEnvironmentName(present, basis.platform) === folded) environment.delete(present)
    }
    environment.set(name, value)
  }
  return null
}

const nameShape = "a letter or underscore, then letters, digits and underscores"

/** `${NAME}` with a legal name. Anything else between braces is text. */
const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

const missingReference = (text: string, basis: EnvironmentBasis): string | null => {
  for (const [, name = ""] of text.matchAll(reference)) if (!hostHas(basis, name)) return name
  return null
}

/** One pass: what a value brings in is not looked at again. */
const resolveReferences = (text: string, basis: EnvironmentBasis): string =>
  text.replace(reference, (_, name: string) => hostValue(basis, name) ?? "")

const valueFault = (name: string, value: string): string | null => {
  if (value.includes("\0")) return "the value holds a NUL character, where every value ends; remove it"
  if (/\p{Surrogate}/u.test(value))
    return "the value holds half of a surrogate pair, which has no UTF-8 form; remove it"
  const bytes = Buffer.byteLength(name) + Buffer.byteLength(value) + 2
  return bytes > variableLimit ? `the value makes ${bytes} bytes of at most ${variableLimit}; pass it in a file` : null
}

const judgeBindings = (question: EnvironmentQuestion, basis: EnvironmentBasis): EnvironmentAnswer | null => {
  if (question.bindings.length === 0) return null
  if (question.purpose !== "terminal") {
    return refuse("invalid_binding", "secret_bindings: only a terminal call takes them; use `env` with ${NAME}")
  }
  const fault = judgeSecretRequests(question.bindings, {
    grants: question.grants,
    timeoutSeconds: question.timeoutSeconds,
    background: question.background,
    taken: Object.keys(question.overlay),
    host: basis
  })
  return fault === null ? null : refuse(fault.reason, fault.message)
}

/**
 * What is added to a command is put before a person as high risk, whatever its name, as the command review says too. A
 * declaration's own entries are a part of opening its server, which asks anyway; there the name decides.
 */
const riskOf = ({ overlay, purpose }: EnvironmentQuestion, changed: boolean): Risk => {
  if (!changed) return "low"
  if (purpose === "terminal") return "high"
  return Object.keys(overlay).some((name) => controllingReason(name) !== null) ? "high" : "medium"
}

const refuse = (reason: EnvironmentRefusal, message: string): EnvironmentAnswer => ({
  outcome: "refused",
  reason,
  message
})
