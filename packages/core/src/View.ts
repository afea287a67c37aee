/**
 * Who reads a result. Every reader has a redacted rendering of its own; nobody but the adapter sees what is raw.
 *
 * `model` goes back to the model and into its history, `operator` to a person, `event` into the event log,
 * `durable` into the database, `debug` to whoever looks for a fault (shapes and keyed fingerprints, never values).
 */
import type { Json } from "./Json.ts"

export const viewNames = ["model", "operator", "event", "durable", "debug"] as const
export type ViewName = (typeof viewNames)[number]

export interface View {
  readonly text: string
  readonly data?: Json
}

export type Views = Readonly<Record<ViewName, View>>

/** The text of all five views where redaction failed. */
export const redactionFailedText = "<redaction-failed>"
