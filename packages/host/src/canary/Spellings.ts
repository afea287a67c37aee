/**
 * The standard spellings of a secret, by an implementation of its own: redaction is held against it, so nothing of
 * redaction is used.
 */

export interface Spelling {
  readonly name: string
  readonly bytes: Buffer
}

/**
 * Plain, JSON strings, base64 at its three alignments, base64url, hexadecimal, percent escapes. What is searched for
 * depends on the secret alone, whatever stands around it.
 */
export const spellingsOf = (secret: string): ReadonlyArray<Spelling> => {
  const bytes = Buffer.from(secret, "utf8")
  const hex = bytes.toString("hex")
  const pairs = hex.match(/../g) ?? []
  const aligned = [0, 1, 2].map((before) => alignedBase64(bytes, before))
  const escaped = (digits: (code: string) => string): string =>
    Array.from(
      secret,
      (character) => `\\u${digits((character.codePointAt(0) ?? 0).toString(16).padStart(4, "0"))}`
    ).join("")
  const all: ReadonlyArray<readonly [name: string, text: string]> = [
    ["plain", secret],
    ["JSON string", JSON.stringify(secret).slice(1, -1)],
    ["JSON string in a JSON string", JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1)],
    ["JSON escapes", escaped((digits) => digits)],
    ["JSON escapes", escaped((digits) => digits.toUpperCase())],
    ...aligned.map((text): readonly [string, string] => ["base64", text]),
    ...aligned.map((text): readonly [string, string] => ["base64url", text.replaceAll("+", "-").replaceAll("/", "_")]),
    ["hexadecimal", hex],
    ["hexadecimal", hex.toUpperCase()],
    ["percent escapes", encodeURIComponent(secret)],
    ["percent escapes", encodeURIComponent(secret).replace(/%../g, (escape) => escape.toLowerCase())],
    ["percent escapes of every byte", pairs.map((pair) => `%${pair}`).join("")],
    ["percent escapes of every byte", pairs.map((pair) => `%${pair.toUpperCase()}`).join("")]
  ]
  const seen = new Set<string>()
  return all.flatMap(([name, text]) => {
    if (seen.has(text)) return []
    seen.add(text)
    return [{ name, bytes: Buffer.from(text, "utf8") }]
  })
}

/** The digits that hold bits of `bytes` only when `before` other bytes stand in front (RFC 4648, section 4). */
const alignedBase64 = (bytes: Uint8Array, before: number): string => {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64")
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
}
