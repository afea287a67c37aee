/**
 * The first half of the walk: what in a plain copy is a secret. Texts speak for themselves; names of fields speak for
 * what they hold; lists of words speak as command lines, pairs as headers and variables.
 */
import { isJsonObject, type Json, type JsonObject } from "@gatehouse/core/Json"
import { binaryField, decodedBlock } from "./BinaryBlock.ts"
import { percentDecoded, secretsWithin, shortestKnown } from "./exact/SecretForms.ts"
import type { Sensitivity } from "./FieldNames.ts"
import type { Finding } from "./text/Finding.ts"
import type { SecretText } from "./text/SecretText.ts"
import { isPlaceholder, isPlainWord, isVariable, looksRandom } from "./text/ValueLooks.ts"

/** What was found in one payload. */
export interface Collected {
  /** Values to be masked wherever they stand. */
  readonly known: ReadonlySet<string>
  /** Findings of each text that has any. */
  readonly texts: ReadonlyMap<string, ReadonlyArray<Finding>>
  /** Fields that are masked as a whole because of what stands beside them. */
  readonly whole: ReadonlyMap<object, ReadonlySet<string | number>>
  /** Stretches of elements that only their list tells to be secret. */
  readonly parts: ReadonlyMap<object, ReadonlyMap<number, ReadonlyArray<Finding>>>
}

/** Nested JSON texts are read this deep. */
const deepestText = 3
/** Fields of a secret object that describe it; hidden with it, but not searched for elsewhere. */
const describing =
  /^(?:type|kind|host|hostname|url|uri|user|username|login|email|name|id|region|path|scopes?|provider|issuer|method|status|realm|project|tenant|version|created|updated|expires?)(?:_?(?:id|at|in|name))?$/i

export const collect = (root: Json, text: SecretText, checkTime: () => void): Collected => {
  const known = new Set<string>()
  const texts = new Map<string, ReadonlyArray<Finding>>()
  const seen = new Set<string>()
  const learned = new Set<string>()
  const whole = new Map<object, Set<string | number>>()
  const parts = new Map<object, Map<number, Array<Finding>>>()

  const learn = (value: string): void => {
    if (value.length < shortestKnown || learned.has(value)) return
    learned.add(value)
    const candidates = [value, percentDecoded(value), unescaped(value)]
    for (const candidate of candidates) {
      if (candidate.length < shortestKnown || isPlaceholder(candidate) || isPlainWord(candidate)) continue
      for (const secret of secretsWithin(candidate)) known.add(secret)
    }
  }
  const learnFindings = (content: string, findings: ReadonlyArray<Finding>): void => {
    for (const { start, end, spreads, within } of findings) {
      if (spreads) learn(content.slice(start, end))
      for (const secret of within ?? []) learn(secret)
    }
  }
  const readText = (content: string, depth: number): void => {
    if (seen.has(content)) return
    seen.add(content)
    checkTime()
    const findings = text.find(content)
    if (findings.length > 0) texts.set(content, findings)
    learnFindings(content, findings)
    if (content.includes("%")) {
      const decoded = percentDecoded(content)
      if (decoded !== content) learnFindings(decoded, text.find(decoded))
    }
    const nested = depth < deepestText ? jsonText(content) : undefined
    if (nested !== undefined) visit(nested, "open", "", depth + 1)
  }

  const learnFromBlock = (content: string): void => learnFindings(content, text.find(content))

  const visit = (value: Json, inside: Sensitivity, name: string, depth: number): void => {
    if (typeof value === "string") {
      if (inside === "secret" && !describing.test(name) && !isVariable(value)) learn(value)
      if (inside === "counted" && looksRandom(value, 12)) learn(value)
      if (inside === "likely" && looksRandom(value, 12)) learn(value)
      readText(value, depth)
    } else if (typeof value === "number") {
      if (inside === "secret") learn(String(value))
    } else if (isJsonObject(value)) visitObject(value, inside, depth)
    else if (value !== null && typeof value === "object") visitList(value, inside, name, depth)
  }
  const visitObject = (value: JsonObject, inside: Sensitivity, depth: number): void => {
    const named = namedValue(value)
    const paired = named === undefined ? undefined : text.names.sensitivity(named.name)
    if (named !== undefined && (paired === "secret" || paired === "counted")) mark(whole, value, named.field)
    const block = value[binaryField(value) ?? ""]
    if (typeof block === "string") learnFromBlock(decodedBlock(block))
    for (const key of Object.keys(value)) {
      readText(key, depth)
      if (inside === "secret" && looksRandom(key, 12)) learn(key)
      const own = named?.field === key && paired === "secret" ? paired : text.names.sensitivity(key)
      visit(value[key] ?? null, inside === "secret" || own === "open" ? inside : own, key, depth)
    }
  }
  const visitList = (value: ReadonlyArray<Json>, inside: Sensitivity, name: string, depth: number): void => {
    if (value.length > 1 && value.every(isString)) visitWords(value)
    for (const item of value) visit(item, inside, name, depth)
  }
  /** A list of words may be a command line, a pair, or names and values in turn. */
  const visitWords = (words: ReadonlyArray<string>): void => {
    words.forEach((word, index) => {
      const next = words[index + 1]
      if (next === undefined || next === "" || !announcesValue(word, index, words, text)) return
      if (next.startsWith("-") && word.startsWith("-")) return
      if (isPlaceholder(next)) return
      mark(whole, words, index + 1)
      learn(next)
    })
    const joined = words.join(" ")
    if (joined.length > longestCommand) return
    for (const finding of text.find(joined)) {
      let at = 0
      words.forEach((word, index) => {
        const start = Math.max(0, finding.start - at)
        const end = Math.min(word.length, finding.end - at)
        if (start < end) addPart(words, index, { ...finding, start, end })
        at += word.length + 1
      })
      learnFindings(joined, [finding])
    }
  }
  const addPart = (list: object, index: number, finding: Finding): void => {
    const elements = parts.get(list) ?? new Map<number, Array<Finding>>()
    elements.set(index, [...(elements.get(index) ?? []), finding])
    parts.set(list, elements)
  }

  visit(root, "open", "", 0)
  return { known, texts, whole, parts }
}

/** Words of a command line that are looked at together. */
const longestCommand = 65_536

const isString = (value: Json): value is string => typeof value === "string"

const mark = (marks: Map<object, Set<string | number>>, container: object, field: string | number): void => {
  marks.set(container, (marks.get(container) ?? new Set()).add(field))
}

const nameFields = ["name", "key", "header", "variable", "field", "option", "id", "Name", "Key"]
const valueFields = ["value", "val", "content", "Value"]

/** `{"name": "API_TOKEN", "value": "x"}` and its relatives. */
const namedValue = (value: JsonObject): { readonly name: string; readonly field: string } | undefined => {
  const field = valueFields.find((candidate) => Object.hasOwn(value, candidate))
  if (field === undefined) return undefined
  const name = nameFields.map((candidate) => value[candidate]).find((candidate) => typeof candidate === "string")
  return typeof name === "string" && name.length <= longestName ? { name, field } : undefined
}

const longestName = 200

/** Whether `word` says that the next word is a secret: `--token`, or a header or variable name of a pair. */
const announcesValue = (word: string, index: number, words: ReadonlyArray<string>, text: SecretText): boolean => {
  if (word.length > longestName || !/^-{0,2}[\w.-]+:?$/.test(word)) return false
  if (text.names.sensitivity(word) !== "secret") return false
  if (word.startsWith("-")) return true
  return (
    index % 2 === 0 && words.length % 2 === 0 && (words.length === 2 || /[-_]|^(?:authorization|cookie)$/i.test(word))
  )
}

/** The value of a text that is a JSON document. */
const jsonText = (content: string): Json | undefined => {
  if (content.length > longestDocument || !/^\s*(?:\{\s*["}]|\[\s*[[{"\]\d])/.test(content)) return undefined
  try {
    const parsed: Json = JSON.parse(content)
    return parsed
  } catch {
    return undefined
  }
}

const longestDocument = 4_000_000

/** Backslash escapes undone where the text has them and is a JSON string's inside. */
const unescaped = (value: string): string => {
  if (!value.includes("\\")) return value
  try {
    return String(JSON.parse(`"${value}"`))
  } catch {
    return value
  }
}
