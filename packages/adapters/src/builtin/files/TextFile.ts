/** Text as it stands in a file: decoded so that encoding it again gives the same bytes. */

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The text of these bytes, a byte order mark included; null where they are no UTF-8 text. */
export const textOf = (bytes: Uint8Array): string | null => {
  if (bytes.includes(0)) return null
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
