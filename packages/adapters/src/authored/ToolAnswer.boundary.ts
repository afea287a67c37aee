/** From whatever a tool returned to an outcome. */
import { type AdapterOutcome, textOutput } from "@gatehouse/core/AdapterOutcome"
import { isJsonObject, type Json, type JsonObject } from "@gatehouse/core/Json"
import * as Either from "effect/Either"
import { cutText } from "../text/TextCut.ts"
import { type PlainBounds, plainValue } from "./PlainValue.boundary.ts"
import { thrownText } from "./ThrownText.boundary.ts"

/** Characters of text that a call of an authored tool gives. */
export const textLimit = 20_000

/** Of the data that a call gives. */
const dataBounds: PlainBounds = { depth: 32, count: 20_000, size: 200_000 }

/** What the host alone says about a call, in the spellings that a reader might take for it. */
const hostFields: ReadonlySet<string> = new Set([
  "executionStarted",
  "execution_started",
  "mayHaveHappened",
  "may_have_happened",
  "denial",
  "approval"
])

/** The outcome for `value`, with what the tool wrote to `ctx.output` in front; or what its own code threw. */
export const answerOrFault = (value: unknown, written: string): Either.Either<AdapterOutcome, string> => {
  try {
    return Either.right(answerOf(value, written))
  } catch (error) {
    return Either.left(thrownText(error))
  }
}

const answerOf = (value: unknown, written: string): AdapterOutcome => {
  const raw = textual(value)
  if (raw !== null) return succeeded(joined([written, raw === "" && written === "" ? nothing : raw]), null)
  const { truncated, value: plain } = plainValue(value, dataBounds)
  const data = isJsonObject(plain) ? withoutHostFields(plain) : plain
  const note = truncated ? "… the data were too large and are not complete" : ""
  if (!isJsonObject(data) || typeof data["text"] !== "string") {
    return succeeded(joined([written, JSON.stringify(data, null, 2)], note), data)
  }
  const text = joined([written, data["text"]], note)
  const inner = data["data"] ?? null
  if (data["status"] !== "failed") return succeeded(text, inner)
  return { ...succeeded(text, inner), status: "failed", message: messageOf(data) }
}

const nothing = "(the tool returned nothing)"

/** What is text by nature; null for what has a structure. */
const textual = (value: unknown): string | null => {
  if (value === undefined || value === null) return ""
  if (typeof value === "string") return value
  if (typeof value === "symbol" || typeof value === "function") return `(a ${typeof value})`
  if (typeof value !== "object") return String(value)
  if (value instanceof Uint8Array) return bytesText(value)
  return null
}

const decoder = new TextDecoder("utf-8", { fatal: true })

/** Bytes that are text are shown as such. */
const bytesText = (bytes: Uint8Array): string => {
  // Four bytes a character at most: what lies beyond is cut anyhow, but would take time to decode.
  if (bytes.byteLength > textLimit * 4) return `(${bytes.byteLength} bytes)`
  try {
    return decoder.decode(bytes)
  } catch {
    return `(${bytes.byteLength} bytes)`
  }
}

const withoutHostFields = (data: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([key]) => !hostFields.has(key)))

const messageOf = (data: JsonObject): string => {
  const message = data["message"]
  return typeof message === "string" && message !== "" ? cutText(message, 500) : "the tool says that it failed"
}

/** The parts below one another, within the bound; the note is never what is cut. */
const joined = (parts: ReadonlyArray<string>, note = ""): string => {
  const present = parts.filter((part) => part !== "")
  const text = present.map((part, index) => (index === present.length - 1 ? part : part.replace(/\n$/, ""))).join("\n")
  const end = note === "" ? "" : `\n${note}`
  if (text.length + end.length <= textLimit) return text + end
  const cut = `\n… the output has ${text.length} characters, of which these are the first${end}`
  return cutText(text, textLimit - cut.length) + cut
}

const succeeded = (text: string, data: Json): AdapterOutcome => ({
  status: "succeeded",
  output: textOutput(text, data)
})
