/**
 * The one walk by which raw values become views. Whoever shows, stores or sends something about a call gets it
 * from here. Cases in `test/vectors/redaction.json`.
 */
import type { Json } from "@gatehouse/core/Json"
import type { View, Views } from "@gatehouse/core/View"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { cpuMillis } from "./CpuTime.boundary.ts"
import { makeRedactor, type RedactorOptions } from "./RedactorLive.ts"

/** Where known secrets come from; none of these is shown itself. */
export interface SecretSources {
  /** Values bound for this call, by target name. */
  readonly bindings: ReadonlyMap<string, string>
  /** The host's environment: values of secret-looking names are known secrets. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly headers: Readonly<Record<string, string>>
  /** The call's own arguments, where they are not part of what is shown: secrets that they tell are known. */
  readonly arguments?: unknown
}

/** Everything raw about one call. `unknown`, because a tool may hand back anything. */
export interface RawPayload {
  readonly args: unknown
  readonly result: unknown
  readonly error: unknown
  readonly stream?: string
}

/** The payload after the walk: same shape, secrets masked; plain JSON. */
export interface RedactedPayload {
  readonly args: Json
  readonly result: Json
  readonly error: Json
  readonly stream?: string
}

/** One call as the pipeline knows it, to be shown to five readers. */
export interface CallToRender {
  readonly tool: string
  readonly action: string
  readonly target: string
  readonly status: string
  readonly executionStarted: boolean
  readonly mayHaveHappened: boolean
  readonly arguments: unknown
  /** What the model reads on success; null where there is none. */
  readonly text: string | null
  readonly data: unknown
  readonly operatorText: string | null
  readonly operatorData: unknown
  /** Artifact references: ids, names and sizes. */
  readonly artifacts: Json
  /** Tag, stage, message and remedy; null on success. */
  readonly error: {
    readonly tag: string
    readonly stage: string
    readonly message: string
    readonly remedy: string
    /** A defect's cause, for the debug view. */
    readonly cause?: unknown
  } | null
  readonly stages: Json
  readonly displayPolicy: "summary" | "full" | "hidden"
  readonly modelOutputPolicy: "content" | "summary" | "none"
}

export type Rendered =
  | {
      readonly ok: true
      readonly views: Views
      readonly errorMessage: string | null
      /** The stages as they were given, redacted. */
      readonly stages: Json
    }
  /** All five views are the one fixed text, and the call's status becomes `failed`. */
  | { readonly ok: false; readonly views: Views }

/** Masks a byte stream, chunk by chunk: the same answer for any cut. */
export interface StreamMask {
  /** What can be passed on now; the rest waits for more. */
  readonly push: (chunk: Uint8Array) => Uint8Array
  readonly end: () => Uint8Array
}

/** How much of a value a preview shows. */
export interface PreviewBounds {
  /** Nested containers. */
  readonly depth: number
  /** Elements or fields of one container. */
  readonly items: number
  /** UTF-16 units of one string. */
  readonly string: number
  /** UTF-16 units of the whole preview as JSON. */
  readonly total: number
}

export class Redactor extends Context.Tag("@gatehouse/policy/Redactor")<
  Redactor,
  {
    /** Never throws: a failure of any kind is the fixed result. */
    readonly render: (call: CallToRender, sources: SecretSources) => Rendered
    /** One redacted payload; throws nothing, null where redaction failed. */
    readonly redact: (payload: RawPayload, sources: SecretSources) => RedactedPayload | null
    /** Bounded preview of arguments for an approval: redacted, then cut. Default: `approvalPreviewBounds`. */
    readonly preview: (value: unknown, sources: SecretSources, bounds?: PreviewBounds) => Json
    /** One line of text for events, logs and prompts. */
    readonly text: (value: string, sources: SecretSources) => string
    /** For bytes that flow: exact values of these secrets and of the host's own, and their encodings. */
    readonly streamMask: (secrets: ReadonlyMap<string, string>) => StreamMask
    /**
     * For text that flows: the same for all that `sources` know, and what each line tells by itself. Lines are passed on
     * whole. Where redaction fails, every use throws from then on, and says nothing of the text.
     */
    readonly textMask: (sources: SecretSources) => StreamMask
  }
>() {
  /** The redactor of one host. Its budget is one of processor time: a busy machine drops no results. */
  static readonly layer = (options: RedactorOptions): Layer.Layer<Redactor> =>
    Layer.sync(Redactor, () => makeRedactor(options, cpuMillis))
}

/** All five views with one text. */
export const sameView = (view: View): Views => ({
  model: view,
  operator: view,
  event: view,
  durable: view,
  debug: view
})
