/** The content of a tool's answer (MCP, tools, result content), block by block: a bad or unknown one costs only itself. Pure. */
import { visible } from "@gatehouse/catalog/manifests/ManifestFault"
import { boundedText } from "@gatehouse/core/BoundedText"
import { isRecord } from "../protocol/JsonRpc.ts"

/** A block as it is shown: text, or bytes that are kept beside it. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  /** In the host's own words: what stood here. */
  | { readonly kind: "note"; readonly text: string }
  | {
      readonly kind: "bytes"
      readonly what: "image" | "audio" | "resource"
      readonly mediaType: string
      readonly bytes: Uint8Array
    }

/** UTF-16 units of a name, type or address that a note repeats. */
const shownLimit = 300

/** What `content` holds, in its order. */
export const readContent = (content: ReadonlyArray<unknown>): ReadonlyArray<Piece> => content.flatMap(readBlock)

const readBlock = (block: unknown): ReadonlyArray<Piece> => {
  if (!isRecord(block)) return [note("a block that is no object is left out")]
  switch (block["type"]) {
    case "text":
      return [text(block["text"])]
    case "image":
    case "audio":
      return [bytesOf(block["type"], block["data"], block["mimeType"])]
    case "resource_link":
      return [
        note(`link, not fetched: ${shown(block["name"])} <${shown(block["uri"])}>${mediaNote(block["mimeType"])}`)
      ]
    case "resource":
      return embedded(block["resource"])
    default:
      return [note(`a block of the unknown type ${shown(block["type"])} is left out`)]
  }
}

const embedded = (resource: unknown): ReadonlyArray<Piece> => {
  if (!isRecord(resource)) return [note("an embedded resource that is no object is left out")]
  const uri = shown(resource["uri"])
  if (typeof resource["text"] === "string")
    return [note(`resource ${uri}${mediaNote(resource["mimeType"])}`), text(resource["text"])]
  if (resource["blob"] !== undefined) {
    return [note(`resource ${uri}`), bytesOf("resource", resource["blob"], resource["mimeType"])]
  }
  return [note(`resource ${uri} without content`)]
}

const text = (value: unknown): Piece =>
  typeof value === "string" ? { kind: "text", text: value } : note("a text block without text is left out")

const bytesOf = (what: "image" | "audio" | "resource", data: unknown, mimeType: unknown): Piece => {
  if (typeof data !== "string") return note(`${what} without data`)
  if (data.length % 4 === 1 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data)) {
    return note(`${what} of ${data.length} characters is left out: its data is no base64`)
  }
  return { kind: "bytes", what, mediaType: mediaTypeOf(what, mimeType), bytes: Buffer.from(data, "base64") }
}

/** What the server calls it, where that can be true; else bytes. */
const mediaTypeOf = (what: "image" | "audio" | "resource", claimed: unknown): string => {
  const plain = typeof claimed === "string" && /^[a-z]+\/[\w.+-]{1,100}$/i.test(claimed) ? claimed.toLowerCase() : null
  if (plain === null) return "application/octet-stream"
  return what === "resource" || plain.startsWith(`${what}/`) ? plain : "application/octet-stream"
}

const mediaNote = (mimeType: unknown): string => (typeof mimeType === "string" ? ` (${shown(mimeType)})` : "")

const shown = (value: unknown): string =>
  typeof value === "string" ? boundedText(visible(value), shownLimit) : "(none)"

const note = (words: string): Piece => ({ kind: "note", text: `[${words}]` })
