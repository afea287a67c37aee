/** Turns, entries and results as the pipeline makes them, for records. */
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import { fingerprint } from "@gatehouse/core/Fingerprint"
import { CallId, CatalogId, CoreRevision, SessionId, TurnId } from "@gatehouse/core/Identifiers"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import type { RuntimeEvent } from "@gatehouse/core/RuntimeEvents"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import { sameView } from "./views.ts"

export const turnOf = (principal: PrincipalScope, session = "session_1"): TurnContext => ({
  id: TurnId("turn_1"),
  principal,
  session: SessionId(session),
  coreRevision: CoreRevision("rev"),
  coreRoot: "/core",
  capabilities: { fingerprint: fingerprint([]), defaults: [], components: {} },
  workspace: "/workspace",
  deadline: null,
  route: "none",
  cancellation: new AbortController().signal
})

export const entry: EffectEntry = {
  name: "write_file",
  source: "builtin",
  description: "",
  inputSchema: {},
  capability: "fs.write",
  risk: "medium",
  policy: { effective: "auto", decidedBy: "builtin" },
  readOnly: false,
  displayPolicy: "summary",
  modelOutputPolicy: "content",
  coreRevision: CoreRevision("rev"),
  provenance: "builtin write_file",
  component: null,
  metadata: null,
  fingerprint: fingerprint("entry")
}

export const intentOf = (turn: TurnContext, call: string) => ({
  callId: CallId(call),
  turn,
  entry,
  action: "write",
  target: "a.txt",
  readOnly: false,
  writeScope: null,
  at: 1_000
})

export const resultOf = (call: string): EffectResult => ({
  callId: CallId(call),
  tool: "write_file",
  catalog: CatalogId("catalog"),
  status: "succeeded",
  executionStarted: true,
  mayHaveHappened: false,
  error: null,
  provenance: "builtin write_file",
  stages: [],
  views: sameView("done")
})

export const outcomeOf = (turn: TurnContext, call: string) => ({
  turn,
  result: resultOf(call),
  durable: { text: "done" },
  at: 2_000
})

export const eventOf = (session: string, number = 0): RuntimeEvent => ({
  type: "test.event",
  session: SessionId(session),
  turn: null,
  call: null,
  at: 1_000 + number,
  data: { number }
})
