/** Plans and runs one entry as the pipeline would, without its stages: for tests of adapters alone. */
import type { AdapterOutcome, AdapterOutput } from "@gatehouse/core/AdapterOutcome"
import { Authorized } from "@gatehouse/core/Authorized"
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import type { AdapterError } from "@gatehouse/core/EffectError"
import { type EffectPlan, PlanRefused } from "@gatehouse/core/EffectPlan"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import { fingerprint } from "@gatehouse/core/Fingerprint"
import { CallId, CoreRevision, PrincipalId, SessionId, TurnId } from "@gatehouse/core/Identifiers"
import type { Json } from "@gatehouse/core/Json"
import { makePrincipalIssuer } from "@gatehouse/core/PrincipalIssuer"
import type { CapabilitySnapshot, TurnContext } from "@gatehouse/core/TurnContext"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"

const issuer = makePrincipalIssuer()

export const turnIn = (workspace: string, more: Partial<TurnContext> = {}): TurnContext => ({
  id: TurnId("turn_1"),
  principal: issuer.issue(PrincipalId("person"), "user"),
  session: SessionId("session_1"),
  coreRevision: CoreRevision("revision"),
  coreRoot: workspace,
  capabilities: grants([]),
  workspace,
  deadline: null,
  route: "none",
  cancellation: new AbortController().signal,
  ...more
})

export const grants = (
  defaults: ReadonlyArray<string>,
  components: Readonly<Record<string, ReadonlyArray<string>>> = {}
): CapabilitySnapshot => ({
  fingerprint: fingerprint([...defaults]),
  defaults,
  components
})

/** What the witness was told. */
export interface Told {
  output: AdapterOutput | null
  unconfirmed: string | null
  live: string
}

export interface PlannedCall {
  readonly plan: EffectPlan<unknown> | PlanRefused
  readonly told: Told
  /** Dies where the plan was refused. */
  readonly run: Effect.Effect<AdapterOutcome, AdapterError, Scope.Scope>
}

export const planCall = (
  entry: SourceEntry,
  args: Json,
  turn: TurnContext,
  secrets: ReadonlyMap<string, Redacted.Redacted<string>> = new Map()
): PlannedCall =>
  entry.adapter.use((adapter) => {
    const plan = adapter.plan(args, turn)
    const told: Told = { output: null, unconfirmed: null, live: "" }
    if (plan instanceof PlanRefused) return { plan, told, run: Effect.dieMessage(`refused: ${plan.message}`) }
    const authorized = Authorized.mint({
      callId: CallId("call_1"),
      entry: boundEntry(entry),
      turn,
      arguments: args,
      plan,
      secrets,
      deadline: Number.MAX_SAFE_INTEGER,
      witness: {
        output: (output) => void (told.output = output),
        unconfirmed: (reason) => void (told.unconfirmed ??= reason),
        live: (_, text) => void (told.live += text)
      }
    })
    return { plan, told, run: adapter.run(authorized) }
  })

/** Plans and runs at once. */
export const callEntry = (entry: SourceEntry, args: Json, turn: TurnContext) => planCall(entry, args, turn).run

const boundEntry = (entry: SourceEntry): EffectEntry => ({
  ...entry,
  source: "builtin",
  policy: { effective: entry.policy, decidedBy: entry.policyOrigin },
  coreRevision: CoreRevision("revision"),
  fingerprint: fingerprint(entry.name)
})
