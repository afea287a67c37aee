/** The redactor behind its tag: known values and field names first, then five views. */
import { isJsonObject, type Json } from "@gatehouse/core/Json"
import { redactionFailedText, type Views } from "@gatehouse/core/View"
import type * as Context from "effect/Context"
import { sensitivityOf } from "./FieldNames.ts"
import { approvalPreviewBounds, type RedactionLimits, redactionLimits } from "./Limits.ts"
import { plainCopy } from "./PlainCopy.ts"
import { boundedJson } from "./Preview.ts"
import type { Redactor, SecretSources } from "./Redactor.ts"
import { renderViews } from "./RenderViews.ts"

/** Names and patterns of a team's own; they only add to what is masked. */
export interface RedactionAdditions {
  /** Names of fields whose values are secrets, as words: `internal_code` also means `internalCode`. */
  readonly fieldNames: ReadonlyArray<string>
  /** Regular expressions whose matches are secrets. */
  readonly patterns: ReadonlyArray<string>
}

export interface RedactorOptions {
  /** 32 bytes that only this home has: the key of the fingerprints in debug views. */
  readonly homeKey: Uint8Array
  /** The host's own environment: values of secret-looking names are known secrets in every call. */
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>
  readonly additions?: RedactionAdditions
  readonly limits?: Partial<RedactionLimits>
}

const mask = "<redacted>"
const knownLength = 8

export const makeRedactor = (options: RedactorOptions, _now: () => number): Context.Tag.Service<typeof Redactor> => {
  const limits = { ...redactionLimits, ...options.limits }
  const failed: Views = {
    model: { text: redactionFailedText },
    operator: { text: redactionFailedText },
    event: { text: redactionFailedText },
    durable: { text: redactionFailedText },
    debug: { text: redactionFailedText }
  }
  const redactTree = (input: unknown, sources: SecretSources): Json => {
    const copy = plainCopy(input)
    const known = new Set<string>()
    for (const value of sources.bindings.values()) known.add(value)
    for (const environment of [options.hostEnvironment, sources.environment, sources.headers]) {
      for (const [name, value] of Object.entries(environment)) {
        if (value !== undefined && sensitivityOf(name) === "secret") {
          known.add(value)
          known.add(value.replace(/^\S+\s+/, ""))
        }
      }
    }
    collect(copy, false, known)
    const values = [...known].filter((value) => value.length >= knownLength).sort((a, b) => b.length - a.length)
    return maskTree(copy, values)
  }
  return {
    render: (call, sources) => {
      try {
        const { arguments: args, text, data, operatorText, operatorData, error, target, action, artifacts } = call
        const redacted = redactTree(
          { args, text, data, operatorText, operatorData, error, target, action, artifacts },
          sources
        ) as never as import("./RenderViews.ts").RedactedCall & { args: Json }
        const views = renderViews({ ...call, ...redacted, arguments: redacted.args, fingerprints: [] }, limits)
        return { ok: true, views, errorMessage: redacted.error?.message ?? null }
      } catch {
        return { ok: false, views: failed }
      }
    },
    redact: (payload, sources) => {
      try {
        return redactTree(payload, sources) as never
      } catch {
        return null
      }
    },
    preview: (value, sources, bounds = approvalPreviewBounds) => {
      try {
        return boundedJson(redactTree(value, sources), bounds)
      } catch {
        return redactionFailedText
      }
    },
    text: (value, sources) => {
      try {
        return String(redactTree(value, sources))
      } catch {
        return redactionFailedText
      }
    },
    streamMask: (secrets) => {
      const chunks: Array<Uint8Array> = []
      return {
        push: (chunk) => {
          chunks.push(chunk)
          return new Uint8Array()
        },
        end: () => {
          let text = Buffer.concat(chunks).toString("utf8")
          for (const value of secrets.values()) if (value.length >= knownLength) text = text.split(value).join(mask)
          return Buffer.from(text)
        }
      }
    }
  }
}

const collect = (value: Json, inside: boolean, known: Set<string>): void => {
  if (typeof value === "string" || typeof value === "number") {
    if (inside) known.add(String(value))
  } else if (isJsonObject(value)) {
    for (const [key, field] of Object.entries(value)) collect(field, inside || sensitivityOf(key) === "secret", known)
  } else if (Array.isArray(value)) for (const item of value) collect(item, inside, known)
}

const maskText = (text: string, values: ReadonlyArray<string>): string =>
  values.reduce((masked, value) => masked.split(value).join(mask), text)

const maskTree = (value: Json, values: ReadonlyArray<string>): Json => {
  if (typeof value === "string") return maskText(value, values)
  if (Array.isArray(value)) return value.map((item: Json) => maskTree(item, values))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      maskText(key, values),
      sensitivityOf(key) === "secret" && field !== null && typeof field !== "boolean" && field !== ""
        ? mask
        : maskTree(field, values)
    ])
  )
}
