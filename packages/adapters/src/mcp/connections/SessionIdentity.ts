/** Under which authority a session's servers were opened: when it is another one, none of them is used again. Pure. */
import type { AgentCore } from "@gatehouse/catalog/cores/AgentCore"
import type { ApprovalSettings, PolicyMerge } from "@gatehouse/core/PolicyMerge"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import type { TurnContext } from "@gatehouse/core/TurnContext"

export interface SessionIdentity {
  readonly principal: PrincipalScope
  readonly capabilities: string
  readonly workspace: string
  readonly core: AgentCore
  /** What opening each server would ask for, by server. */
  readonly policies: ReadonlyMap<string, string>
}

export interface IdentitySettings {
  readonly merge: PolicyMerge
  /** Approval settings of the host's owner. */
  readonly global: ApprovalSettings
}

export const identityOf = (turn: TurnContext, core: AgentCore, settings: IdentitySettings): SessionIdentity => ({
  principal: turn.principal,
  capabilities: turn.capabilities.fingerprint,
  workspace: turn.workspace,
  core,
  policies: new Map(core.servers.map((declaration) => [declaration.server, connectPolicy(core, declaration, settings)]))
})

const connectPolicy = (
  core: AgentCore,
  { manifest, origin, server }: AgentCore["servers"][number],
  { global, merge }: IdentitySettings
): string => {
  const capability = `mcp.connect:${server}`
  const metadata = core.metadata.get(server)
  const { policy, risk } = merge({
    source: "connect",
    tool: server,
    capability,
    registryCapability: capability,
    registryPolicy: manifest.approval_policy,
    registryRisk: manifest.risk,
    registryOrigin: origin(["approval_policy"]),
    tightenOnly: true,
    metadata: {
      ...(metadata?.policy === undefined ? {} : { policy: metadata.policy }),
      ...(metadata?.risk === undefined ? {} : { risk: metadata.risk })
    },
    core: core.approval,
    global
  })
  return `${policy} ${risk}`
}

/**
 * Whether connections that were opened under `before` may be used under `after`. Declarations that changed are looked at
 * one by one elsewhere; a revision that changed without any of them changing is another core.
 */
export const isSameAuthority = (before: SessionIdentity, after: SessionIdentity): boolean =>
  before.principal === after.principal &&
  before.capabilities === after.capabilities &&
  before.workspace === after.workspace &&
  (before.core === after.core || (isSameBeside(before.core, after.core) && hasSamePolicies(before, after)))

/** Whether two revisions differ in the declarations of servers, and in nothing else that a host reads. */
const isSameBeside = (before: AgentCore, after: AgentCore): boolean =>
  before.root === after.root &&
  (before.revision === after.revision ||
    (commitOf(before) === commitOf(after) && declarationsOf(before) !== declarationsOf(after))) &&
  JSON.stringify(before.manifest) === JSON.stringify(after.manifest) &&
  digestsOf(before) === digestsOf(after) &&
  JSON.stringify(before.schedules) === JSON.stringify(after.schedules)

const hasSamePolicies = (before: SessionIdentity, after: SessionIdentity): boolean => {
  const digests = new Map(before.core.servers.map(({ digest, server }) => [server, digest]))
  return after.core.servers.every(
    ({ digest, server }) => digests.get(server) !== digest || before.policies.get(server) === after.policies.get(server)
  )
}

/** `git:<commit>` of a revision; the empty text where the core lies in no repository. */
const commitOf = ({ revision }: AgentCore): string => /^git:[^+]*/.exec(revision)?.[0] ?? ""

const declarationsOf = ({ servers }: AgentCore): string =>
  servers.map(({ digest, server }) => `${server} ${digest}`).join("\n")

const digestsOf = ({ tools }: AgentCore): string => tools.map(({ digest, id }) => `${id} ${digest}`).join("\n")
