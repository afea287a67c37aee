/** The result of a call that no request could be made for. It repeats nothing of what was asked. */
import type { EffectError } from "@gatehouse/core/EffectError"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import type { CallId, CatalogId } from "@gatehouse/core/Identifiers"
import { stages } from "@gatehouse/core/Stage"
import type { Status } from "@gatehouse/core/Status"
import { sameView } from "@gatehouse/policy/redaction/Redactor"

/** Ended in the binding stage. */
export const unboundCall = (
  call: { readonly callId: CallId; readonly tool: string; readonly catalog: CatalogId },
  status: Status,
  error: EffectError
): EffectResult =>
  Object.freeze({
    ...call,
    status,
    executionStarted: false,
    mayHaveHappened: false,
    error,
    provenance: null,
    stages: stages.map((stage, index) => ({
      stage,
      verdict: index === 0 ? ("refused" as const) : ("skipped" as const),
      rule: index === 0 ? error.message : "an earlier stage ended the call",
      micros: 0
    })),
    views: sameView({
      text: `${status}: ${error.message}; ${error.remedy}`,
      data: {
        status,
        executionStarted: false,
        mayHaveHappened: false,
        error: { tag: error._tag, message: error.message }
      }
    })
  })
