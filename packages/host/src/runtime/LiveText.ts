/**
 * Text of a running call on its way to whoever watches: whatever the adapter let through, nothing raw gets out, and no
 * terminal obeys it. A line is shown when its end is known.
 */
import type { Witness } from "@gatehouse/core/Authorized"
import type { CallId } from "@gatehouse/core/Identifiers"
import { redactionFailedText } from "@gatehouse/core/View"
import type { SecretSources, StreamMask } from "@gatehouse/policy/redaction/Redactor"
import { visibleText } from "@gatehouse/policy/redaction/TerminalText"
import * as Either from "effect/Either"
import type { Dependencies } from "./Dependencies.ts"

export interface LiveText {
  readonly write: Witness["live"]
  /** Shows what was waiting for the end of its line. */
  readonly end: () => void
}

/** Two streams, each masked as a whole, made when the first text comes. */
export const liveText = (
  call: CallId,
  sources: SecretSources,
  { live, redactor }: Pick<Dependencies, "live" | "redactor">
): LiveText => {
  if (live === null) return { write: () => undefined, end: () => undefined }
  const masks = new Map<Stream, StreamMask>()
  const failed = new Set<Stream>()
  const show = (stream: Stream, masked: () => Uint8Array): void => {
    if (failed.has(stream)) return
    const bytes = Either.try(masked)
    if (Either.isLeft(bytes)) {
      failed.add(stream)
      live(call, stream, `${redactionFailedText}\n`)
    } else if (bytes.right.length > 0) live(call, stream, visibleText(Buffer.from(bytes.right).toString("utf8")))
  }
  return {
    write: (stream, text) => {
      const mask = masks.get(stream) ?? redactor.textMask(sources)
      masks.set(stream, mask)
      show(stream, () => mask.push(Buffer.from(text)))
    },
    end: () => {
      for (const [stream, mask] of masks) show(stream, mask.end)
    }
  }
}

type Stream = Parameters<Witness["live"]>[0]
