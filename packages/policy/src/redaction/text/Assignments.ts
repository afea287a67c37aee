/**
 * Values behind telling names in running text: `token=x`, `password: x`, `"api_key": "x"`, `--secret x`,
 * `<password>x</password>`, and their relatives in JSON, YAML, INI, XML, shells and source code.
 */

import { sensitivityOf } from "../FieldNames.ts"
import type { Report } from "./Finding.ts"
import type { NameInText } from "./Names.ts"
import { isCode, isLetters, isPlaceholder, isPlainWord, looksRandom } from "./ValueLooks.ts"

/** Longest value that is read behind a name. */
const longestValue = 8_192

/** Reports the value of `name` in `text`, if one follows; the place behind it, from which to look on. */
export const findAssigned = (text: string, name: NameInText, report: Report): number => {
  // The values of these have a grammar of their own, see Headers.ts.
  if (/(?:authorization|cookie)$/i.test(text.slice(name.start, name.end))) return name.end
  // `https://x-access-token:x@host`: a user and a password, see Urls.ts.
  if (text.startsWith("://", name.start - 3)) return name.end
  const value = valueAfter(text, name)
  if (value === undefined) return name.end
  const raw = text.slice(value.start, value.end)
  if (isHarmless(text, name, value, raw)) return name.end
  report({ start: value.start, end: value.end, spreads: value.quoted || !isLetters(raw) || value.tight })
  return value.end
}

const isHarmless = (text: string, name: NameInText, value: Value, raw: string): boolean =>
  raw === "" ||
  isPlaceholder(raw) ||
  (name.sensitivity === "likely" && !looksRandom(raw, 12)) ||
  (name.sensitivity === "counted" && /^-?[\d.,_]+[kKmM%]?$/.test(raw)) ||
  (!value.quoted && isNoSecret(text, name, value, raw))

interface Value {
  readonly start: number
  readonly end: number
  readonly quoted: boolean
  /** Bound without blanks (`NAME=x`), as shells and forms do: no prose, no code. */
  readonly tight: boolean
}

const isNoSecret = (text: string, name: NameInText, value: Value, raw: string): boolean => {
  if (value.tight) return /^(?:true|false|null|none|undefined)$/i.test(raw) || /^[\])}>,;]/.test(raw)
  if (/[([]/.test(text.charAt(value.end)) && /^[A-Za-z_$][\w$.?]*$/.test(raw)) return true
  // `this.token = token`: another name, not a value.
  if (/^[A-Za-z_$]+$/.test(raw) && sensitivityOf(raw) !== "open") return true
  if (isPlainWord(raw) || isCode(raw) || /^[^\w\s"'`$\\]+$/.test(raw)) return true
  // "Invalid token: unexpected end": words before the name and words after it make a sentence.
  return isLetters(raw) && !startsLine(text, name.start) && /^[ ]+[A-Za-z]/.test(text.slice(value.end, value.end + 2))
}

const separator =
  /(?:\u001b\[[\d;]{0,12}m)?(\\*["'`])?\]?(?:\u001b\[[\d;]{0,12}m)?([ \t]*)(=>|:=|=|:)(?![=/]|:)(?:\u001b\[[\d;]{0,12}m)?([ \t]*)/y

const valueAfter = (text: string, name: NameInText): Value | undefined => {
  separator.lastIndex = name.end
  const match = separator.exec(text)
  if (match !== null) {
    const blanks = (match[2] ?? "") + (match[4] ?? "")
    return readValue(text, name, separator.lastIndex, match[3] !== ":" && blanks === "")
  }
  return optionValue(text, name) ?? markupValue(text, name) ?? spokenValue(text, name) ?? columnValue(text, name)
}

const openQuote = /(\\*)(["'`])/y
const blockScalar = /[|>][+-]?\d?[ \t]*\r?\n([ \t]+)/y

const readValue = (text: string, name: NameInText, at: number, tight: boolean): Value | undefined => {
  openQuote.lastIndex = at
  const open = openQuote.exec(text)
  if (open !== null) return quotedValue(text, at + open[0].length, open[0], tight)
  blockScalar.lastIndex = at
  const block = blockScalar.exec(text)
  if (block !== null) return blockValue(text, blockScalar.lastIndex, block[1] ?? "")
  // Nothing on this line: a pretty-printed document puts the quoted value on the next one.
  const below = /^[ \t]*\r?\n[ \t]*(\\*["'])/.exec(text.slice(at, at + 200))
  if (below !== null) return quotedValue(text, at + below[0].length, below[1] ?? "", false)
  return bareValue(text, name, at, tight)
}

/** Up to the same quote, behind as many backslashes as opened it. */
const quotedValue = (text: string, start: number, open: string, tight: boolean): Value => {
  const depth = open.length - 1
  const quote = open.charAt(depth)
  const last = Math.min(text.length, start + longestValue)
  for (let at = start; at < last; at++) {
    if (text.charAt(at) !== quote) continue
    let slashes = 0
    while (at - slashes > start && text.charAt(at - slashes - 1) === "\\") slashes += 1
    // An even number of backslashes more than the opening quote has are escaped backslashes.
    if (slashes === depth || (slashes > depth && (slashes - depth) % (2 * (depth + 1)) === 0)) {
      return { start, end: at - depth, quoted: true, tight }
    }
  }
  const lineEnd = text.slice(start, last).search(/[\r\n]/)
  return { start, end: lineEnd < 0 ? last : start + lineEnd, quoted: true, tight }
}

/** The lines of a YAML block, as long as they are indented. */
const blockValue = (text: string, start: number, indent: string): Value => {
  let end = start
  for (let at = start; at < text.length && at - start < longestValue; ) {
    const lineEnd = text.indexOf("\n", at)
    end = lineEnd < 0 ? text.length : lineEnd
    if (lineEnd < 0 || !text.startsWith(indent, lineEnd + 1)) break
    at = lineEnd + 1
  }
  return { start, end, quoted: true, tight: false }
}

const bare = /(?:\\(?![nrt"'`\\])|[^\s"'`&;,()[\]{}<>|\\]){1,8192}/y
const wholeLine = /[^\s]{1,8192}/y
/** A pass phrase: four or more words of small letters. */
const words = /[a-z]+(?: [a-z]+){3,15}(?=[ \t]*(?:\r?\n|$))/y

const bareValue = (text: string, name: NameInText, at: number, tight: boolean): Value | undefined => {
  if (/^\$[{(]/.test(text.slice(at, at + 2))) return referenceValue(text, at)
  bare.lastIndex = at
  const match = bare.exec(text)
  if (match === null) return undefined
  let end = Math.min(bare.lastIndex, at + longestValue)
  // Behind a parameter of a URL its fragment is no part of the value.
  const fragment = /[?&]/.test(text.charAt(name.start - 1)) ? match[0].indexOf("#") : -1
  if (fragment > 0) return { start: at, end: at + fragment, quoted: false, tight }
  if (startsLine(text, name.start)) end = wholeValue(text, at, end)
  return { start: at, end, quoted: false, tight }
}

/** On a line of its own a value goes on to the next blank, unless another name begins; words go on to the line's end. */
const wholeValue = (text: string, at: number, end: number): number => {
  words.lastIndex = at
  if (words.exec(text) !== null) return Math.min(words.lastIndex, at + longestValue)
  wholeLine.lastIndex = end
  const more = wholeLine.exec(text)
  if (more === null || /^(?:["'`\\\]})>]|[,;&|]+(?:[\w.-]+[=:]|["'`]|$))/.test(more[0])) return end
  const next = more[0].search(/[,;&][\w.-]+[=:]|["'`]|\\[nr]/)
  return Math.min(next < 0 ? wholeLine.lastIndex : end + next, at + longestValue)
}

/** `${NAME}`, `${{ name }}` and `$(command)` as a whole, so that they are seen as references. */
const referenceValue = (text: string, at: number): Value => {
  const close = text.startsWith("${{", at) ? "}}" : text.charAt(at + 1) === "{" ? "}" : ")"
  const end = text.indexOf(close, at)
  return { start: at, end: end < 0 || end - at > 200 ? at : end + close.length, quoted: false, tight: true }
}

/** `--token x`, `-Password x`: only options take a value behind a blank. */
const optionValue = (text: string, name: NameInText): Value | undefined => {
  if (text.charAt(name.start) !== "-" || !/[\s"'`([{,=]|^$/.test(text.charAt(name.start - 1))) return undefined
  const blanks = /^(?:["'],?)?[ \t]+/.exec(text.slice(name.end, name.end + 20))
  if (blanks === null) return undefined
  const start = name.end + blanks[0].length
  openQuote.lastIndex = start
  const open = openQuote.exec(text)
  if (open !== null) return quotedValue(text, start + open[0].length, open[0], true)
  const word = /^(?:\\.|[^\s"'`;|&<>()\\])+/.exec(text.slice(start, start + longestValue))?.[0] ?? ""
  if (word === "" || word.startsWith("-") || isPlainWord(word)) return undefined
  return { start, end: start + word.length, quoted: false, tight: true }
}

const element = /(?:[ \t][^<>]{0,200})?>([^<]+)</y
const pairedValue =
  /(\\*["'])(?:[^<>\n]{0,80}?\b(?:value|content)\s*=\s*(\\*["'])|\s*,\s*\\*["'](?:value|val|content)\\*["']\s*:\s*(\\*["']))/y
const keyedElement = /["'][^<>\n]{0,80}>([^<]+)</y
const plistValue = /<\/key>\s*<string>([^<]+)</y

/** `<password>x</password>`, `<input name="password" value="x">`, `{"name": "TOKEN", "value": "x"}`. */
const markupValue = (text: string, name: NameInText): Value | undefined => {
  const before = text.charAt(name.start - 1)
  if (before === "<" || before === ":") {
    const found = inner(text, element, name.end)
    if (found !== undefined) return found
  }
  if (before === ">") return inner(text, plistValue, name.end)
  if (before !== '"' && before !== "'") return undefined
  pairedValue.lastIndex = name.end
  const paired = pairedValue.exec(text)
  if (paired !== null) return quotedValue(text, pairedValue.lastIndex, paired[2] ?? paired[3] ?? '"', false)
  return inner(text, keyedElement, name.end)
}

const inner = (text: string, pattern: RegExp, at: number): Value | undefined => {
  pattern.lastIndex = at
  const content = pattern.exec(text)?.[1]
  if (content === undefined || content.trim() === "") return undefined
  const start = pattern.lastIndex - 1 - content.length + (content.length - content.trimStart().length)
  return { start, end: start + content.trim().length, quoted: true, tight: false }
}

const spoken = /[ \t]+(?:(?:is|was|are)[ \t]*:?[ \t]+)?(["'`]?)(?=\S)/y

/** "the password is x", `PASSWORD 'x'`: only what looks random, or stands in quotes right behind the name. */
const spokenValue = (text: string, name: NameInText): Value | undefined => {
  if (name.sensitivity !== "secret") return undefined
  spoken.lastIndex = name.end
  const match = spoken.exec(text)
  if (match === null) return undefined
  const quote = match[1] ?? ""
  const start = spoken.lastIndex
  if (quote !== "") {
    const value = quotedValue(text, start, quote, false)
    return looksRandom(text.slice(value.start, value.end), 6) ? value : undefined
  }
  if (!/(?:is|was|are)[ \t]*:?[ \t]+$/.test(match[0])) return undefined
  const word = /^[^\s"'`,;]+/.exec(text.slice(start, start + longestValue))?.[0].replace(/[.!?)]+$/, "") ?? ""
  return looksRandom(word, 6) ? { start, end: start + word.length, quoted: false, tight: false } : undefined
}

const column = /[ \t]+(?:\|[ \t]*)?([^\s|"'`]+)[ \t]*(?=[|\r\n]|$)/y

/** `PASSWORD x` on a line of its own, `| password | x |`: only what looks random. */
const columnValue = (text: string, name: NameInText): Value | undefined => {
  if (!startsLine(text, name.start) && !/\|[ \t]*$/.test(text.slice(Math.max(0, name.start - 8), name.start)))
    return undefined
  column.lastIndex = name.end
  const value = column.exec(text)?.[1]
  if (value === undefined || !looksRandom(value, 6)) return undefined
  const start = text.indexOf(value, name.end)
  return { start, end: start + value.length, quoted: false, tight: false }
}

/** Whether only blanks, list marks and quotes stand between the line's beginning and `at`. */
const startsLine = (text: string, at: number): boolean => {
  const before = text.slice(Math.max(0, at - longestIndent), at)
  return (
    /(?:^|[\r\n])(?:[ \t]*(?:export|set|ENV|-|\+)?[ \t]*["']?)$/.test(before) &&
    (at <= longestIndent || /[\r\n]/.test(before))
  )
}
const longestIndent = 120
