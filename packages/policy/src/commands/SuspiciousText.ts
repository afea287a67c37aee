/**
 * Text that a person and a shell may read differently: control bytes, invisible characters, look-alikes. Such a text
 * always asks, and what it looks like is reviewed besides what it is: the graver of both counts.
 *
 * Sources: Unicode Standard Annex 15 (normalisation forms), Technical Standard 39 (confusables), ECMA-48 (control
 * sequences), CVE-2021-42574 (bidirectional overrides in source text).
 */

export interface Suspicion {
  readonly rule: string
  readonly start: number
  readonly end: number
}

/** Another reading of a text, with the position that each of its UTF-16 units has in the original. */
export interface Reading {
  readonly text: string
  readonly positions: ReadonlyArray<number>
}

/** Whether a text is printable ASCII, blanks and line breaks, as nearly all commands are. */
const isPlainText = (text: string): boolean => !notPlain.test(text)

const notPlain = /[^\t\n\x20-\x7e]/

/** What is suspicious in `text`, at most one of each sort. */
export const suspicionsOf = (text: string): ReadonlyArray<Suspicion> => {
  if (isPlainText(text)) return []
  const found: Array<Suspicion> = []
  for (const { pattern, rule } of sorts) {
    const match = pattern.exec(text)
    if (match !== null) found.push({ rule, start: match.index, end: match.index + match[0].length })
  }
  if (!text.isWellFormed()) found.push({ rule: "half of a surrogate pair: no text at all", start: 0, end: text.length })
  const folded = firstFolded(text)
  if (folded !== null) found.push(folded)
  return found
}

const sorts: ReadonlyArray<{ readonly pattern: RegExp; readonly rule: string }> = [
  { pattern: /\0/, rule: "a null byte ends the text for some readers and not for others" },
  { pattern: /[\x01-\x08\x0b-\x1f\x7f-\x9f]+/, rule: "control characters can show something other than what runs" },
  {
    pattern: /(?:[\p{Cf}\p{Co}\p{Zl}\p{Zp}\u2800]|\p{Default_Ignorable_Code_Point})+/u,
    rule: "invisible characters"
  },
  { pattern: /(?! )\p{Zs}/u, rule: "a blank that the shell does not take for one" },
  {
    pattern:
      /[\u2010-\u2015\u2212\u2018-\u201f\u2032-\u2037\u2044\u2215\u29f8\u2223\u01c0\u02cb\u02bc\u02b9\u2236\u05f3\u05f4]/,
    rule: "a look-alike of a character that means something to the shell"
  },
  {
    pattern:
      /[A-Za-z][\w-]*[\u0370-\u03ff\u0400-\u052f\u0530-\u058f\u13a0-\u13ff]|[\u0370-\u03ff\u0400-\u052f\u0530-\u058f\u13a0-\u13ff][\w-]*[A-Za-z]/,
    rule: "letters of two alphabets in one word look like another word"
  }
]

/** The first character that compatibility folding changes: it looks like another and is not. */
const firstFolded = (text: string): Suspicion | null => {
  let at = 0
  for (const character of text) {
    if (character > "\x7f" && character.normalize("NFKC") !== character) {
      return { rule: "a character that looks like another (compatibility form)", start: at, end: at + character.length }
    }
    at += character.length
  }
  return null
}

/** What a person may take `text` for: control sequences gone, look-alikes as what they look like. */
export const otherReadings = (text: string): ReadonlyArray<Reading> => {
  if (isPlainText(text)) return []
  // Look-alikes first: an invisible character or a wide bracket must not keep a control sequence from being one.
  const folded = mapped(text, (at) => {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
    return { length: character.length, seen: looksLike(character) }
  })
  const readings = ["", "\n"].map((lineBreak) => composed(withoutControls(folded.text, lineBreak), folded))
  return readings.filter(
    (reading, index) => reading.text !== text && readings.findIndex((other) => other.text === reading.text) === index
  )
}

/** ANSI: a control sequence, an operating system command, or one of the two-character escapes. */
const sequence = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?/y

/** `lineBreak` stands for what moves the cursor to another line or ends the text for some readers. */
const withoutControls = (text: string, lineBreak: string): Reading =>
  mapped(text, (at) => {
    sequence.lastIndex = at
    const code = text.charCodeAt(at)
    const escaped = code === 0x1b || code === 0x9b ? sequence.exec(text) : null
    if (escaped !== null) return { length: escaped[0].length, seen: "" }
    const unit = text.charAt(at)
    if (/[\0\v\f\r\x85\u2028\u2029]/.test(unit)) return { length: 1, seen: lineBreak }
    return { length: 1, seen: unit !== "\n" && unit !== "\t" && /\p{Cc}/u.test(unit) ? "" : unit }
  })

/** Builds another text piece by piece and remembers where each unit came from. */
const mapped = (text: string, step: (at: number) => { readonly length: number; readonly seen: string }): Reading => {
  const pieces: Array<string> = []
  const positions: Array<number> = []
  for (let at = 0; at < text.length; ) {
    const { length, seen } = step(at)
    pieces.push(seen)
    for (let unit = 0; unit < seen.length; unit++) positions.push(at)
    at += length
  }
  positions.push(text.length)
  return { text: pieces.join(""), positions }
}

const composed = (outer: Reading, inner: Reading): Reading => ({
  text: outer.text,
  positions: outer.positions.map((position) => inner.positions[position] ?? 0)
})

const looksLike = (character: string): string => {
  if (character <= "~") return character
  // Half of a pair is no character, and what is invisible is not seen; line separators are dealt with later.
  if (/^[\ud800-\udfff]$/.test(character) || /[\p{Cf}\u2800]|\p{Default_Ignorable_Code_Point}/u.test(character))
    return ""
  const twin = twins.get(character)
  if (twin !== undefined) return twin
  const folded = character.normalize("NFKC")
  return /^\p{Zs}$/u.test(folded) ? " " : (twins.get(folded) ?? folded)
}

/** Characters that compatibility folding leaves alone and that look like ASCII, from the confusables of UTS 39. */
const twins: ReadonlyMap<string, string> = (() => {
  const map = new Map<string, string>()
  const pair = (strange: string, plain: string): void => {
    const letters = [...plain]
    ;[...strange].forEach((character, index) => map.set(character, letters[index] ?? letters[0] ?? ""))
  }
  pair("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
  pair("\u2018\u2019\u201a\u201b\u2032\u02bc\u02b9", "'")
  pair("\u201c\u201d\u201e\u201f\u2033", '"')
  pair("\u2035\u02cb", "`")
  pair("\u2044\u2215\u29f8", "/")
  pair("\u2223\u01c0", "|")
  pair("\u2236", ":")
  pair("аеорсухіјѕԁһӏո", "aeopcyxijsdhln")
  pair("АВЕКМНОРСТХУІЈЅ", "ABEKMHOPCTXYIJS")
  pair("οναιρυτκ", "ovaiputk")
  return map
})()
