/** From the judgement of a path to a plan: what is asked, what is refused, and what `run` may rely on. */

import { relative, sep } from "node:path"
import { type EffectPlan, PlanRefused } from "@gatehouse/core/EffectPlan"
import type { Json } from "@gatehouse/core/Json"
import { graver, type Risk } from "@gatehouse/core/Risk"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import type { PathVerdict } from "@gatehouse/policy/paths/PathVerdict"
import type { Workspaces } from "@gatehouse/policy/paths/Workspaces"
import type * as Context from "effect/Context"

export type PathJudge = Context.Tag.Service<typeof Workspaces>

/** What a file tool prepares at least. */
export interface PlannedPath {
  readonly verdict: PathVerdict
  /** The path as people and the model see it: relative to the workspace where it lies inside. */
  readonly shown: string
}

/** Milliseconds that one file effect may take: a hanging network drive must not hold a turn. */
export const fileTimeoutMillis = 30_000

/** Judges `path` for reading or writing; refused where nobody may be asked. */
export const planPath = (
  workspaces: PathJudge,
  path: string,
  turn: TurnContext,
  use: "read" | "write"
): PlannedPath | PlanRefused => {
  const verdict = workspaces.judge(path, turn.workspace)
  if (verdict.malformed)
    return new PlanRefused("invalid", "path.malformed", `path: ${verdict.rule}; give a path of the workspace`)
  if (verdict[use] === "refuse") return new PlanRefused("denied", `path.${use}`, `path: ${refusal(verdict, use)}`)
  return { verdict, shown: shownPath(verdict.resolved, turn.workspace) }
}

const refusal = (verdict: PathVerdict, use: "read" | "write"): string =>
  use === "write" && !verdict.insideWorkspace
    ? "lies outside the workspace, where nothing is written; give a path inside"
    : `${verdict.rule}, and such a place is never ${use === "read" ? "read" : "written"}`

/** The plan of a file effect, with the path's own verdict merged into it. */
export const filePlan = <Prepared extends PlannedPath>(options: {
  readonly action: string
  readonly use: "read" | "write"
  readonly prepared: Prepared
  readonly risk: Risk
  readonly preview: Json
}): EffectPlan<Prepared> => {
  const { prepared, use } = options
  const { verdict } = prepared
  const asks = verdict[use] === "prompt"
  return {
    action: options.action,
    target: prepared.shown,
    risk: asks ? graver(options.risk, "high") : options.risk,
    policy: asks ? "prompt" : "auto",
    because: asks ? [{ rule: verdict.rule, text: prepared.shown }] : [],
    readOnly: use === "read",
    preview: options.preview,
    subject: {
      kind: "path",
      path: prepared.shown,
      insideWorkspace: verdict.insideWorkspace,
      sensitive: verdict.sensitive
    },
    approvalShape: { place: verdict.resolved },
    // One yes to a secret is one yes.
    sessionCacheable: !verdict.sensitive,
    secrets: [],
    writeScope: use === "write" ? `file:${verdict.resolved}` : null,
    timeoutMillis: fileTimeoutMillis,
    prepared
  }
}

/**
 * Whether the place is still what was planned: it leads to itself, is the same thing, and nothing stricter holds by
 * now. `identity` is that of what was really opened.
 */
export const stillAsPlanned = (
  workspaces: PathJudge,
  { verdict }: PlannedPath,
  turn: TurnContext,
  use: "read" | "write"
): ((identity: string | null) => boolean) => {
  return (identity) => {
    const now = workspaces.judge(verdict.resolved, turn.workspace)
    return (
      now.resolved === verdict.resolved &&
      now.identity === identity &&
      verdict.identity === identity &&
      (now[use] === verdict[use] || now[use] === "auto" || now[use] === "allow")
    )
  }
}

export const shownPath = (resolved: string, workspace: string): string => {
  const below = relative(workspace, resolved)
  if (below === "") return "."
  return below === ".." || below.startsWith(`..${sep}`) || below.startsWith(sep) ? resolved : below.split(sep).join("/")
}
