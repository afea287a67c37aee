/**
 * How one secret may be spelled in a text: as it is, escaped, encoded, line by line. Each spelling is a byte pattern
 * of its own for the exact matcher.
 */
import { sensitivityOf } from "../FieldNames.ts"

/** Shorter secrets are hidden in their own field only: everywhere else they would take ordinary text with them. */
export const shortestKnown = 8

/**
 * What a bound value means beside itself: without the blanks around it, its longer lines, the secret fields of a
 * JSON document, the credentials of an `Authorization` value, the password of a URL.
 */
export const secretsWithin = (value: string): ReadonlySet<string> => {
  const secrets = new Set<string>()
  const add = (secret: string): void => {
    if (secret.length >= shortestKnown) secrets.add(secret)
  }
  add(value)
  add(value.trim())
  if (value.includes("\n")) for (const line of value.split(/\r?\n/)) add(line.trim())
  for (const secret of jsonSecrets(value)) add(secret)
  for (const secret of credentialsIn(value)) add(secret)
  for (const secret of urlPasswords(value)) {
    add(secret)
    add(percentDecoded(secret))
  }
  return secrets
}

/** The byte patterns of `secret` in all spellings; those below the shortest known length are left out. */
export const formsOf = (secret: string): ReadonlyArray<Uint8Array> =>
  piecesOf(secret).flatMap((piece) => {
    const forms = new Set<string>()
    for (const text of new Set([piece, piece.normalize("NFC"), piece.normalize("NFD")])) {
      for (const form of textForms(text)) forms.add(form)
      for (const form of byteForms(Buffer.from(text, "utf8"))) forms.add(form)
    }
    return patternsOf(forms)
  })

/** The byte patterns of `secret` as it stands in a text and in JSON. */
export const plainFormsOf = (secret: string): ReadonlyArray<Uint8Array> =>
  piecesOf(secret).flatMap((piece) => patternsOf(new Set([piece, JSON.stringify(piece).slice(1, -1)])))

const patternsOf = (forms: ReadonlySet<string>): ReadonlyArray<Uint8Array> =>
  [...forms].filter((form) => form.length >= shortestKnown).map((form) => Buffer.from(form, "utf8"))

const longestPiece = 128
const pieceOverlap = 16

/**
 * A long secret is searched for in overlapping pieces: together they cover it, a part of it is found too, and a
 * secret that repeats itself costs no more than another.
 */
const piecesOf = (secret: string): ReadonlyArray<string> => {
  if (secret.length <= 2 * longestPiece) return [secret]
  const pieces: Array<string> = [secret.slice(-longestPiece)]
  for (let start = 0; start + longestPiece < secret.length; start += longestPiece - pieceOverlap) {
    pieces.push(secret.slice(start, start + longestPiece))
  }
  return pieces
}

const textForms = (text: string): ReadonlyArray<string> => {
  const json = JSON.stringify(text).slice(1, -1)
  const ascii = asciiJson(json)
  return [
    text,
    json,
    ascii,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll("/", "\\/"),
    ...percentForms(text),
    html(text),
    text.replaceAll("'", "'\\''"),
    text.replace(/[^\w@%+=:,./-]/g, "\\$&")
  ]
}

/** JSON that holds ASCII only, as Python and Java write it. */
const asciiJson = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

const percentForms = (text: string): ReadonlyArray<string> => {
  const encoded = encodeURIComponent(Buffer.from(text, "utf8").toString("utf8"))
  const strict = encoded.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  const lower = (form: string): string => form.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())
  return [encoded, strict, lower(encoded), lower(strict), strict.replaceAll("%20", "+"), encodeURIComponent(encoded)]
}

const html = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")

const byteForms = (bytes: Buffer): ReadonlyArray<string> => {
  const hex = bytes.toString("hex")
  const base64 = [0, 1, 2].map((before) => base64Core(bytes, before))
  return [
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((core) => core.replaceAll("+", "-").replaceAll("/", "_")),
    bytes.toString("base64").replaceAll("/", "\\/")
  ]
}

/**
 * The base64 digits that depend on `bytes` alone when `before` bytes of something else stand in front: at both ends
 * a digit that also holds bits of the neighbours is left out.
 */
const base64Core = (bytes: Buffer, before: number): string => {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64")
  const bits = (before + bytes.length) * 8
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6))
}

const jsonSecrets = (value: string): ReadonlyArray<string> => {
  if (!/^\s*[[{]/.test(value)) return []
  const secrets: Array<string> = []
  const visit = (node: unknown, inside: boolean): void => {
    if (typeof node === "string" || typeof node === "number") {
      if (inside) secrets.push(String(node))
    } else if (typeof node === "object" && node !== null) {
      for (const [key, field] of Object.entries(node)) visit(field, inside || sensitivityOf(key) === "secret")
    }
  }
  try {
    visit(JSON.parse(value), false)
  } catch {
    // Not JSON after all: the value is known as a whole.
  }
  return secrets
}

/** `Bearer x` is a scheme and x; `Basic x` is also what x encodes. */
const credentialsIn = (value: string): ReadonlyArray<string> => {
  const match = /^([A-Za-z][\w-]{1,30})\s+(\S+)$/.exec(value.trim())
  const credentials = match?.[2]
  if (credentials === undefined) return []
  if (match?.[1]?.toLowerCase() !== "basic") return [credentials]
  const decoded = Buffer.from(credentials, "base64").toString("utf8")
  return [credentials, decoded, decoded.slice(decoded.indexOf(":") + 1)]
}

const urlPasswords = (value: string): ReadonlyArray<string> =>
  [...value.matchAll(/:\/\/[^\s:/@]*:([^\s@]+)@/g)].map((match) => match[1] ?? "")

/** Percent escapes undone as far as they are valid. */
export const percentDecoded = (text: string): string =>
  text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"))
