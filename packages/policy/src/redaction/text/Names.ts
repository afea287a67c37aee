/** Finds names that may say that a secret follows, and remembers what it found out about each name. */
import { type Sensitivity, sensitivityOf, wordsOf } from "../FieldNames.ts"

/** How many names are remembered; a text with more of them is judged all the same. */
const rememberedNames = 10_000
const longestName = 80

/** A name that stands in a text. */
export interface NameInText {
  readonly start: number
  readonly end: number
  readonly sensitivity: Sensitivity
}

export interface Names {
  /** What a field's name says of its value. */
  readonly sensitivity: (name: string) => Sensitivity
  /** Names in `text` that are not open, from left to right; `found` answers with the place from which to go on. */
  readonly find: (text: string, found: (name: NameInText) => number) => void
}

/** A piece that every telling name holds; `added` are a team's own names. */
export const makeNames = (added: ReadonlyArray<string> = []): Names => {
  const addedNames = new Set(added.map((name) => wordsOf(name).join(" ")).filter((name) => name !== ""))
  const addedPieces = [...addedNames].map((name) => name.split(" ").reduce((a, b) => (a.length >= b.length ? a : b)))
  const trigger = new RegExp([...telling, ...addedPieces.map(escapeRegExp)].join("|"), "gi")
  const remembered = new Map<string, Sensitivity>()

  const judge = (name: string): Sensitivity => {
    if (addedNames.size > 0) {
      const words = ` ${wordsOf(name).join(" ")} `
      for (const own of addedNames) if (words.includes(` ${own} `)) return "secret"
    }
    return sensitivityOf(name)
  }
  const sensitivity = (name: string): Sensitivity => {
    if (name.length > longestName) return judge(name.slice(-longestName))
    const known = remembered.get(name)
    if (known !== undefined) return known
    const judged = judge(name)
    if (remembered.size >= rememberedNames) remembered.clear()
    remembered.set(name, judged)
    return judged
  }
  const find: Names["find"] = (text, found) => {
    trigger.lastIndex = 0
    for (let match = trigger.exec(text); match !== null; match = trigger.exec(text)) {
      const start = nameStart(text, match.index)
      const end = nameEnd(text, match.index + match[0].length)
      const judged = sensitivity(text.slice(start, end))
      const next = judged === "open" ? end : found({ start, end, sensitivity: judged })
      trigger.lastIndex = Math.max(end, next, match.index + 1)
    }
  }
  return { sensitivity, find }
}

const telling =
  "pass|pwd|kennwort|senha|secret|token|cred|auth|cookie|key|bearer|jwt|otp|mnemonic|phrase|code|conn|webhook|shared|one.time|sas.url|signature|sessid|jsession".split(
    "|"
  )

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

const isNameCharacter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x30 && code <= 0x39) ||
  code === 0x5f ||
  code === 0x2d ||
  code === 0x2e

const nameStart = (text: string, from: number): number => {
  let start = from
  while (start > 0 && from - start < longestName && isNameCharacter(text.charCodeAt(start - 1))) start -= 1
  // `\ntoken` in an escaped text: the letter belongs to the escape.
  const before = text.charCodeAt(start - 1)
  if (before === 0x5c && start < from && /[nrtbf]/.test(text.charAt(start))) start += 1
  // `\u001btoken`, `%20token`.
  if (before === 0x5c && text.charAt(start) === "u" && from - start >= 5) start += 5
  if (before === 0x25 && from - start >= 2) start += 2
  return start
}

const nameEnd = (text: string, from: number): number => {
  let end = from
  while (end < text.length && end - from < longestName && isNameCharacter(text.charCodeAt(end))) end += 1
  return end
}
