/**
 * The grants of one snapshot, prepared once so that each look-up afterwards costs a few hash look-ups whatever their
 * number.
 */
import type { CapabilitySnapshot } from "@gatehouse/core/TurnContext"
import type { CapabilityAnswer, CapabilityLookup } from "./CapabilityMatch.ts"
import { isCapabilityName, isSecretCapability } from "./CapabilityName.ts"

export interface CompiledGrants {
  /** Whether `required` is granted to `component` (null: to nobody in particular), as far as `lookup` may look. */
  readonly match: (required: string, lookup: CapabilityLookup, component?: string | null) => CapabilityAnswer
}

/**
 * Prepares a snapshot. `declares` is what the manifests of components list for their own code; only the look-up
 * `inside` sees it.
 *
 * @example
 * const grants = compileGrants(turn.capabilities)
 * grants.match("mcp.call:docs", "gate")              // { granted: true, by: "mcp.call:*" }
 * grants.match("secret.bind:TOKEN", "exact-default") // { granted: false, by: null }
 */
export const compileGrants = (
  snapshot: Pick<CapabilitySnapshot, "defaults" | "components">,
  declares: Readonly<Record<string, ReadonlyArray<string>>> = {}
): CompiledGrants => {
  const defaults = compileList(snapshot.defaults)
  const components = compileEach(snapshot.components)
  const declared = compileEach(declares)

  return {
    match: (required, lookup, component = null) => {
      if (!isCapabilityName(required)) return notGranted
      if (lookup === "exact-default" || isSecretCapability(required)) return defaults.exact.get(required) ?? notGranted
      const byDefault = find(defaults, required)
      if (byDefault !== null) return byDefault
      if (lookup === "default" || component === null) return notGranted
      const byComponent = find(components.get(component), required)
      if (byComponent !== null) return byComponent
      return (lookup === "inside" ? find(declared.get(component), required) : null) ?? notGranted
    }
  }
}

/** One list: whole names, and the names in front of `:*`, each with the answer that it gives. */
interface GrantList {
  readonly exact: ReadonlyMap<string, CapabilityAnswer>
  readonly below: ReadonlyMap<string, CapabilityAnswer>
}

const notGranted: CapabilityAnswer = Object.freeze({ granted: false, by: null })

/**
 * Grants that are neither a name nor a name with `:*` behind it are kept as plain text. They match nothing, since no
 * name that may be asked for holds a `*` or a blank.
 */
const compileList = (grants: ReadonlyArray<string>): GrantList => {
  const exact = new Map<string, CapabilityAnswer>()
  const below = new Map<string, CapabilityAnswer>()
  for (const grant of grants) {
    const answer = Object.freeze({ granted: true, by: grant })
    exact.set(grant, answer)
    if (grant.endsWith(":*")) below.set(grant.slice(0, -2), answer)
  }
  return { exact, below }
}

const compileEach = (lists: Readonly<Record<string, ReadonlyArray<string>>>): ReadonlyMap<string, GrantList> =>
  new Map(Object.entries(lists).map(([component, grants]) => [component, compileList(grants)]))

const find = (list: GrantList | undefined, required: string): CapabilityAnswer | null => {
  if (list === undefined) return null
  const exact = list.exact.get(required)
  if (exact !== undefined) return exact
  if (list.below.size === 0) return null
  for (let at = required.indexOf(":"); at !== -1; at = required.indexOf(":", at + 1)) {
    const below = list.below.get(required.slice(0, at))
    if (below !== undefined) return below
  }
  return null
}
