/**
 * Which values of a declaration are secrets, once they are known: what their names tell, what options of the program and
 * the query of the URL tell, and what came by reference.
 */
import { isUtf8 } from "node:buffer"
import type { Json } from "@gatehouse/core/Json"
import { redactionFailedText } from "@gatehouse/core/View"
import type { Redactor } from "@gatehouse/policy/redaction/Redactor"
import type * as Context from "effect/Context"
import { type Substituted, secretsAmong } from "../connect/References.ts"

type RedactorService = Context.Tag.Service<typeof Redactor>

/** Everything that a server got, by name: variables or headers as they were sent, and what references brought in. */
export const secretsOfServer = (
  redactor: RedactorService,
  given: Readonly<Record<string, string>>,
  substituted: Substituted,
  { args, url }: { readonly args: ReadonlyArray<string>; readonly url: string }
): ReadonlyMap<string, string> => {
  const secrets = new Map(secretsAmong(substituted))
  for (const [name, value] of [...Object.entries(given), ...substituted]) {
    if (value !== "" && isTelling(redactor, name, value)) secrets.set(name, value)
  }
  hiddenOf(redactor, args).forEach((value, index) => void (value === "" || secrets.set(`argument ${index + 1}`, value)))
  if (URL.canParse(url)) {
    for (const [name, value] of new URL(url).searchParams) {
      if (value !== "" && isTelling(redactor, name, value)) secrets.set(`query ${name}`, value)
    }
  }
  return secrets
}

/** The part of each argument that would be hidden in the line of the program; the empty text for most. */
const hiddenOf = (redactor: RedactorService, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const result = redactor.redact({ args: null, result: args, error: null }, none)?.result
  const shown = Array.isArray(result) ? result : []
  return args.map((argument, index) => difference(argument, shown[index]))
}

/** What stands in `text` in place of what is different in `shown`. */
const difference = (text: string, shown: unknown): string => {
  if (typeof shown !== "string" || shown === text) return ""
  let start = 0
  while (start < shown.length && text[start] === shown[start]) start += 1
  let end = 0
  while (end < Math.min(text.length, shown.length) - start && text.at(-1 - end) === shown.at(-1 - end)) end += 1
  return text.slice(start, text.length - end)
}

/** Whether the value is masked because of the name that it stands under. */
const isTelling = (redactor: RedactorService, name: string, value: string): boolean => {
  const shown = redactor.redact({ args: null, result: { [name]: value }, error: null }, none)
  const result = shown?.result
  return typeof result !== "object" || result === null || !(name in result) || Reflect.get(result, name) !== value
}

const none = { bindings: new Map<string, string>(), environment: {}, headers: {} }

/**
 * Masks what one server must not give back, and what a text tells by itself: what a server says is kept in logs, pins
 * and artifacts before anybody renders a view of it.
 */
export interface ServerMask {
  /** Whether the server was given nothing that could come back cut into pieces. */
  readonly isIdle: boolean
  readonly text: (text: string) => string
  readonly json: (value: Json) => Json
  /** What the server was given, and what the host knows: schemas keep their fields whatever these are called. */
  readonly bytes: (bytes: Uint8Array) => Uint8Array
  /** Of a file: as {@link text} where it is one. */
  readonly file: (bytes: Uint8Array) => Uint8Array
  /** As {@link bytes}, for a value of JSON; undefined where it cannot be searched. */
  readonly given: <A>(value: A) => A | undefined
  /** The mask for one call, whose arguments tell more. */
  readonly ofCall: (args: Json) => ServerMask
}

/** The mask of a connection; of one call where its arguments are given. */
export const maskOf = (
  redactor: RedactorService,
  secrets: ReadonlyMap<string, string>,
  args: Json = null
): ServerMask => {
  const sources = { bindings: secrets, environment: {}, headers: {}, ...(args === null ? {} : { arguments: args }) }
  const isIdle = secrets.size === 0
  const bytes = (bytes: Uint8Array): Uint8Array => {
    const mask = redactor.streamMask(secrets)
    return Buffer.concat([mask.push(bytes), mask.end()])
  }
  const text = (text: string): string => redactor.text(text, sources)
  return {
    isIdle,
    text,
    json: (value) =>
      redactor.redact({ args: null, result: value, error: null }, sources)?.result ?? redactionFailedText,
    bytes,
    file: (content) => (isUtf8(content) ? Buffer.from(text(Buffer.from(content).toString("utf8"))) : bytes(content)),
    given: (value) => reparsed(value, bytes),
    ofCall: (callArguments) => maskOf(redactor, secrets, callArguments)
  }
}

/** The same value where nothing was masked; else one of the same shape, with other texts. */
const reparsed = <A>(value: A, mask: (bytes: Uint8Array) => Uint8Array): A | undefined => {
  try {
    const bytes = Buffer.from(JSON.stringify(value))
    const masked = mask(bytes)
    return bytes.equals(masked) ? value : JSON.parse(Buffer.from(masked).toString("utf8"))
  } catch {
    // Nested beyond the stack: what cannot be searched is not passed on.
    return undefined
  }
}
