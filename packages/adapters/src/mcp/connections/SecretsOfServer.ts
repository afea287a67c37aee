/** Which values of a declaration are secrets, once they are known: what their names tell, and what came by reference. */
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

/** Masks what one server must not give back. */
export interface ServerMask {
  /** Whether there is anything to look for. */
  readonly isIdle: boolean
  readonly text: (text: string) => string
  readonly json: (value: Json) => Json
  readonly bytes: (bytes: Uint8Array) => Uint8Array
}

/** The mask of a connection; without secrets of its own there is nothing to look for. */
export const maskOf = (redactor: RedactorService, secrets: ReadonlyMap<string, string>): ServerMask => {
  if (secrets.size === 0) return { isIdle: true, text: same, json: same, bytes: same }
  const sources = { bindings: secrets, environment: {}, headers: {} }
  return {
    isIdle: false,
    text: (text) => redactor.text(text, sources),
    json: (value) =>
      redactor.redact({ args: null, result: value, error: null }, sources)?.result ?? redactionFailedText,
    bytes: (bytes) => {
      const mask = redactor.streamMask(secrets)
      return Buffer.concat([mask.push(bytes), mask.end()])
    }
  }
}

const same = <A>(value: A): A => value
