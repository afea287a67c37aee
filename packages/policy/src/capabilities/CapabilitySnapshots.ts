/** What a core grants at one moment, as a value that can be compared. */
import { fingerprint } from "@gatehouse/core/Fingerprint"
import type { CapabilitySnapshot } from "@gatehouse/core/TurnContext"

/**
 * A frozen snapshot. Its fingerprint depends on the grants as sets: their order, and saying one twice, mean nothing.
 *
 * `defaults` are granted to everything in the core; `components` maps paths in the core (`agent/tools/note`) to what is
 * granted there only.
 */
export const makeCapabilitySnapshot = (
  defaults: ReadonlyArray<string>,
  components: Readonly<Record<string, ReadonlyArray<string>>> = {}
): CapabilitySnapshot => {
  const own = asSet(defaults)
  const scoped = Object.entries(components)
    .map(([component, grants]) => [component, asSet(grants)] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.freeze({
    // A list of pairs, so that a component of any name is a name like any other.
    fingerprint: fingerprint([own, scoped.map(([component, grants]) => [component, grants])]),
    defaults: own,
    components: Object.freeze(Object.fromEntries(scoped))
  })
}

const asSet = (grants: ReadonlyArray<string>): ReadonlyArray<string> => Object.freeze([...new Set(grants)].sort())
