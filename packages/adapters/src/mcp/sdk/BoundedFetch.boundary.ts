/** `fetch` for one exchange with a server: bodies bounded while they run, and refusals told without what they repeat. */
import type { SafeFetch } from "@gatehouse/policy/http/SafeFetch.boundary"
import { SafeHttpError } from "@gatehouse/policy/http/SafeHttpError"
import { isRecord } from "../protocol/JsonRpc.ts"
import { PeerFailure } from "../protocol/PeerFailure.ts"

/** What is learnt of an exchange beside its messages. */
export interface AnswerWatch {
  /** Why it failed, in our own words. */
  failure: PeerFailure | null
  /** A stream of events ended or broke off, whatever it had said. */
  readonly onStreamEnd: () => void
}

/** Bytes of the body of a refusal that are looked at for a JSON-RPC error. */
const refusalBytes = 16 * 1024

/** UTF-16 units of the words of a server's error. */
const wordsLimit = 500

/** How often one exchange may open a stream again. */
const reopenLimit = 20

export const boundedFetch = (
  send: SafeFetch,
  messageLimit: number,
  watch: AnswerWatch,
  hasSession: () => boolean
): SafeFetch => {
  let opened = 0
  return async (input, init = {}) => {
    if (init.method === "GET" && ++opened > reopenLimit) {
      throw new PeerFailure({ reason: "network", message: "the stream was opened again too often", sent: true })
    }
    let response: Response
    try {
      response = await send(input, init)
    } catch (error) {
      if (init.method !== "GET") watch.failure = thrown(error)
      throw error
    }
    if (!response.ok) {
      if (init.method === "POST" && !isFollowed(response, String(input)))
        watch.failure = await refusal(response, hasSession())
      else await response.body?.cancel()
      // The SDK puts the body of a refusal into its error; nobody needs it there.
      return new Response(null, { status: response.status, headers: response.headers })
    }
    if (response.body === null) return response
    const isStream = response.headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") === true
    const bounded = response.body.pipeThrough(
      isStream ? boundedEvents(messageLimit, watch) : boundedBytes(messageLimit, watch)
    )
    return new Response(bounded, { status: response.status, headers: response.headers })
  }
}

/** Redirects within the origin are followed by the SDK, each through the same policy. */
const isFollowed = (response: Response, from: string): boolean => {
  const location = response.headers.get("location")
  if ((response.status !== 307 && response.status !== 308) || location === null) return false
  return URL.canParse(location, from) && new URL(location, from).origin === new URL(from).origin
}

const thrown = (error: unknown): PeerFailure => {
  if (error instanceof PeerFailure) return error
  if (error instanceof SafeHttpError) {
    return new PeerFailure({
      reason: error.reason === "policy" ? "refused" : "network",
      message: error.message,
      sent: error.requestSent
    })
  }
  return new PeerFailure({ reason: "network", message: "the request broke off", sent: true })
}

const refusal = async (response: Response, hasSession: boolean): Promise<PeerFailure> => {
  const { status } = response
  const words = await errorWords(response)
  const location = response.headers.get("location")
  const redirect =
    location !== null && URL.canParse(location, response.url)
      ? `, a redirect to ${new URL(location, response.url).origin}, which is not followed`
      : ""
  const retryAfter = Number(response.headers.get("retry-after"))
  return new PeerFailure({
    reason: status === 404 && hasSession ? "lost" : "status",
    message: `the server answered with HTTP ${status}${redirect}${words === "" ? "" : `: ${words}`}`,
    sent: true,
    status,
    ...(retryAfter > 0 ? { retryAfterSeconds: retryAfter } : {})
  })
}

/** The message of a JSON-RPC error in the body, where there is one. A page is nobody's message. */
const errorWords = async (response: Response): Promise<string> => {
  const reader = response.body?.getReader()
  if (reader === undefined) return ""
  const pieces: Array<Uint8Array> = []
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      bytes += value.length
      if (bytes > refusalBytes) return ""
      pieces.push(value)
    }
    const body: unknown = JSON.parse(Buffer.concat(pieces).toString("utf8"))
    const error = isRecord(body) ? body["error"] : undefined
    const message = isRecord(error) ? error["message"] : undefined
    return typeof message === "string" ? message.slice(0, wordsLimit) : ""
  } catch {
    return ""
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const boundedBytes = (limit: number, watch: AnswerWatch): TransformStream<Uint8Array, Uint8Array> => {
  let bytes = 0
  return new TransformStream({
    transform: (piece, controller) => {
      bytes += piece.length
      if (bytes <= limit) return controller.enqueue(piece)
      watch.failure = tooLarge(limit)
      controller.error(watch.failure)
    }
  })
}

/** Bounds each event of a stream, from one blank line to the next. */
const boundedEvents = (limit: number, watch: AnswerWatch): TransformStream<Uint8Array, Uint8Array> => {
  let bytes = 0
  let isLineEmpty = true
  return new TransformStream({
    transform: (piece, controller) => {
      for (const byte of piece) {
        bytes += 1
        if (byte === 0x0a) {
          if (isLineEmpty) bytes = 0
          isLineEmpty = true
        } else if (byte !== 0x0d) isLineEmpty = false
      }
      if (bytes <= limit) return controller.enqueue(piece)
      watch.failure = tooLarge(limit)
      controller.error(watch.failure)
    },
    flush: () => watch.onStreamEnd()
  })
}

const tooLarge = (limit: number): PeerFailure =>
  new PeerFailure({ reason: "too_large", message: `the answer takes more than ${limit} bytes`, sent: true })
