/** An entry of a source as it stands in a catalog: copied, frozen, settled, with its fingerprint. */

import { createHash } from "node:crypto"
import type { EffectEntry, SourceKind } from "@gatehouse/core/EffectEntry"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import { canonicalJson, Fingerprint } from "@gatehouse/core/Fingerprint"
import type { CoreRevision } from "@gatehouse/core/Identifiers"
import type { Json, JsonObject } from "@gatehouse/core/Json"
import { isJsonObject } from "@gatehouse/core/Json"
import * as Either from "effect/Either"
import type { SettledFields } from "./EntrySettings.ts"
import { frozenJson, inFieldOrder } from "./FrozenJson.ts"

/** The frozen entry, or why its definition cannot be shown to a model. */
export const frozenEntry = (
  source: SourceKind,
  entry: SourceEntry,
  settled: SettledFields,
  coreRevision: CoreRevision
): Either.Either<EffectEntry, string> => {
  const inputSchema = Either.mapLeft(frozenJson(entry.inputSchema), (reason) => `its input schema ${reason}`)
  if (Either.isLeft(inputSchema)) return Either.left(inputSchema.left)
  if (!isJsonObject(inputSchema.right)) return Either.left("its input schema is no object")
  const metadata = Either.mapLeft(frozenJson(entry.metadata), (reason) => `its metadata ${reason}`)
  if (Either.isLeft(metadata)) return Either.left(metadata.left)
  // The fields stand in code unit order, as the fingerprint needs them.
  const fields = {
    capability: settled.capability,
    component: entry.component,
    coreRevision,
    description: entry.description,
    displayPolicy: settled.displayPolicy,
    inputSchema: inputSchema.right,
    metadata: metadata.right,
    modelOutputPolicy: settled.modelOutputPolicy,
    name: entry.name,
    policy: settled.policy,
    provenance: entry.provenance,
    readOnly: entry.readOnly,
    risk: settled.risk,
    source
  }
  return Either.right(Object.freeze({ ...fields, fingerprint: fingerprintOf(fields) }))
}

/** As core's `fingerprint` of the same fields, for a third of the time. */
const fingerprintOf = (
  fields: Omit<EffectEntry, "fingerprint"> & { readonly inputSchema: JsonObject; readonly metadata: Json }
): Fingerprint => {
  const inputSchema = inFieldOrder(fields.inputSchema)
  const metadata = inFieldOrder(fields.metadata)
  const { decidedBy, effective } = fields.policy
  const text =
    inputSchema === undefined || metadata === undefined
      ? canonicalJson({ ...fields, policy: { decidedBy, effective } })
      : JSON.stringify({ ...fields, inputSchema, metadata, policy: { decidedBy, effective } })
  return Fingerprint(createHash("sha256").update(text).digest("hex"))
}
