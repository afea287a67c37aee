/** Which values of a declaration are secrets, once they are known: what their names tell, and what came by reference. */
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
  substituted: Substituted
): ReadonlyMap<string, string> => {
  const secrets = new Map(secretsAmong(substituted))
  for (const [name, value] of [...Object.entries(given), ...substituted]) {
    if (value !== "" && isTelling(redactor, name, value)) secrets.set(name, value)
  }
  return secrets
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
  /** What the server was given, and nothing else: schemas keep their fields whatever these are called. */
  readonly bytes: (bytes: Uint8Array) => Uint8Array
  /** Of a file: as {@link text} where it is one. */
  readonly file: (bytes: Uint8Array) => Uint8Array
  /** As {@link bytes}, for a value of JSON; undefined where it cannot be searched. */
  readonly given: (value: unknown) => unknown
  /** The mask for one call, whose arguments tell more. */
  readonly ofCall: (args: Json) => ServerMask
}

/** The mask of a connection. `declared` is what else the server was started with; it tells secrets by its options. */
export const maskOf = (
  redactor: RedactorService,
  secrets: ReadonlyMap<string, string>,
  declared: Json,
  args: Json = null
): ServerMask => {
  const sources = { bindings: secrets, environment: {}, headers: {}, arguments: { declared, args } }
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
    bytes: isIdle ? same : bytes,
    file: (content) => (isUtf8(content) ? Buffer.from(text(Buffer.from(content).toString("utf8"))) : bytes(content)),
    given: isIdle ? same : (value) => reparsed(value, bytes),
    ofCall: (callArguments) => maskOf(redactor, secrets, declared, callArguments)
  }
}

const same = <A>(value: A): A => value

const reparsed = (value: unknown, mask: (bytes: Uint8Array) => Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(mask(Buffer.from(JSON.stringify(value)))).toString("utf8"))
  } catch {
    // Nested beyond the stack: what cannot be searched is not passed on.
    return undefined
  }
}
