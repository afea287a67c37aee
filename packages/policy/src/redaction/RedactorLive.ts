/** The redactor behind its tag. Whatever goes wrong inside, what comes out is redacted or the one fixed text. */

import { keyedFingerprint } from "@gatehouse/core/Fingerprint"
import type { JsonObject } from "@gatehouse/core/Json"
import { redactionFailedText, type ViewName, type Views } from "@gatehouse/core/View"
import type * as Context from "effect/Context"
import { collect } from "./Collector.ts"
import { KnownSecrets, type SecretSet } from "./exact/KnownSecrets.ts"
import { secretsWithin } from "./exact/SecretForms.ts"
import { makeStreamMask } from "./exact/StreamMask.ts"
import { approvalPreviewBounds, type RedactionLimits, redactionLimits } from "./Limits.ts"
import { plainCopy } from "./PlainCopy.ts"
import { boundedJson } from "./Preview.ts"
import { markFor, type Redacted, type RedactionStep, redactValue } from "./Redaction.ts"
import type {
  CallToRender,
  RawPayload,
  RedactedPayload,
  Redactor,
  Rendered,
  SecretSources,
  StreamMask
} from "./Redactor.ts"
import { type RedactedCall, renderView } from "./RenderViews.ts"
import { secretsOfEnvironment, secretsOfSources } from "./Sources.ts"
import { makeTextStream } from "./TextStream.ts"
import { makeSecretText, type RedactionAdditions } from "./text/SecretText.ts"

export interface RedactorOptions {
  /** 32 bytes that only this home has: the key of the fingerprints in debug views. */
  readonly homeKey: Uint8Array
  /** The host's own environment: values of secret-looking names are known secrets in every call. */
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>
  /** A team's own names and patterns, of its core and of the host's settings. */
  readonly additions?: RedactionAdditions
  readonly limits?: Partial<RedactionLimits>
  /** For tests: the step that fails. */
  readonly faults?: { readonly stage: FaultStage }
}

/** Where a redaction can be made to fail: its steps, the rendering of all views or of one, and the masking of streams. */
export type FaultStage = RedactionStep | "render" | `render:${ViewName}` | "stream"

const noAdditions: RedactionAdditions = { fieldNames: [], patterns: [] }

export const makeRedactor = (options: RedactorOptions, now: () => number): Context.Tag.Service<typeof Redactor> => {
  const limits = { ...redactionLimits, ...options.limits }
  const text = makeSecretText(options.additions ?? noAdditions)
  const known = new KnownSecrets()
  const hostSet = known.of(secretsOfEnvironment(options.hostEnvironment, text.names))
  const before = (stage: FaultStage): void => {
    if (options.faults?.stage === stage) throw new Error(`a fault was asked for at ${stage}`)
  }
  const tools = {
    text,
    known,
    before,
    now,
    millisPerMegabyte: limits.millisPerMegabyte,
    baseMillis: limits.baseMillis,
    timedBytes: limits.timedBytes
  }

  const setsOf = (sources: SecretSources): ReadonlyArray<SecretSet> => [
    hostSet,
    known.of(secretsOfSources(sources, text.names)),
    ...(sources.arguments === undefined ? [] : [known.of(told(sources.arguments))])
  ]
  /** What arguments tell to be secret, once for each of them. */
  const toldBy = new WeakMap<object, ReadonlySet<string>>()
  const told = (args: unknown): ReadonlySet<string> => {
    const holder = typeof args === "object" && args !== null ? args : { args }
    const known = toldBy.get(holder) ?? collect(plainCopy(args), text, () => undefined).known
    toldBy.set(holder, known)
    return known
  }
  const redacted = (input: unknown, sources: SecretSources): Redacted => redactValue(input, setsOf(sources), tools)

  const render = (call: CallToRender, sources: SecretSources): Omit<Extract<Rendered, { ok: true }>, "ok"> => {
    const { value, masked, size, inert } = redacted(readable(call), sources)
    const fingerprints = [...masked].map(
      (secret): JsonObject => ({
        characters: secret.length,
        fingerprint: keyedFingerprint(options.homeKey, secret).slice(0, fingerprintLength)
      })
    )
    // The walk keeps the shape of what it is given, and `readable` gave it the fields of a call.
    const shown = { ...call, ...(value as unknown as Omit<RedactedCall, "fingerprints">), fingerprints, size, inert }
    before("render")
    const view = (name: ViewName) => {
      before(`render:${name}`)
      return renderView(name, shown, limits)
    }
    return {
      views: {
        model: view("model"),
        operator: view("operator"),
        event: view("event"),
        durable: view("durable"),
        debug: view("debug")
      },
      errorMessage: shown.error?.message ?? null,
      stages: shown.stages
    }
  }

  return {
    render: (call, sources) => {
      const outcome = orFailed(() => render(call, sources))
      return outcome === failed ? { ok: false, views: failedViews } : { ok: true, ...outcome }
    },
    redact: (payload, sources) => {
      const outcome = orFailed(() => redacted(fieldsOf(payload), sources).value)
      // The walk keeps the fields of the payload, all of them JSON now.
      return outcome === failed ? null : (outcome as unknown as RedactedPayload)
    },
    preview: (value, sources, bounds = approvalPreviewBounds) => {
      const outcome = orFailed(() => boundedJson(redacted(value, sources).value, bounds))
      return outcome === failed ? redactionFailedText : outcome
    },
    text: (value, sources) => {
      const outcome = orFailed(() => redacted(value, sources).value)
      return typeof outcome === "string" ? outcome : redactionFailedText
    },
    streamMask: (secrets) => {
      const given = [...secrets.values()].flatMap((secret) => [...secretsWithin(secret)])
      return exactMask(known.of(new Set([...hostSet.values, ...given])), secrets)
    },
    textMask: (sources) =>
      failClosed(() => {
        const sets = setsOf(sources)
        const all = known.of(new Set(sets.flatMap(({ values }) => [...values])))
        return makeTextStream(exactMask(all, sources.bindings), [all], markFor([all]), {
          text,
          before: () => before("stream")
        })
      })
  }
}

/** A name that changes no text around it, whatever its language. */
const plainName = /^[\w .-]{1,80}$/

/** A bound value that stands there as it is leaves its name. */
const exactMask = (set: SecretSet, named: ReadonlyMap<string, string>): StreamMask => {
  const names = new Map(
    [...named].filter(([name]) => plainName.test(name)).map(([name, value]) => [value, `<redacted:${name}>`])
  )
  return makeStreamMask(set.matcher, Buffer.from(markFor([set])), (occurrence) => {
    const name = names.get(Buffer.from(occurrence).toString("utf8"))
    return name === undefined || set.matcher.occurs(Buffer.from(name)) ? undefined : Buffer.from(name)
  })
}

/** Once it fails, a stream gives nothing any more. What was thrown is not handed on: its text may be the secret. */
const failClosed = (make: () => StreamMask): StreamMask => {
  let mask: StreamMask | null = null
  let isFailed = false
  const guarded = (use: (mask: StreamMask) => Uint8Array): Uint8Array => {
    const outcome = isFailed ? failed : orFailed(() => use((mask ??= make())))
    isFailed = outcome === failed
    if (outcome === failed) throw new Error("the stream could not be masked")
    return outcome
  }
  return { push: (chunk) => guarded((it) => it.push(chunk)), end: () => guarded((it) => it.end()) }
}

const fingerprintLength = 16

const failed = Symbol("redaction failed")

/** Nothing of what was thrown is kept: its text may be the secret. */
const orFailed = <A>(make: () => A): A | typeof failed => {
  try {
    return make()
  } catch {
    return failed
  }
}

const failedViews: Views = {
  model: { text: redactionFailedText },
  operator: { text: redactionFailedText },
  event: { text: redactionFailedText },
  durable: { text: redactionFailedText },
  debug: { text: redactionFailedText }
}

/** The fields of a payload that are there; `stream` is optional. */
const fieldsOf = ({ args, result, error, stream }: RawPayload) =>
  stream === undefined ? { args, result, error } : { args, result, error, stream }

/** What of a call may hold a secret. Flags, statuses and policies are the host's own words. */
const readable = (call: CallToRender) => {
  const { arguments: args, action, target, text, data, operatorText, operatorData, artifacts, error, stages } = call
  return { arguments: args, action, target, text, data, operatorText, operatorData, artifacts, error, stages }
}
