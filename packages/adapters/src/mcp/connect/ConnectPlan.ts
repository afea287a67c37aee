/**
 * What opening a server would do, judged before anybody is asked: the folder, the variables that are there by name, the
 * URL as far as no packet is needed. No value of a variable is read.
 */
import type { McpDeclaration } from "@gatehouse/catalog/cores/AgentCore"
import { type EffectPlan, PlanRefused } from "@gatehouse/core/EffectPlan"
import type { JsonObject } from "@gatehouse/core/Json"
import type { Risk } from "@gatehouse/core/Risk"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import type { EnvironmentPolicy } from "@gatehouse/policy/environment/EnvironmentPolicy"
import type { EnvironmentHost } from "@gatehouse/policy/environment/HostEnvironment"
import type { Workspaces } from "@gatehouse/policy/paths/Workspaces"
import type { CoreEgress } from "@gatehouse/policy/urls/CoreEgress"
import type { EgressRules } from "@gatehouse/policy/urls/EgressRules"
import type { UrlPolicy } from "@gatehouse/policy/urls/UrlPolicy"
import type * as Context from "effect/Context"
import { httpPreview, stdioPreview } from "./ConnectPreview.ts"
import { missingReference } from "./References.ts"

/** What the deed uses: the place of a folder that was judged, or the URL as it was written. */
export type PreparedConnect =
  | { readonly transport: "stdio"; readonly cwd: string; readonly identity: string | null }
  | { readonly transport: "streamable_http"; readonly egress: ReadonlyArray<EgressRules> }

export interface ConnectJudges {
  readonly workspaces: Pick<Context.Tag.Service<typeof Workspaces>, "judge">
  readonly urls: Pick<Context.Tag.Service<typeof UrlPolicy>, "judgeText">
  /** Rules of the core over where requests may go, beside those of the host. */
  readonly core: Context.Tag.Service<typeof CoreEgress>
  readonly environments: Context.Tag.Service<typeof EnvironmentPolicy>
  readonly host: EnvironmentHost
  /** Key of the home. */
  readonly key: Uint8Array
}

/**
 * Milliseconds that opening may take in all. The server's own `connect_timeout_seconds` counts from its turn among the
 * others on; this bounds the waiting too.
 */
const openingMillis = 600_000

export const planConnect = (
  declaration: McpDeclaration,
  turn: TurnContext,
  judges: ConnectJudges
): EffectPlan<PreparedConnect> | PlanRefused =>
  declaration.manifest.transport === "stdio"
    ? planStdio(declaration, turn, judges)
    : planHttp(declaration, turn, judges)

const planStdio = (declaration: McpDeclaration, turn: TurnContext, judges: ConnectJudges) => {
  const { manifest, origin } = declaration
  const folder = judges.workspaces.judge(manifest.cwd ?? ".", turn.workspace)
  if (!folder.insideWorkspace || folder.malformed || folder.read === "refuse") {
    return new PlanRefused(
      "denied",
      "cwd",
      `${origin(["cwd"])}: ${folder.insideWorkspace ? folder.rule : "leads outside the workspace"}; name a folder inside`
    )
  }
  if (folder.type !== "directory") {
    return new PlanRefused(
      "invalid",
      "cwd",
      `${origin(["cwd"])}: is no folder of the workspace; make it, or correct the name`
    )
  }
  const missing = missingReference([...manifest.args, ...Object.values(manifest.env)], judges.host)
  if (missing !== null) return lacking(declaration, missing)
  const overlay = Object.fromEntries(Object.keys(manifest.env).map((name) => [name, ""]))
  const environment = judges.environments.build({
    purpose: "mcp-stdio",
    overlay,
    bindings: [],
    grants: turn.capabilities.defaults,
    timeoutSeconds: manifest.connect_timeout_seconds,
    background: false
  })
  if (environment.outcome === "refused") {
    return new PlanRefused("invalid", environment.reason, `${declaration.file}: ${environment.message}`)
  }
  return plan(declaration, {
    target: `${declaration.server}: ${manifest.command ?? ""}`,
    risk: environment.risk,
    preview: stdioPreview(declaration, judges.key, folder.resolved),
    prepared: { transport: "stdio", cwd: folder.resolved, identity: folder.identity }
  })
}

const planHttp = (declaration: McpDeclaration, turn: TurnContext, judges: ConnectJudges) => {
  const { manifest, origin } = declaration
  const url = manifest.url ?? ""
  const missing = missingReference([url, ...Object.values(manifest.headers)], judges.host)
  if (missing !== null) return lacking(declaration, missing)
  const egress = judges.core.rulesFor(turn)
  // The host stands in the text itself: references come behind it only.
  const verdict = judges.urls.judgeText(url.replace(/\$\{[A-Za-z_][A-Za-z0-9_]*\}/g, "x"), egress)
  if (verdict.decision === "deny") {
    return new PlanRefused("denied", verdict.rule, `${origin(["url"])}: ${verdict.message}`)
  }
  return plan(declaration, {
    target: `${declaration.server}: ${verdict.audit.origin ?? "a URL"}`,
    risk: "medium",
    preview: httpPreview(declaration, judges.key, verdict.audit.origin),
    prepared: { transport: "streamable_http", egress }
  })
}

const lacking = ({ file }: McpDeclaration, name: string): PlanRefused =>
  new PlanRefused(
    "invalid",
    "missing_variable",
    `${file}: refers to \${${name}}, which the host's environment lacks; set it before the host starts`
  )

const plan = (
  { manifest }: McpDeclaration,
  told: {
    readonly target: string
    readonly risk: Risk
    readonly preview: JsonObject
    readonly prepared: PreparedConnect
  }
): EffectPlan<PreparedConnect> => ({
  action: "connect",
  target: told.target,
  risk: told.risk,
  policy: "prompt",
  because: [{ rule: "opening a server asks" }],
  readOnly: false,
  preview: told.preview,
  subject: { kind: "other" },
  approvalShape: told.preview,
  sessionCacheable: true,
  secrets: [],
  writeScope: null,
  timeoutMillis: openingMillis + manifest.connect_timeout_seconds * 1_000,
  prepared: told.prepared
})
