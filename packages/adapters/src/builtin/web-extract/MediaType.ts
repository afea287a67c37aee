/** What a body is, from its `content-type` and, where that says nothing, from its first bytes. */

export type PageKind = "html" | "markdown" | "json" | "pdf" | "text"

/** Essence of a `content-type` in lower case, and its charset; null and null where the header is missing or odd. */
export interface MediaType {
  readonly essence: string | null
  readonly charset: string | null
}

/** @example parseMediaType('Text/HTML; charset="utf-8"') // { essence: "text/html", charset: "utf-8" } */
export const parseMediaType = (header: string | undefined): MediaType => {
  const [first = "", ...parameters] = (header ?? "").slice(0, 500).split(";")
  const essence = first.trim().toLowerCase()
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([\w.:+-]+)"?\s*$/i.exec(parameter)?.[1])
    .find((name) => name !== undefined)
  return { essence: token.test(essence) ? essence : null, charset: charset?.toLowerCase() ?? null }
}

/** `unknown`: look at the bytes. `binary`: there is no text to read. */
export const kindOf = (essence: string | null): PageKind | "unknown" | "binary" => {
  if (essence === null || unspecific.has(essence)) return "unknown"
  if (essence === "text/html" || essence === "application/xhtml+xml") return "html"
  if (essence === "text/markdown" || essence === "text/x-markdown") return "markdown"
  if (essence === "application/pdf" || essence === "application/x-pdf") return "pdf"
  if (/^(?:application|text)\/json$|\+json$/.test(essence)) return "json"
  if (essence.startsWith("text/") || /\+(?:xml|yaml)$/.test(essence) || textual.has(essence)) return "text"
  return "binary"
}

/** The kind of a body whose type says nothing (MIME Sniffing, section 7, as far as pages need it). */
export const sniff = (body: Uint8Array): PageKind | "binary" => {
  const start = Buffer.from(body.subarray(0, 1024)).toString("latin1")
  if (start.startsWith("%PDF-")) return "pdf"
  const text = start.replace(/^\xef\xbb\xbf/, "").trimStart()
  if (/^(?:<!--[\s\S]*?-->\s*)?<(?:!doctype html|html|head|body)[\s>]/i.test(text)) return "html"
  const utf16 = start.startsWith("\xff\xfe") || start.startsWith("\xfe\xff")
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(start) && !utf16 ? "binary" : "text"
}

const token = /^[\w!#$%&'*+.^`|~-]{1,80}\/[\w!#$%&'*+.^`|~-]{1,80}$/

const unspecific: ReadonlySet<string> = new Set(["application/octet-stream", "binary/octet-stream", "unknown/unknown"])

const textual: ReadonlySet<string> = new Set([
  "application/ecmascript",
  "application/graphql",
  "application/javascript",
  "application/json5",
  "application/sql",
  "application/toml",
  "application/x-javascript",
  "application/x-ndjson",
  "application/x-sh",
  "application/x-yaml",
  "application/xml",
  "application/yaml"
])
