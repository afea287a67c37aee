/**
 * Text that a terminal or a page shows and does not obey. Escape sequences, other control characters and
 * characters that turn the direction of writing are made visible; what they would have done, they do not do.
 */
import { isJsonObject, type Json } from "@gatehouse/core/Json"

/**
 * C0 without tab and line feed, DEL, C1; bidi controls (Unicode UAX #9: marks, embeddings, overrides, isolates);
 * line and paragraph separator; and invisible characters that hide text in text (zero width, tags, soft hyphen).
 */
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g

const hasUnsafe = new RegExp(unsafe.source)

/**
 * `text` with everything that could act made visible: ESC as `␛`, other C0 controls as their Unicode pictures,
 * everything else as `<U+202E>`. CR LF stays a line end.
 *
 * @example
 * visibleText("\u001b[31mred") // "␛[31mred"
 */
export const visibleText = (text: string): string =>
  hasUnsafe.test(text) ? text.replace(/\r\n/g, "\n").replace(unsafe, visible) : text

/**
 * The text of JSON that is the same value and acts on nothing: what JSON leaves as it is, and a terminal might obey, is
 * written as an escape. For programs that read what people may see as well.
 *
 * @example
 * inertJson("\u009b31m") // the nine characters "\\u009b31m" in quotes
 */
export const inertJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(outsideOfJson, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join("")
  )

/** {@link unsafe}, without the C0 controls: these JSON escapes itself, and its own line ends are none of them. */
const outsideOfJson =
  /[\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g

/** The same JSON with every text made visible; the same value where there is nothing to change. */
export const visibleJson = (value: Json): Json => {
  if (typeof value === "string") return visibleText(value)
  if (typeof value !== "object" || value === null) return value
  if (!isJsonObject(value)) return value.map(visibleJson)
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [visibleText(key), visibleJson(field)]))
}

const visible = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return "\u2421"
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`
}
