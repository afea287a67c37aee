/** The outcome of one call. `execute` never fails: whatever happened is a value of this type. */
import type { EffectError } from "./EffectError.ts"
import type { CallId, CatalogId } from "./Identifiers.ts"
import type { StageRecord } from "./Stage.ts"
import type { Status } from "./Status.ts"
import type { Views } from "./View.ts"

export interface EffectResult {
  readonly callId: CallId
  readonly tool: string
  readonly catalog: CatalogId
  readonly status: Status
  /** Whether the adapter began. False is a promise: nothing happened. */
  readonly executionStarted: boolean
  /** Whether an effect may have taken place although the call did not succeed. */
  readonly mayHaveHappened: boolean
  /** Null exactly when `status` is `succeeded`. Its message is redacted. */
  readonly error: EffectError | null
  /** Where the entry comes from; null only with `not_found`. */
  readonly provenance: string | null
  readonly stages: ReadonlyArray<StageRecord>
  readonly views: Views
}
