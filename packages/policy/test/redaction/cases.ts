/** What the tests of redaction share: a redactor without a host, and the leaves of a view. */

import type { RawPayload, SecretSources } from "@gatehouse/policy/redaction/Redactor"
import { makeRedactor, type RedactorOptions } from "@gatehouse/policy/redaction/RedactorLive"

export const noSources: SecretSources = { bindings: new Map(), environment: {}, headers: {} }

export const bound = (...values: ReadonlyArray<string>): SecretSources => ({
  ...noSources,
  bindings: new Map(values.map((value, index) => [`S${index}`, value]))
})

/** A redactor whose clock stands still unless `now` is given. */
export const redactorOf = (options: Partial<RedactorOptions> = {}, now: () => number = () => 0) =>
  makeRedactor(
    {
      homeKey: new Uint8Array(32).fill(7),
      hostEnvironment: {},
      ...options,
      // Every payload is timed here, however small.
      limits: { timedBytes: 0, ...options.limits }
    },
    now
  )

const redactor = redactorOf()

/** Everything that a reader of the redacted payload could see, as one text. */
export const shown = (payload: Partial<RawPayload>, sources: SecretSources = noSources): string => {
  const redacted = redactor.redact({ args: null, result: null, error: null, ...payload }, sources)
  return [JSON.stringify(redacted), ...leavesOf(redacted)].join("\n")
}

export const shownText = (text: string, sources?: SecretSources): string => shown({ result: { text } }, sources)

/** Every string leaf and every field name. */
export const leavesOf = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, field]) => [key, ...leavesOf(field)])
  }
  return [String(value)]
}

/** A value that looks like a secret and is none; assembled, so that no scanner trips over it. */
export const fakeSecret = (number: number): string => ["fake-t", "st-", String(number), "-zq", "W8e"].join("")
