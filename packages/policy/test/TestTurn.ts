/** A turn for tests: whole, with what a test changes. */
import { CoreRevision, PrincipalId, SessionId, TurnId } from "@gatehouse/core/Identifiers"
import { makePrincipalIssuer } from "@gatehouse/core/PrincipalIssuer"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import { makeCapabilitySnapshot } from "@gatehouse/policy/capabilities/CapabilitySnapshots"

export const testTurn = (changes: Partial<TurnContext> = {}): TurnContext => ({
  id: TurnId("turn_1"),
  principal: makePrincipalIssuer().issue(PrincipalId("p1"), "user"),
  session: SessionId("session_1"),
  coreRevision: CoreRevision("r1"),
  coreRoot: "/core",
  capabilities: makeCapabilitySnapshot([]),
  workspace: "/ws",
  deadline: null,
  route: "interactive",
  cancellation: new AbortController().signal,
  ...changes
})
