/** What a call on a file asks for, by where its path leads. Pure. */
import type { Policy } from "@gatehouse/core/Policy"
import type { Risk } from "@gatehouse/core/Risk"

export interface PathPlace {
  readonly insideWorkspace: boolean
  readonly sensitive: boolean
}

/**
 * A read of what is sensitive, or lies outside the workspace, counts as high and asks; a write of what is sensitive
 * too; a write outside is denied. `ownRisk` is that of the tool, for the ordinary case.
 */
export const pathApproval = (
  use: "read" | "write",
  { insideWorkspace, sensitive }: PathPlace,
  ownRisk: Risk
): { readonly policy: Policy; readonly risk: Risk } => {
  if (use === "write" && !insideWorkspace) return { policy: "deny", risk: "high" }
  return sensitive || !insideWorkspace ? { policy: "prompt", risk: "high" } : { policy: "auto", risk: ownRisk }
}
