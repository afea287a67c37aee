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
  /** The fields that stand at the head of the buffer, and where they end. */
  private shared: SharedFields | null = null
  private sharedEnd = 0

  constructor(coreRevision: CoreRevision) {
    this.coreRevision = coreRevision
  }

  /** The frozen entry, or why its definition cannot be shown to a model. */
  seal(source: SourceKind, entry: SourceEntry, settled: SettledFields): Either.Either<EffectEntry, string> {
    const { bytes, coreRevision, sealer } = this
    const { component, description, inputSchema, metadata, name, provenance, readOnly } = entry
    const { capability, displayPolicy, modelOutputPolicy, policy, risk } = settled
    this.begin({ source, settled, provenance, component, readOnly })
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
  private begin(fields: SharedFields): void {
    const { bytes } = this
    if (this.shared === null || !isEqual(this.shared, fields)) {
      const { component, provenance, readOnly, settled, source } = fields
      bytes.rewind(0)
      // Every field of an entry is told, always in this order.
      bytes.text(this.coreRevision)
      bytes.text(source)
      bytes.text(provenance)
      bytes.boolean(readOnly)
      bytes.text(settled.risk)
      bytes.text(settled.displayPolicy)
      bytes.text(settled.modelOutputPolicy)
      bytes.text(settled.policy.effective)
      bytes.text(settled.policy.decidedBy)
      this.sealer.seal(settled.capability)
      this.sealer.seal(component)
      this.shared = fields
      this.sharedEnd = bytes.mark()
    }
    bytes.rewind(this.sharedEnd)
  }
}

interface SharedFields {
  readonly source: SourceKind
  readonly settled: SettledFields
  readonly provenance: string
  readonly component: string | null
  readonly readOnly: boolean
}

const isEqual = (left: SharedFields, right: SharedFields): boolean =>
  left.settled === right.settled &&
  left.source === right.source &&
  left.provenance === right.provenance &&
  left.component === right.component &&
  left.readOnly === right.readOnly
