/** Bytes of a page as text: by its mark, its header, its own declaration, else by what they look like. */
import iconv from "iconv-lite"

export interface Decoded {
  readonly text: string
  /** Name of the encoding that was used. */
  readonly charset: string
}

/**
 * Reads `body`. Order as in the HTML standard ("determining the character encoding"): byte order mark, `header`
 * (the charset of `content-type`), `<meta>` in the first 1,024 bytes where `declared` pages have one. A name that is
 * unknown counts as none. Without any: UTF-8 where the bytes are, else windows-1252, which fits every byte.
 */
export const decodePage = (body: Uint8Array, header: string | null, declared: boolean): Decoded => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const charset =
    markOf(bytes) ?? knownCharset(header) ?? (declared ? knownCharset(metaOf(bytes)) : null) ?? guess(bytes)
  return { text: iconv.decode(bytes, charset), charset }
}

const markOf = (bytes: Buffer): string | null => {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return "utf-8"
  if (bytes.subarray(0, 2).equals(Buffer.from([0xff, 0xfe]))) return "utf-16le"
  return bytes.subarray(0, 2).equals(Buffer.from([0xfe, 0xff])) ? "utf-16be" : null
}

/**
 * The encoding behind a label. Labels mean what browsers take them for (WHATWG Encoding); UTF-7 is none of them,
 * because it hides markup in plain letters, and a `meta` in ASCII cannot truthfully say UTF-16.
 */
const knownCharset = (label: string | null): string | null => {
  if (label === null) return null
  const name = label.trim().toLowerCase()
  const alias = aliases[name] ?? name
  return !/^(?:utf-?7|unicode-1-1-utf-7|base64|hex|ucs2|binary)/.test(alias) && iconv.encodingExists(alias)
    ? alias
    : null
}

const aliases: Readonly<Record<string, string>> = {
  ascii: "windows-1252",
  "us-ascii": "windows-1252",
  "iso-8859-1": "windows-1252",
  "iso8859-1": "windows-1252",
  latin1: "windows-1252",
  l1: "windows-1252",
  "iso-8859-9": "windows-1254",
  latin5: "windows-1254",
  "iso-8859-11": "windows-874",
  "tis-620": "windows-874",
  gb2312: "gbk",
  "x-gbk": "gbk",
  "x-sjis": "shift_jis",
  "ks_c_5601-1987": "euc-kr",
  unicode: "utf-16le",
  "x-mac-roman": "macintosh"
}

const metaOf = (bytes: Buffer): string | null => {
  const start = bytes.subarray(0, 1024).toString("latin1")
  const declared =
    /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(start)?.[1] ??
    /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/.exec(start)?.[1]
  return declared === undefined ? null : declared.toLowerCase().startsWith("utf-16") ? "utf-8" : declared
}

const guess = (bytes: Buffer): string => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return "utf-8"
  } catch {
    return "windows-1252"
  }
}
