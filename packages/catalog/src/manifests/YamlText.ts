/**
 * YAML text to plain values whose places are kept. Read is YAML 1.2 with its core schema, one document, plain aliases
 * within a bound; refused are merge keys, tags that build something, keys said twice and `__proto__`.
 *
 * The bounds hold while reading: a hostile text ends at the bound, not after.
 */
import * as Either from "effect/Either"
import type { Document, Node, Pair, ParsedNode, YAMLError } from "yaml"
import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, Parser } from "yaml"
import type { FaultCode } from "./ManifestFault.ts"

/** UTF-16 units of one manifest. What is larger is refused before it is read. */
export const manifestSizeLimit = 256 * 1024

/** Levels of lists and maps inside one another. */
export const manifestDepthLimit = 64

/** Words and signs of the text: some 1,300 lines. The parser takes up to 7 µs for each, most where each is a fault. */
const tokenLimit = 8_192

/** Values after aliases are followed. */
const valueLimit = 16_384

/** Faults told of one text; more help nobody. */
const faultLimit = 50

/** A fault of the text itself, before any schema looks at it. */
export interface YamlFault {
  readonly line: number
  readonly path: ReadonlyArray<string | number>
  readonly code: Extract<FaultCode, "yaml_syntax" | "duplicate_key" | "unknown_field">
  readonly message: string
}

/** Where a value stands, and where the parts of it stand. The line is that of the key that names it. */
interface Place {
  readonly line: number
  readonly fields?: ReadonlyMap<string, Place>
  readonly items?: ReadonlyArray<Place>
}

export interface PlacedYaml {
  /** Plain objects, arrays and scalars; numbers may be `NaN` or infinite. An empty text is an empty map. */
  readonly value: unknown
  /** The line of what `path` names, or of the nearest thing around it. */
  readonly lineOf: (path: ReadonlyArray<PropertyKey>) => number
}

/**
 * Reads `text` within the bounds, or tells what is wrong with it.
 *
 * @example
 * readYaml("agent:\n  id: helper\n") // Right({ value: { agent: { id: "helper" } }, lineOf })
 */
export const readYaml = (text: string): Either.Either<PlacedYaml, ReadonlyArray<YamlFault>> => {
  if (text.length > manifestSizeLimit) return refused(1, `is larger than ${manifestSizeLimit} characters; shorten it`)
  const control = unprintable.exec(text)
  if (control !== null) {
    const line = text.slice(0, control.index).split("\n").length
    return refused(line, "holds a control character, which YAML text may not; write it as an escape in double quotes")
  }
  const lines = new LineCounter()
  lines.addNewLine(0)
  const document = compose(text, lines)
  if (Either.isLeft(document)) return Either.left([document.left])
  const parsed = document.right
  if (parsed === null) return Either.right({ value: {}, lineOf: () => 1 })
  const problems = [...parsed.errors, ...parsed.warnings]
  if (problems.length > 0) {
    return Either.left(problems.slice(0, faultLimit).map((problem) => syntaxFault(problem, lines)))
  }
  return convert(parsed, lines)
}

/** What YAML 1.2.2 section 5.1 does not call printable. */
const unprintable = /[^\t\n\r\u{20}-\u{7e}\u{85}\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u

const refused = (line: number, message: string): Either.Either<never, ReadonlyArray<YamlFault>> =>
  Either.left([{ line, path: [], code: "yaml_syntax", message }])

const composerOptions = {
  version: "1.2",
  schema: "core",
  merge: false,
  resolveKnownTags: false,
  // The library compares each key with each: a square in the number of keys. `convert` looks them up instead.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "silent"
} as const

/** Lexes, parses and composes one document; null where the text holds none. */
const compose = (text: string, lines: LineCounter): Either.Either<Document.Parsed | null, YamlFault> => {
  const parser = new Parser(lines.addNewLine)
  const tokens = []
  let count = 0
  const lineHere = (): number => lines.linePos(parser.offset).line
  for (const lexeme of new Lexer().lex(text)) {
    count += 1
    if (count > tokenLimit) {
      return fault(lineHere(), `has more than ${tokenLimit} words and signs; split what it holds`)
    }
    tokens.push(...parser.next(lexeme))
    // The document itself stands at the foot of the stack.
    if (parser.stack.length > manifestDepthLimit + 2) {
      return fault(lineHere(), `is nested deeper than ${manifestDepthLimit} levels; make it flatter`)
    }
  }
  tokens.push(...parser.end())
  const documents = [...new Composer(composerOptions).compose(tokens)]
  const [first, second] = documents
  if (second !== undefined) {
    return fault(lines.linePos(second.range[0]).line, "holds a second document; keep one for each file")
  }
  // The composer types what it yields as parsed; its contents are as it found them.
  return Either.right(first === undefined ? null : (first as Document.Parsed))
}

const fault = (line: number, message: string): Either.Either<never, YamlFault> =>
  Either.left({ line, path: [], code: "yaml_syntax", message })

/** The library's own words may repeat the text, so each kind is told in ours. */
const syntaxMessages: Partial<Record<YAMLError["code"], string>> = {
  BAD_ALIAS: "uses an alias that is no plain name; write the value itself",
  ALIAS_PROPS: "gives an anchor or a tag to an alias; write the value itself",
  BAD_DIRECTIVE: "has a directive (%…) that is not read; remove it",
  BAD_DQ_ESCAPE: "has an escape that YAML does not know in double quotes; double the backslash or use single quotes",
  BAD_INDENT: "is not indented as its neighbours; align it with spaces",
  BAD_SCALAR_START: "begins a value with a sign that YAML keeps for itself; put the value in quotes",
  BLOCK_IN_FLOW: "has an indented block inside brackets; close the brackets first",
  KEY_OVER_1024_CHARS: "has a field name of more than 1024 characters; shorten it",
  MISSING_CHAR: "lacks a closing quote, bracket or colon, or a blank between two parts; complete it",
  MULTILINE_IMPLICIT_KEY: "has a field name over several lines; keep it on one",
  MULTIPLE_DOCS: "holds a second document; keep one for each file",
  TAB_AS_INDENT: "is indented with a tab; YAML takes spaces only",
  TAG_RESOLVE_FAILED: "has a tag (!…); no tag builds anything here, write the plain value",
  BLOCK_AS_IMPLICIT_KEY: "has a colon too many on one line; put the value in quotes or on lines of its own",
  UNEXPECTED_TOKEN: "has a sign where none can be; look for a bracket or a quote that opens or closes nothing"
}

const syntaxFault = (problem: YAMLError, lines: LineCounter): YamlFault => ({
  line: Math.max(1, lines.linePos(problem.pos[0]).line),
  path: [],
  code: "yaml_syntax",
  message: syntaxMessages[problem.code] ?? "is no YAML here; look at this line and the one before it"
})

interface Converted {
  readonly value: unknown
  readonly place: Place
  /** Values in it, aliases followed. */
  readonly count: number
}

/** Turns the tree of the library into plain values, iterating over what {@link compose} has bounded in depth. */
const convert = (
  document: Document.Parsed,
  lines: LineCounter
): Either.Either<PlacedYaml, ReadonlyArray<YamlFault>> => {
  const faults: Array<YamlFault> = []
  const anchors = new Map<string, Converted>()
  let total = 0

  const lineAt = (node: ParsedNode | Node | null | undefined, otherwise: number): number =>
    node?.range ? lines.linePos(node.range[0]).line : otherwise
  const tell = (line: number, path: YamlFault["path"], code: YamlFault["code"], message: string): void => {
    if (faults.length < faultLimit) faults.push({ line, path, code, message })
  }
  const empty = (line: number): Converted => ({ value: null, place: { line }, count: 1 })

  const node = (input: unknown, line: number, path: YamlFault["path"]): Converted => {
    if (isAlias(input)) return alias(input.source, line, path)
    const converted = isMap(input)
      ? map(input.items, line, path)
      : isSeq(input)
        ? sequence(input.items, line, path)
        : isScalar(input)
          ? { value: input.value, place: { line }, count: 1 }
          : empty(line)
    total += 1
    if (isNamed(input)) anchors.set(input.anchor, converted)
    return converted
  }
  const alias = (name: string, line: number, path: YamlFault["path"]): Converted => {
    const target = anchors.get(name)
    if (target === undefined) {
      tell(line, path, "yaml_syntax", "uses an alias that names nothing before it; write the value itself")
      return empty(line)
    }
    total += target.count
    if (total > valueLimit) {
      tell(line, path, "yaml_syntax", `makes more than ${valueLimit} values of its aliases; write them out`)
      return empty(line)
    }
    return { value: target.value, place: { ...target.place, line }, count: target.count }
  }
  const sequence = (items: ReadonlyArray<unknown>, line: number, path: YamlFault["path"]): Converted => {
    const parts = items.map((item, index) => node(item, isNodeLike(item) ? lineAt(item, line) : line, [...path, index]))
    return {
      value: parts.map((part) => part.value),
      place: { line, items: parts.map((part) => part.place) },
      count: parts.reduce((sum, part) => sum + part.count, 1)
    }
  }
  const map = (pairs: ReadonlyArray<Pair>, line: number, path: YamlFault["path"]): Converted => {
    const value: Record<string, unknown> = {}
    const fields = new Map<string, Place>()
    let count = 1
    for (const pair of pairs) {
      const keyLine = isNodeLike(pair.key) ? lineAt(pair.key, line) : line
      const key = keyOf(pair.key)
      if (key === null) {
        tell(keyLine, path, "unknown_field", "has a field name that is no plain text; write a name")
        continue
      }
      const at = [...path, key]
      if (fields.has(key)) {
        tell(keyLine, at, "duplicate_key", "is said twice; keep one of them")
        continue
      }
      if (key === "__proto__") tell(keyLine, at, "unknown_field", "is a name that no field may have; rename it")
      if (key === "<<")
        tell(keyLine, at, "unknown_field", "is a merge key, which is not read; write the fields themselves")
      const converted = node(pair.value, keyLine, at)
      fields.set(key, converted.place)
      if (key !== "__proto__") value[key] = converted.value
      count += converted.count
    }
    return { value, place: { line, fields }, count }
  }

  // Nothing but comments is an empty map; a written `null` is a value like any other.
  const contents = document.contents
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null && (contents.source ?? "") === "")
  const root = isEmpty ? { value: {}, place: { line: 1 } } : node(contents, lineAt(contents, 1), [])
  return faults.length > 0
    ? Either.left(faults)
    : Either.right({ value: root.value, lineOf: (path) => lineIn(root.place, path) })
}

const isNodeLike = (value: unknown): value is Node => isScalar(value) || isMap(value) || isSeq(value) || isAlias(value)

const isNamed = (value: unknown): value is { readonly anchor: string } =>
  (isScalar(value) || isMap(value) || isSeq(value)) && typeof value.anchor === "string" && value.anchor !== ""

/** The text of a key; `1` and `true` are names as they are written. Null for anything that is not one word. */
const keyOf = (key: unknown): string | null => {
  if (!isScalar(key)) return null
  if (typeof key.value === "string") return key.value
  return typeof key.source === "string" && key.source !== "" ? key.source : null
}

const lineIn = (root: Place, path: ReadonlyArray<PropertyKey>): number => {
  let place = root
  for (const step of path) {
    const next = place.fields?.get(String(step)) ?? place.items?.[Number(step)]
    if (next === undefined) return place.line
    place = next
  }
  return place.line
}
