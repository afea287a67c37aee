/** An entry of a source as it stands in a catalog: frozen, settled, with its fingerprint. */
import type { EffectEntry, SourceKind } from "@gatehouse/core/EffectEntry"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import type { CoreRevision } from "@gatehouse/core/Identifiers"
import { isJsonObject } from "@gatehouse/core/Json"
import * as Either from "effect/Either"
import { DigestBytes } from "./DigestBytes.ts"
import type { SettledFields } from "./EntrySettings.ts"
import { Sealer } from "./Sealer.ts"

/** Seals the entries of one catalog, one after another into the same buffer. */
export class EntrySealer {
  private readonly bytes = new DigestBytes()
  private readonly sealer = new Sealer(this.bytes)
  private readonly coreRevision: CoreRevision
  /** The entry whose shared fields stand at the head of the buffer, and where these end. */
  private shared: Shared | null = null
  private sharedEnd = 0

  constructor(coreRevision: CoreRevision) {
    this.coreRevision = coreRevision
  }

  /** The frozen entry, or why its definition cannot be shown to a model. */
  seal(source: SourceKind, entry: SourceEntry, settled: SettledFields): Either.Either<EffectEntry, string> {
    const { bytes, coreRevision, sealer } = this
    const { component, description, inputSchema, metadata, name, provenance, readOnly } = entry
    const { capability, displayPolicy, modelOutputPolicy, policy, risk } = settled
    if (this.shared === null || !isShared(this.shared, source, entry, settled)) this.begin(source, entry, settled)
    bytes.rewind(this.sharedEnd)
    bytes.text(name)
    bytes.text(description)
    if (!isJsonObject(inputSchema)) return Either.left("its input schema is no object")
    const problem = sealer.seal(inputSchema) ?? sealer.seal(metadata)
    if (problem !== null) return Either.left(`its definition ${problem}`)
    return Either.right(
      Object.freeze({
        name,
        source,
        description,
        inputSchema,
        capability,
        risk,
        policy,
        readOnly,
        displayPolicy,
        modelOutputPolicy,
        coreRevision,
        provenance,
        component,
        metadata,
        fingerprint: bytes.fingerprint()
      })
    )
  }

  /** Writes the fields that most entries of a source have in common; they stand for the next one while they are equal. */
  private begin(source: SourceKind, entry: SourceEntry, settled: SettledFields): void {
    const { bytes, sealer } = this
    bytes.rewind(0)
    // Every field of an entry is told, always in this order.
    bytes.text(this.coreRevision)
    bytes.text(source)
    bytes.text(entry.provenance)
    bytes.boolean(entry.readOnly)
    bytes.text(settled.risk)
    bytes.text(settled.displayPolicy)
    bytes.text(settled.modelOutputPolicy)
    bytes.text(settled.policy.effective)
    bytes.text(settled.policy.decidedBy)
    sealer.seal(settled.capability)
    sealer.seal(entry.component)
    this.shared = { source, entry, settled }
    this.sharedEnd = bytes.mark()
  }
}

interface Shared {
  readonly source: SourceKind
  readonly entry: SourceEntry
  readonly settled: SettledFields
}

const isShared = (shared: Shared, source: SourceKind, entry: SourceEntry, settled: SettledFields): boolean =>
  shared.settled === settled &&
  shared.source === source &&
  shared.entry.provenance === entry.provenance &&
  shared.entry.component === entry.component &&
  shared.entry.readOnly === entry.readOnly
