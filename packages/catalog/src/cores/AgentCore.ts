/** A core as it was read: one revision, valid as a whole, frozen. */
import type { DisplayPolicy, ModelOutputPolicy } from "@gatehouse/core/EffectEntry"
import type { SourceDiagnostic } from "@gatehouse/core/EffectSource"
import type { Fingerprint } from "@gatehouse/core/Fingerprint"
import type { CoreRevision } from "@gatehouse/core/Identifiers"
import type { ApprovalSettings, PlacedPolicy, PlacedRisk } from "@gatehouse/core/PolicyMerge"
import type { CapabilitySnapshot } from "@gatehouse/core/TurnContext"
import type { AgentManifest } from "../manifests/AgentManifest.ts"
import type { McpManifest } from "../manifests/McpManifest.ts"
import type { ScheduleManifest } from "../manifests/ScheduleManifest.ts"
import type { ToolManifest } from "../manifests/ToolManifest.ts"

/** The place of a field for people: `agent.yaml:12 approval.tools.write_file`. */
export type Origin = (path: ReadonlyArray<string>) => string

/** A value that a setting gives, and its place. */
export interface Placed<A> {
  readonly value: A
  readonly origin: string
}

/** What `tools.metadata.<tool>` of `agent.yaml` says about one tool. */
export interface ToolSettings {
  /** The place of the block. */
  readonly origin: string
  readonly enabled?: Placed<boolean>
  readonly risk?: PlacedRisk
  readonly policy?: PlacedPolicy
  readonly capability?: Placed<string>
  readonly displayPolicy?: Placed<DisplayPolicy>
  readonly modelOutputPolicy?: Placed<ModelOutputPolicy>
}

export interface AuthoredTool {
  /** Folder name; the name that the model sees. */
  readonly id: string
  /** What path-scoped grants name: `agent/tools/<id>`. */
  readonly component: string
  /** Absolute folder of the tool. */
  readonly folder: string
  /** `agent/tools/<id>/tool.yaml`. */
  readonly file: string
  readonly manifest: ToolManifest
  readonly origin: Origin
  /** Of everything in the folder, as it was read. */
  readonly digest: Fingerprint
}

export interface McpDeclaration {
  /** File name without its ending. */
  readonly server: string
  /** `agent/mcp/<server>.yaml`. */
  readonly file: string
  readonly manifest: McpManifest
  readonly origin: Origin
  /** Of the declaration: another one means another connection. */
  readonly digest: Fingerprint
}

export interface Schedule {
  readonly id: string
  readonly file: string
  readonly manifest: ScheduleManifest
  readonly origin: Origin
}

export interface AgentCore {
  /** Folder that holds `agent.yaml`; absolute, links resolved. */
  readonly root: string
  readonly revision: CoreRevision
  readonly manifest: AgentManifest
  readonly origin: Origin
  /** `approval` of `agent.yaml`, each setting with its place. */
  readonly approval: ApprovalSettings
  /** `tools.metadata` of `agent.yaml`, by tool. */
  readonly metadata: ReadonlyMap<string, ToolSettings>
  /** In the order of their ids. */
  readonly tools: ReadonlyArray<AuthoredTool>
  /** In the order of their names; those with `enabled: false` included. */
  readonly servers: ReadonlyArray<McpDeclaration>
  readonly schedules: ReadonlyArray<Schedule>
  readonly capabilities: CapabilitySnapshot
  readonly diagnostics: ReadonlyArray<SourceDiagnostic>
}
