/** `web_extract`: a public page as text. */
import { textOutput } from "@gatehouse/core/AdapterOutcome"
import type { AuthorizedCall } from "@gatehouse/core/Authorized"
import { AdapterError } from "@gatehouse/core/EffectError"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import { Entropy } from "@gatehouse/core/Identifiers"
import { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import { type OpenAnswer, SafeHttp } from "@gatehouse/policy/http/SafeHttp"
import { type SafeHttpError, statusError } from "@gatehouse/policy/http/SafeHttpError"
import { CoreEgress } from "@gatehouse/policy/urls/CoreEgress"
import type { EgressRules } from "@gatehouse/policy/urls/EgressRules"
import type { HopDecision } from "@gatehouse/policy/urls/Journey"
import { UrlPolicy } from "@gatehouse/policy/urls/UrlPolicy"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { builtinEntry } from "../BuiltinTool.ts"
import { kindOf, parseMediaType } from "./MediaType.ts"
import { type PageUnreadable, type ReadPage, readPage } from "./PageReader.boundary.ts"
import { frameOf, pageCharacters, windowOf } from "./PageWindow.ts"

/** Seconds for one call, by default and at most. */
export const defaultSeconds = 20
export const maximumSeconds = 60

/** Bytes of a page, after decompression. */
export const pageBytes = 16 * 1024 * 1024

/** Pages read at once: each has a thread of its own. */
const readersAtOnce = 2

const Arguments = Schema.Struct({
  url: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(16_384)).annotations({
    description: "https:// or http:// address of a public page, without user name and password."
  }),
  offset: Schema.optionalWith(
    Schema.Number.pipe(Schema.int(), Schema.between(0, Number.MAX_SAFE_INTEGER)).annotations({
      description: "Character to begin at, counted from 0. An earlier answer says where to go on."
    }),
    { default: () => 0 }
  ),
  timeout_seconds: Schema.optionalWith(
    Schema.Number.pipe(Schema.int(), Schema.between(1, maximumSeconds)).annotations({
      description: `Seconds to wait for the page, ${defaultSeconds} by default and ${maximumSeconds} at most.`
    }),
    { default: () => defaultSeconds }
  )
})

interface Prepared {
  /** As the judgement wrote it: one name, one spelling. */
  readonly url: string
  readonly origin: string
  readonly offset: number
  readonly millis: number
  readonly egress: ReadonlyArray<EgressRules>
}

/**
 * The entry. Its text is judged before anybody is asked, so that a refused address never reaches an approver; its
 * name is looked up and judged when the call is approved, before anything is sent.
 */
export const webExtractEntry: Effect.Effect<SourceEntry, never, SafeHttp | UrlPolicy | RuntimeEvents> = Effect.gen(
  function* () {
    const http = yield* SafeHttp
    const policy = yield* UrlPolicy
    const events = yield* RuntimeEvents
    const core = yield* CoreEgress
    const readers = yield* Effect.makeSemaphore(readersAtOnce)

    const observe =
      ({ callId, turn }: AuthorizedCall<Prepared>) =>
      (decision: HopDecision): Effect.Effect<void> =>
        Effect.flatMap(Clock.currentTimeMillis, (at) =>
          events.publish({
            type: "url.judged",
            session: turn.session,
            turn: turn.id,
            call: callId,
            at,
            data: decisionView(decision)
          })
        )

    return builtinEntry<typeof Arguments.Type, typeof Arguments.Encoded, Prepared>({
      name: "web_extract",
      description:
        `Fetches a public web page and gives its text, ${pageCharacters} characters at a time; offset continues. ` +
        "HTML, plain text, JSON, Markdown and PDF.",
      arguments: Arguments,
      capability: "network.fetch",
      toolset: "coding",
      risk: "medium",
      policy: "prompt",
      readOnly: true,
      plan: ({ offset, timeout_seconds, url }, turn) => {
        const egress = core.rulesFor(turn)
        const verdict = policy.judgeText(url, egress)
        if (verdict.decision === "deny") return new PlanRefused("denied", verdict.rule, verdict.message)
        const { origin } = verdict.url
        const asked = new URL(verdict.url)
        asked.hash = ""
        return {
          action: "fetch",
          target: origin,
          risk: "medium",
          policy: "auto",
          because: [{ rule: verdict.rule }],
          readOnly: true,
          preview: { url: asked.href, offset, timeout_seconds },
          subject: { kind: "other" },
          approvalShape: { origin },
          sessionCacheable: true,
          secrets: [],
          writeScope: null,
          timeoutMillis: timeout_seconds * 1000,
          prepared: { url: asked.href, origin, offset, millis: timeout_seconds * 1000, egress }
        }
      },
      run: Effect.fnUntraced(function* ({ call, prepared }) {
        const left = Math.max(1, Math.min(prepared.millis, call.deadline - (yield* Clock.currentTimeMillis)))
        const answer = yield* http
          .open({
            url: prepared.url,
            headers: { accept: acceptedTypes },
            egress: prepared.egress,
            observe: observe(call),
            // The call's own deadline speaks first; these only see to it that nothing goes on after it.
            limits: { totalMillis: left + graceMillis, headersMillis: left + graceMillis, bodyBytes: pageBytes }
          })
          .pipe(Effect.mapError(networkError))
        const origin = answer.url.origin
        if (answer.status >= 400) return yield* networkError(statusError(answer.status, origin))
        const { charset, essence } = parseMediaType(answer.headers["content-type"])
        const kind = kindOf(essence)
        if (kind === "binary") return yield* noText(origin, essence)
        const body = yield* bodyOf(answer)
        const page = yield* readPage({ body, kind, charset, url: answer.url.href }, left).pipe(
          readers.withPermits(1),
          Effect.mapError((error) => unreadable(origin, error))
        )
        if (page._tag === "refused") return yield* refusedPage(origin, essence, page)
        const entropy = yield* Entropy
        const mark = Buffer.from(entropy.bytes(6)).toString("hex")
        const window = windowOf(page.text, page.links, prepared.offset)
        const mediaType = essence ?? mediaTypes[page.kind]
        const facts = {
          title: page.title,
          origin,
          redirects: answer.redirects,
          media_type: mediaType,
          charset: page.charset,
          bytes: body.byteLength,
          offset: window.offset,
          characters: window.text.length,
          total_characters: window.total,
          next_offset: window.next
        }
        const text = frameOf(window, { origin, mediaType, title: page.title, mark })
        return { status: "succeeded" as const, output: textOutput(text, facts) }
      })
    })
  }
)

/** Milliseconds between the call's deadline and the client's own. */
const graceMillis = 250

const acceptedTypes =
  "text/html, application/xhtml+xml, text/markdown, text/plain, application/json, application/pdf;q=0.9, */*;q=0.5"

const mediaTypes = {
  html: "text/html",
  markdown: "text/markdown",
  json: "application/json",
  pdf: "application/pdf",
  text: "text/plain"
} as const

const bodyOf = (answer: OpenAnswer): Effect.Effect<Uint8Array, AdapterError> =>
  Stream.runCollect(answer.stream).pipe(
    Effect.map((pieces) => new Uint8Array(Buffer.concat(Chunk.toReadonlyArray(pieces)))),
    Effect.mapError(networkError)
  )

const decisionView = ({ audit, decision, hop, reason, rule }: HopDecision) => ({
  hop,
  decision,
  reason,
  rule,
  origin: audit.origin,
  addresses: audit.addresses
})

/** A GET changes nothing (RFC 9110, section 9.2.1), so whatever became of it, nothing happened. */
const failure = (reason: string, message: string, remedy: string): AdapterError =>
  new AdapterError({ reason, message, remedy, mayHaveHappened: false })

const networkError = ({ message, reason, remedy }: SafeHttpError): AdapterError => failure(reason, message, remedy)

const noText = (origin: string, essence: string | null): AdapterError =>
  failure(
    "media_type",
    `${origin} sends ${essence ?? "data of an unknown kind"}, which holds no text to read`,
    "ask for a page, a text, JSON or a PDF"
  )

const unreadable = (origin: string, { reason }: PageUnreadable): AdapterError => {
  const what = { time: "takes too long to read", memory: "takes too much memory to read", broken: "cannot be read" }[
    reason
  ]
  return failure("unreadable", `the page from ${origin} ${what}`, "look for a simpler page with the same text")
}

const refusedPage = (
  origin: string,
  essence: string | null,
  { reason }: Extract<ReadPage, { readonly _tag: "refused" }>
): AdapterError => {
  if (reason === "binary") return noText(origin, essence)
  const what = reason === "nesting" ? "nests its elements too deeply" : "is encrypted or damaged"
  return failure("unreadable", `the page from ${origin} ${what}`, "look for another page with the same text")
}
