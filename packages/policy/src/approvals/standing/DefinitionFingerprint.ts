/** What a standing answer knows a tool by: its definition, without what settings say about it. */
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import { type Fingerprint, fingerprint } from "@gatehouse/core/Fingerprint"

/**
 * Changes when the definition does: description, schema, capability, provenance and what the source says of it. The
 * exposed name, risk and policy are not part of it. The code of an authored tool, and the declaration behind a connect,
 * lie in the core: there the core's revision is part of the definition.
 */
export const definitionFingerprint = (entry: EffectEntry): Fingerprint =>
  fingerprint([
    entry.source,
    entry.provenance,
    entry.description,
    entry.inputSchema,
    entry.capability,
    entry.metadata,
    entry.source === "mcp" ? null : entry.coreRevision
  ])

/** Whether answers for entries of `source` have to name the definition: all but the host's own builtins. */
export const needsDefinition = (source: string): boolean => source !== "builtin"
