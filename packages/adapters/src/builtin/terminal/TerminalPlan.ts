/** What a terminal call would do, and what speaks against it: decided before anybody is asked, and without doing it. */
import { boundedText } from "@gatehouse/core/BoundedText"
import {
  type ApprovalSubject,
  type EffectPlan,
  type PlanReason,
  PlanRefused,
  type SecretRequest
} from "@gatehouse/core/EffectPlan"
import { keyedFingerprint } from "@gatehouse/core/Fingerprint"
import type { Json } from "@gatehouse/core/Json"
import { graver, type Risk } from "@gatehouse/core/Risk"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import type { CommandReview, CommandVerdict } from "@gatehouse/policy/commands/CommandReview"
import type { EnvironmentAnswer, EnvironmentPolicy } from "@gatehouse/policy/environment/EnvironmentPolicy"
import type { PathVerdict } from "@gatehouse/policy/paths/PathVerdict"
import type { Workspaces } from "@gatehouse/policy/paths/Workspaces"
import { readSecretBindings } from "@gatehouse/policy/secrets/SecretRequests"
import type * as Context from "effect/Context"
import * as Either from "effect/Either"
import { shownPath } from "../files/FilePlan.ts"
import type { CommandSettings } from "./CommandSettings.ts"
import type { TerminalArguments } from "./TerminalArguments.ts"

/** The services that decide, and the key under which values are fingerprinted. */
export interface TerminalJudges {
  readonly workspaces: Context.Tag.Service<typeof Workspaces>
  readonly review: Context.Tag.Service<typeof CommandReview>
  readonly environment: Context.Tag.Service<typeof EnvironmentPolicy>
  readonly key: Uint8Array
  /** Whether somebody keeps tasks. */
  readonly hasTasks: boolean
  readonly settings: Context.Tag.Service<typeof CommandSettings>
}

/** What `run` uses. Nothing of it is looked up again by name. */
export interface PreparedCommand {
  readonly command: string
  readonly cwd: PathVerdict
  /** The folder as people see it: relative to the workspace. */
  readonly shownCwd: string
  /** Whole, but for the secrets, which are bound after the approval. */
  readonly environment: Readonly<Record<string, string>>
  readonly stdin: string | null
  readonly timeoutMillis: number
  readonly background: boolean
}

export const shell = "/bin/sh"

/** Characters of a command as the target of a question, and in its preview (behaviour A20). */
const targetLength = 1000
const previewLength = 2000

/**
 * git asks nobody, pages nothing and takes no lock that it can do without: a command that only reads a repository must
 * neither wait for a terminal nor stand in the way of its owner.
 */
const quietGit = { GIT_TERMINAL_PROMPT: "0", GIT_PAGER: "cat", GIT_OPTIONAL_LOCKS: "0" } as const

export const planTerminal = (
  judges: TerminalJudges,
  args: TerminalArguments,
  turn: TurnContext
): EffectPlan<PreparedCommand> | PlanRefused => {
  const cwd = planDirectory(judges, args.cwd, turn)
  if (cwd instanceof PlanRefused) return cwd
  const built = planEnvironment(judges, args, turn)
  if (built instanceof PlanRefused) return built
  const { answer, secrets } = built
  if (args.background && !judges.hasTasks) {
    return new PlanRefused("invalid", "terminal.background", "background: is not available in this host; leave it out")
  }
  const environment: Readonly<Record<string, string>> = { ...quietGit, ...answer.environment }
  const verdict = judges.review.review({
    command: args.command,
    cwd: cwd.resolved,
    workspace: turn.workspace,
    cwdInWorkspace: cwd.insideWorkspace,
    environmentOverlay: Object.keys(args.env),
    background: args.background,
    searchPath: environment["PATH"] ?? null
  })
  if (verdict.decision === "block") return new PlanRefused("denied", ruleOf(verdict), blocked(verdict))

  const concerns = concernsOf(args, cwd, answer, verdict)
  const asks = concerns.length > 0
  const timeoutSeconds = Math.min(
    answer.effectiveTimeoutSeconds,
    judges.settings.of(turn).wallSeconds ?? Number.POSITIVE_INFINITY
  )
  return {
    action: "run",
    target: boundedText(args.command, targetLength),
    risk: concerns.reduce((risk, concern) => graver(risk, concern.risk), verdict.risk),
    policy: asks ? "prompt" : "auto",
    because: asks ? concerns.map(({ reason }) => reason) : verdict.because,
    readOnly: !asks && verdict.class === "read_only",
    preview: previewOf(args, turn, cwd, environment, verdict, secrets, timeoutSeconds),
    subject: subjectOf(args, turn, cwd, verdict),
    approvalShape: shapeOf(judges.key, args, cwd, secrets, timeoutSeconds),
    sessionCacheable: answer.sessionCacheable,
    secrets,
    writeScope: null,
    timeoutMillis: timeoutSeconds * 1000,
    prepared: {
      command: args.command,
      cwd,
      shownCwd: shownPath(cwd.resolved, turn.workspace),
      environment,
      stdin: args.stdin ?? null,
      timeoutMillis: timeoutSeconds * 1000,
      background: args.background
    }
  }
}

const planDirectory = ({ workspaces }: TerminalJudges, path: string, turn: TurnContext): PathVerdict | PlanRefused => {
  const verdict = workspaces.judge(path, turn.workspace)
  if (verdict.malformed) {
    return new PlanRefused("invalid", "cwd.malformed", `cwd: ${verdict.rule}; name a folder of the workspace`)
  }
  if (!verdict.insideWorkspace) {
    return new PlanRefused("denied", "cwd.outside", "cwd: lies outside the workspace; name a folder inside")
  }
  if (verdict.read === "refuse") {
    return new PlanRefused("denied", "cwd.refused", `cwd: ${verdict.rule}; name another folder of the workspace`)
  }
  if (verdict.type !== "directory") {
    const [status, what] =
      verdict.type === "missing" ? (["not_found", "is not there"] as const) : (["invalid", "is no folder"] as const)
    return new PlanRefused(status, "cwd.folder", `cwd: ${what}; name a folder of the workspace`)
  }
  return verdict
}

const planEnvironment = (judges: TerminalJudges, args: TerminalArguments, turn: TurnContext) => {
  const bindings = readSecretBindings(args.secret_bindings, args.timeout_seconds)
  if (Either.isLeft(bindings)) return new PlanRefused("invalid", `env.${bindings.left.reason}`, bindings.left.message)
  const answer = judges.environment.build({
    purpose: "terminal",
    overlay: args.env,
    bindings: bindings.right,
    grants: turn.capabilities.defaults,
    timeoutSeconds: args.timeout_seconds,
    background: args.background
  })
  if (answer.outcome === "refused") {
    const status = answer.reason === "missing_capability" ? "denied" : "invalid"
    return new PlanRefused(status, `env.${answer.reason}`, answer.message)
  }
  return { answer, secrets: bindings.right }
}

/** One reason to ask a person. */
interface Concern {
  readonly risk: Risk
  readonly reason: PlanReason
}

const concernsOf = (
  args: TerminalArguments,
  cwd: PathVerdict,
  answer: Extract<EnvironmentAnswer, { outcome: "built" }>,
  verdict: CommandVerdict
): ReadonlyArray<Concern> => {
  const concerns: Array<Concern> = []
  if (verdict.decision !== "allow") {
    const reasons: ReadonlyArray<PlanReason> = verdict.because.length > 0 ? verdict.because : [{ rule: verdict.class }]
    concerns.push(...reasons.map((reason) => ({ risk: verdict.risk, reason })))
  }
  if (answer.requiresApproval) {
    concerns.push({ risk: answer.risk, reason: { rule: "adds variables or secrets to the environment" } })
  }
  if (cwd.read === "prompt") concerns.push({ risk: "high", reason: { rule: `cwd: ${cwd.rule}` } })
  // Programs that take instructions from standard input look like readers; the review sees the command only.
  if (hasInput(args))
    concerns.push({ risk: "medium", reason: { rule: "gives the command an input that was not reviewed" } })
  return concerns
}

const hasInput = ({ stdin }: TerminalArguments): boolean => stdin !== undefined && stdin !== ""

/**
 * What an answer given in advance has to cover. One that was given to commands covers neither variables nor input that
 * came with one; where the command runs in another folder than the workspace, the way there is a part like any other.
 */
const subjectOf = (
  args: TerminalArguments,
  turn: TurnContext,
  cwd: PathVerdict,
  verdict: CommandVerdict
): ApprovalSubject => {
  const parts = isPlain(args) ? verdict.parts : []
  const folder = shownPath(cwd.resolved, turn.workspace)
  const isElsewhere = parts.length > 0 && cwd.resolved !== turn.workspace
  return {
    kind: "command",
    parts: isElsewhere ? [["cd", folder], ...parts] : parts,
    blocked: false,
    literal: isPlain(args) && cwd.read === "auto"
  }
}

const isPlain = (args: TerminalArguments): boolean =>
  Object.keys(args.env).length === 0 && args.secret_bindings.length === 0 && !hasInput(args) && !args.background

const ruleOf = (verdict: CommandVerdict): string => verdict.because[0]?.rule ?? "command.blocked"

const blocked = (verdict: CommandVerdict): string => {
  const rules = [...new Set(verdict.because.map(({ rule }) => rule))]
  return `command: is never run (${rules.join("; ") || verdict.class}); do it another way`
}

/** What an approver reads: where and with what, and no value of a variable. */
const previewOf = (
  args: TerminalArguments,
  turn: TurnContext,
  cwd: PathVerdict,
  environment: Readonly<Record<string, string>>,
  verdict: CommandVerdict,
  secrets: ReadonlyArray<SecretRequest>,
  timeoutSeconds: number
): Json => ({
  command: boundedText(args.command, previewLength),
  cwd: shownPath(cwd.resolved, turn.workspace),
  shell,
  executable: executableOf(verdict),
  adds: Object.keys(args.env),
  environment: Object.keys(environment).sort(),
  // A field that is called `secrets` would be hidden; what is bound is for the approver to see.
  binds: secrets.map(({ expiresInSeconds, source, target }) => ({ source, target, expiresInSeconds })),
  stdin: hasInput(args) ? `${args.stdin?.length ?? 0} characters` : null,
  timeoutSeconds,
  background: args.background,
  review: { decision: verdict.decision, risk: verdict.risk, class: verdict.class }
})

/** Where the child's own PATH leads for the first program of the command; null where that cannot be told. */
const executableOf = ({ parts, resolved }: CommandVerdict): string | null => {
  const name = parts[0]?.[0]
  return name === undefined ? null : (Object.entries(resolved).find(([known]) => known === name)?.[1] ?? null)
}

/** An answer covers exactly this: the same text elsewhere, or with another variable, asks anew. */
const shapeOf = (
  key: Uint8Array,
  args: TerminalArguments,
  cwd: PathVerdict,
  secrets: ReadonlyArray<SecretRequest>,
  timeoutSeconds: number
): Json => ({
  command: args.command,
  cwd: cwd.resolved,
  env: Object.entries(args.env)
    .map(([name, value]) => ({ name, value: keyedFingerprint(key, value) }))
    .sort((left, right) => (left.name < right.name ? -1 : 1)),
  stdin: args.stdin === undefined ? null : keyedFingerprint(key, args.stdin),
  secrets: secrets.map(({ expiresInSeconds, source, target }) => ({ source, target, expiresInSeconds })),
  timeoutSeconds,
  background: args.background
})
