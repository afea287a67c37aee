/** Entries, plans and questions for tests: whole, with what a test changes. */
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import type { EffectPlan } from "@gatehouse/core/EffectPlan"
import { Fingerprint } from "@gatehouse/core/Fingerprint"
import { CallId, CoreRevision } from "@gatehouse/core/Identifiers"
import type { ApprovalQuestion } from "@gatehouse/policy/approvals/Approvals"
import { testTurn } from "../TestTurn.ts"

export const testEntry = (changes: Partial<EffectEntry> = {}): EffectEntry => ({
  name: "write_file",
  source: "builtin",
  description: "Writes a file",
  inputSchema: {},
  capability: "fs.write",
  risk: "medium",
  policy: { effective: "prompt", decidedBy: "builtin write_file" },
  readOnly: false,
  displayPolicy: "summary",
  modelOutputPolicy: "content",
  coreRevision: CoreRevision("r1"),
  provenance: "builtin write_file",
  component: null,
  metadata: null,
  fingerprint: Fingerprint("e".repeat(64)),
  ...changes
})

export const testPlan = (changes: Partial<EffectPlan<unknown>> = {}): EffectPlan<unknown> => ({
  action: "write",
  target: "a.txt",
  risk: "medium",
  policy: "auto",
  because: [{ rule: "changes a file" }],
  readOnly: false,
  preview: { path: "a.txt" },
  subject: { kind: "path", path: "/ws/a.txt", insideWorkspace: true, sensitive: false },
  approvalShape: null,
  sessionCacheable: true,
  secrets: [],
  writeScope: null,
  timeoutMillis: null,
  prepared: null,
  ...changes
})

const turn = testTurn()

/** One minute is left for it, counted from the beginning of a test's clock. */
export const testQuestion = (changes: Partial<ApprovalQuestion> = {}): ApprovalQuestion => ({
  callId: CallId("call_1"),
  turn,
  entry: testEntry(),
  plan: testPlan(),
  policy: "prompt",
  decidedBy: "builtin write_file",
  deadline: 60_000,
  ...changes
})
