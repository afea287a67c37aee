/** What is asked for every call: a capability out of a thousand grants, an answer that is remembered, an environment. */
import { Fingerprint } from "@gatehouse/core/Fingerprint"
import { CallId, CoreRevision, PrincipalId, SessionId, TurnId } from "@gatehouse/core/Identifiers"
import { noApprovalSettings } from "@gatehouse/core/PolicyMerge"
import { makePrincipalIssuer } from "@gatehouse/core/PrincipalIssuer"
import { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import { ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import { type ApprovalQuestion, Approvals } from "@gatehouse/policy/approvals/Approvals"
import { layerPendingApprovalsMemory } from "@gatehouse/policy/approvals/PendingApprovalsMemory"
import { mergePolicy } from "@gatehouse/policy/approvals/PolicyMerge"
import { makeCapabilitySnapshot } from "@gatehouse/policy/capabilities/CapabilitySnapshots"
import { compileGrants } from "@gatehouse/policy/capabilities/CompiledGrants"
import { buildEnvironment } from "@gatehouse/policy/environment/BuildEnvironment"
import { defaultEnvironmentSettings } from "@gatehouse/policy/environment/EnvironmentSettings"
import { Redactor } from "@gatehouse/policy/redaction/Redactor"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { BenchRow } from "../lib/BenchRow.ts"

/** Short rounds, of which the best counts: on a busy machine one of them runs undisturbed. */
const rounds = 60

export const measure = async (): Promise<ReadonlyArray<BenchRow>> => [
  { name: "capability match, 1,000 grants", value: capabilityMatch(), limit: 0.3, unit: "µs" },
  { name: "approval by a remembered answer", value: await Effect.runPromise(rememberedAnswer), limit: 5, unit: "µs" },
  { name: "merge of one entry's policy", value: policyMerge(), limit: 10, unit: "µs" },
  { name: "environment of a child, from 100 host variables", value: environment(), limit: 50, unit: "µs" }
]

/** Microseconds of one `work` in the best round. */
const best = (count: number, work: (index: number) => void): number => {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    for (let index = 0; index < count; index++) work(index)
    least = Math.min(least, ((performance.now() - begun) * 1000) / count)
  }
  return least
}

/** Names that are granted whole, through a wildcard, to the component, and not at all. */
const capabilityMatch = (): number => {
  const grants = Array.from({ length: 1_000 }, (_, index) =>
    index % 4 === 0 ? `mcp.call:s${index}:*` : `mcp.call:s${index}`
  )
  const compiled = compileGrants({ defaults: grants, components: { "agent/tools/note": ["fs.read"] } })
  const asked = [
    "mcp.call:s1",
    "mcp.call:s4:search",
    "fs.read",
    "mcp.call:s4",
    "mcp.call:unknown:tool",
    "secret.bind:TOKEN"
  ]
  let granted = 0
  const micros = best(20_000, (index) => {
    if (compiled.match(asked[index % asked.length] ?? "", "gate", "agent/tools/note").granted) granted += 1
  })
  if (granted === 0) throw new Error("nothing was granted: the measurement is wrong")
  return micros
}

const question: ApprovalQuestion = {
  callId: CallId("call_1"),
  turn: {
    id: TurnId("turn_1"),
    principal: makePrincipalIssuer().issue(PrincipalId("principal_0123456789abcdef0123456789abcdef"), "user"),
    session: SessionId("session_0123456789abcdef0123456789abcdef"),
    coreRevision: CoreRevision("0123456789abcdef0123456789abcdef01234567"),
    coreRoot: "/home/somebody/projects/assistant",
    capabilities: makeCapabilitySnapshot(["fs.write"]),
    workspace: "/home/somebody/projects/application",
    deadline: null,
    route: "interactive",
    cancellation: new AbortController().signal
  },
  entry: {
    name: "terminal",
    source: "builtin",
    description: "Runs a command",
    inputSchema: {},
    capability: "terminal.exec",
    risk: "low",
    policy: { effective: "auto", decidedBy: "builtin terminal" },
    readOnly: false,
    displayPolicy: "summary",
    modelOutputPolicy: "content",
    coreRevision: CoreRevision("r1"),
    provenance: "builtin terminal",
    component: null,
    metadata: null,
    fingerprint: Fingerprint("e".repeat(64))
  },
  plan: {
    action: "run",
    target: "npm test --workspace packages/application -- --reporter=dot",
    risk: "high",
    policy: "prompt",
    because: [],
    readOnly: false,
    preview: {},
    subject: { kind: "other" },
    approvalShape: { terminal: "f".repeat(64) },
    sessionCacheable: true,
    secrets: [],
    writeScope: null,
    timeoutMillis: null,
    prepared: null
  },
  policy: "prompt",
  decidedBy: "npm runs project code",
  deadline: Number.MAX_SAFE_INTEGER
}

const rememberedAnswer = Effect.gen(function* () {
  const approvals = yield* Approvals
  yield* approvals.decide(question)
  const count = 2_000
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    const outcome = yield* Effect.repeatN(approvals.decide(question), count - 1)
    least = Math.min(least, ((performance.now() - begun) * 1000) / count)
    if (outcome.decision !== "allowed" || outcome.how !== "cached")
      return yield* Effect.dieMessage("was not remembered")
  }
  return least
}).pipe(
  Effect.provide(
    Approvals.layer({ fingerprintKey: new Uint8Array(32) }).pipe(
      Layer.provide([
        layerPendingApprovalsMemory,
        ApprovalPrompter.layerScripted(["always_allow_for_session"]),
        Redactor.layer({ homeKey: new Uint8Array(32), hostEnvironment: {} }),
        RuntimeEvents.layerNone
      ])
    )
  )
)

const policyMerge = (): number =>
  best(2_000, () => {
    mergePolicy({
      source: "mcp",
      tool: "docs__search",
      capability: "mcp.call:docs",
      registryPolicy: "prompt",
      registryRisk: "medium",
      registryOrigin: "agent/mcp/docs.yaml:3 approval_policy",
      tightenOnly: false,
      metadata: {},
      core: { ...noApprovalSettings, default: { policy: "auto", origin: "agent.yaml:4 approval.default" } },
      global: noApprovalSettings
    })
  })

const environment = (): number => {
  const hostEnvironment = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`VARIABLE_${index}`, "x".repeat(50)])
  )
  return best(500, () => {
    buildEnvironment(
      { purpose: "terminal", overlay: { CI: "true" }, bindings: [], grants: [], timeoutSeconds: 30, background: false },
      {
        hostEnvironment: { ...hostEnvironment, PATH: "/usr/bin:/bin", LANG: "C.UTF-8" },
        platform: "posix",
        controlledHome: "/home/somebody/.gatehouse/children",
        settings: defaultEnvironmentSettings
      }
    )
  })
}
