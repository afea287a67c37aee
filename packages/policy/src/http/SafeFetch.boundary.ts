/**
 * `SafeHttp` in the shape of the global `fetch`, for libraries that take one (the MCP SDK, providers of models).
 * Bodies stream both bounded and unbounded; a rejected promise carries a `SafeHttpError`.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import { isRedirect } from "../urls/Redirects.ts"
import type { BodyStep } from "./BodyQueue.ts"
import { type OpenAnswer, SafeHttp, type SafeRequest } from "./SafeHttp.ts"

export type SafeFetch = (input: string | URL, init?: RequestInit) => Promise<Response>

/** What every request of one `fetch` has in common. */
export type SafeFetchOptions = Pick<SafeRequest, "limits" | "egress" | "observe">

/**
 * A `fetch` that goes through `SafeHttp`. For server-sent events pass `limits` with `totalMillis: null` and
 * `bodyBytes: null`: headers and silence stay bounded.
 *
 * Taken from `init`: `method`, `headers`, `body` (all but streams), `redirect`, `signal`. A `Request` is not taken:
 * its URL has gone through a parser already.
 */
export const makeSafeFetch = (options: SafeFetchOptions = {}): Effect.Effect<SafeFetch, never, SafeHttp> =>
  Effect.gen(function* () {
    const http = yield* SafeHttp
    const runtime = yield* Effect.runtime()
    return async (input, init = {}) => {
      const request = await requestOf(String(input), init, options)
      const scope = Effect.runSync(Scope.make())
      const close = (): void => {
        Effect.runFork(Scope.close(scope, Exit.void))
      }
      const signal = init.signal ?? undefined
      const exit = await Runtime.runPromiseExit(runtime)(
        Scope.extend(http.open(request), scope),
        signal === undefined ? undefined : { signal }
      )
      if (Exit.isSuccess(exit)) {
        if (init.redirect !== "error" || !isRedirect(exit.value.status)) return webResponse(exit.value, close, signal)
        close()
        throw new TypeError("the answer is a redirect, and the caller takes none")
      }
      close()
      signal?.throwIfAborted()
      throw Cause.squash(exit.cause)
    }
  })

/** An open answer as a web `Response`; `close` is called once, at the end of its body or when it is cancelled. */
export const webResponse = (answer: OpenAnswer, close: () => void, signal?: AbortSignal): Response => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of name === "set-cookie" ? value.split("\n") : [value]) headers.append(name, one)
  }
  // The body comes decoded, so what described its encoded form does not fit any more.
  if (headers.has("content-encoding")) {
    headers.delete("content-encoding")
    headers.delete("content-length")
  }
  const bodiless = nullBodyStatuses.has(answer.status)
  if (bodiless) close()
  // Servers send numbers that the constructor does not take (999, say); the answer is shown as it is all the same.
  const status = answer.status <= 599 ? answer.status : 500
  const response = new Response(bodiless ? null : bodyStream(answer, close, signal), { status, headers })
  if (status !== answer.status) Object.defineProperty(response, "status", { value: answer.status })
  Object.defineProperty(response, "url", { value: answer.url.href })
  Object.defineProperty(response, "redirected", { value: answer.redirects > 0 })
  return response
}

const nullBodyStatuses: ReadonlySet<number> = new Set([204, 205, 304])

const bodyStream = (answer: OpenAnswer, close: () => void, signal?: AbortSignal): ReadableStream<Uint8Array> => {
  const onAbort = (): void => answer.source.cancel()
  signal?.addEventListener("abort", onAbort, { once: true })
  const over = (): void => {
    // One signal may serve many requests: none of them may leave its listener behind.
    signal?.removeEventListener("abort", onAbort)
    close()
  }
  return new ReadableStream<Uint8Array>({
    pull: (controller) =>
      new Promise((resolve) =>
        answer.source.next((step: BodyStep) => {
          if (step._tag === "pieces") for (const piece of step.pieces) controller.enqueue(piece)
          else if (step._tag === "end") {
            over()
            controller.close()
          } else {
            over()
            controller.error(signal?.aborted === true ? signal.reason : answer.explain(step.failure))
          }
          resolve()
        })
      ),
    cancel: () => {
      answer.source.cancel()
      over()
    }
  })
}

const requestOf = async (url: string, init: RequestInit, options: SafeFetchOptions): Promise<SafeRequest> => {
  if (init.body instanceof ReadableStream) throw new TypeError("body: streams are not sent; pass text or bytes")
  const headers: Record<string, string> = {}
  new Headers(init.headers).forEach((value, name) => {
    headers[name] = value
  })
  const carrier = init.body === undefined || init.body === null ? null : new Response(init.body)
  const type = carrier?.headers.get("content-type") ?? null
  if (type !== null && headers["content-type"] === undefined) headers["content-type"] = type
  return {
    ...options,
    url,
    headers,
    method: init.method ?? "GET",
    redirects: init.redirect === undefined || init.redirect === "follow" ? "follow" : "manual",
    ...(carrier === null ? {} : { body: new Uint8Array(await carrier.arrayBuffer()) })
  }
}
