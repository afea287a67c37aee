/** How a call would fare, stage by stage: the answer of `gatehouse check call`, redacted. */
import type { SourceDiagnostic } from "@gatehouse/core/EffectSource"
import type { CatalogId, CoreRevision } from "@gatehouse/core/Identifiers"
import type { PendingApproval } from "@gatehouse/core/PendingApprovals"
import type { Policy } from "@gatehouse/core/Policy"
import type { Risk } from "@gatehouse/core/Risk"
import type { StageRecord, Verdict } from "@gatehouse/core/Stage"
import type { Status } from "@gatehouse/core/Status"
import type { StandingLook } from "@gatehouse/policy/approvals/standing/StandingAnswers"

/** `asks` is the approval stage's where a person would have to say yes. */
export interface ExplainedStage extends Omit<StageRecord, "verdict"> {
  readonly verdict: Verdict | "asks"
}

/** One setting or check that was heard: where it stands, and what it asks for. */
export interface Voice {
  readonly by: "registry" | "metadata" | "connect" | "core" | "global" | "call"
  readonly policy: Policy
  readonly origin: string
}

/** What the catalog knows of the tool. */
export interface ExplainedEntry {
  readonly source: string
  readonly provenance: string
  readonly capability: string | null
  /** The setting that grants it (`agent.yaml:7 capabilities.defaults.fs.read`); null where none does or none need. */
  readonly grantedAt: string | null
  readonly risk: Risk
  readonly policy: Policy
  readonly decidedBy: string
  readonly readOnly: boolean
  /** Everybody who had a say when the catalog froze; the first of the strictest decided. */
  readonly voices: ReadonlyArray<Voice>
}

/** What was found for this call, where its plan could be made. */
export interface ExplainedPlan {
  readonly risk: Risk
  readonly policy: Policy
  readonly decidedBy: string
  /** What was heard about this call beside its entry. */
  readonly voices: ReadonlyArray<Voice>
  /** The question as a person would read it. */
  readonly question: PendingApproval
  /** What each standing answer of the host makes of it. */
  readonly standing: ReadonlyArray<StandingLook>
}

export interface Explanation {
  readonly tool: string
  readonly catalog: CatalogId
  readonly coreRevision: CoreRevision
  /** `run`: nobody would be asked. `ask`: a person would. `refuse`: it would end before its adapter. */
  readonly decision: "run" | "ask" | "refuse"
  /** How it would end, with `refuse`; null else. */
  readonly status: Status | null
  readonly error: { readonly tag: string; readonly message: string; readonly remedy: string } | null
  /** Binding to approval, in their order. */
  readonly stages: ReadonlyArray<ExplainedStage>
  readonly entry: ExplainedEntry | null
  readonly plan: ExplainedPlan | null
  /** What the catalog lacks and why: servers that a dry run does not open. */
  readonly diagnostics: ReadonlyArray<SourceDiagnostic>
}
