/**
 * One payload as each of five readers gets text from it: the form in which `gatehouse check redact` answers, so that a
 * team sees what its rules do to a whole payload.
 */
import { isJsonObject, type Json } from "@gatehouse/core/Json"
import { redactionFailedText, type ViewName } from "@gatehouse/core/View"
import type { RedactedPayload } from "./Redactor.ts"
import { visibleJson } from "./TerminalText.ts"

/** The five views of a redacted payload; the one fixed text where redaction failed (`null`). */
export const payloadViews = (payload: RedactedPayload | null): Readonly<Record<ViewName, Json>> => {
  if (payload === null) return sameJson(redactionFailedText)
  const model: Json = withoutNull({ ...payload })
  const visible = visibleJson(model)
  return { model, operator: visible, event: visible, durable: visible, debug: visible }
}

const sameJson = (value: Json): Readonly<Record<ViewName, Json>> => ({
  model: value,
  operator: value,
  event: value,
  durable: value,
  debug: value
})

/** A payload without the parts that were not there. */
const withoutNull = (value: Json): Json =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) : value
