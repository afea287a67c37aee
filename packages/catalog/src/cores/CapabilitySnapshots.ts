/** What a core grants, as a value that a turn keeps. */
import { fingerprint } from "@gatehouse/core/Fingerprint"
import type { CapabilitySnapshot } from "@gatehouse/core/TurnContext"
import type { AgentManifest } from "../manifests/AgentManifest.ts"

/** The grants of `capabilities`; equal grants have one fingerprint whatever their order in the file. */
export const capabilitySnapshot = (manifest: AgentManifest): CapabilitySnapshot => {
  const { defaults, slots } = manifest.capabilities
  const grants = {
    defaults: Object.freeze(Object.keys(defaults).sort()),
    components: Object.freeze(
      Object.fromEntries(
        Object.entries(slots).map(([component, names]) => [component, Object.freeze(Object.keys(names).sort())])
      )
    )
  }
  return Object.freeze({ ...grants, fingerprint: fingerprint(grants) })
}
