/** `SafeHttp` as the `HttpClient` of @effect/platform, for code that is written against it. */

import type * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type SafeFetchOptions, webResponse } from "./SafeFetch.boundary.ts"
import { SafeHttp, type SafeRequest } from "./SafeHttp.ts"

/** Bytes of a streamed request body, which is read before it is sent: a redirect may need it again. */
export const requestBodyBytes = 16 * 1024 * 1024

/**
 * A client whose errors are `RequestError`s with the `SafeHttpError` as their cause. They carry the origin alone, and
 * no span is opened: path, query and headers may hold what nobody should read.
 */
export const makePlatformClient = (
  options: SafeFetchOptions = {}
): Effect.Effect<HttpClient.HttpClient, never, SafeHttp> =>
  Effect.map(SafeHttp, (http) =>
    HttpClient.make((request, url, signal) =>
      Effect.gen(function* () {
        const body = yield* bytesOf(request.body, request)
        const scope = yield* Scope.make()
        const close = (): void => {
          Effect.runFork(Scope.close(scope, Exit.void))
        }
        const safe: SafeRequest = {
          ...options,
          // The parser has been over `url`; without parameters the text as it was written is still there.
          url: request.urlParams.length === 0 && request.hash._tag === "None" ? request.url : url.href,
          method: request.method,
          headers: withType(request.headers, request.body.contentType),
          ...(body === null ? {} : { body })
        }
        const answer = yield* Scope.extend(http.open(safe), scope).pipe(
          Effect.mapError((cause) => transportError(request, cause.origin, cause.message, cause)),
          Effect.onError(() => Effect.sync(close))
        )
        return HttpClientResponse.fromWeb(request, webResponse(answer, close, signal))
      })
    ).pipe(HttpClient.withTracerDisabledWhen(() => true))
  )

/** The tag of @effect/platform, served by `SafeHttp`. */
export const layerPlatformClient = (
  options: SafeFetchOptions = {}
): Layer.Layer<HttpClient.HttpClient, never, SafeHttp> =>
  Layer.effect(HttpClient.HttpClient, makePlatformClient(options))

const withType = (headers: Readonly<Record<string, string>>, type: string | undefined): Record<string, string> =>
  type === undefined ? { ...headers } : { "content-type": type, ...headers }

const transportError = (
  request: HttpClientRequest.HttpClientRequest,
  origin: string | null,
  description: string,
  cause?: unknown
): HttpClientError.RequestError =>
  new HttpClientError.RequestError({
    request: HttpClientRequest.make(request.method)(origin ?? "about:blank"),
    reason: "Transport",
    description,
    cause
  })

const bytesOf = (
  body: HttpBody.HttpBody,
  request: HttpClientRequest.HttpClientRequest
): Effect.Effect<Uint8Array | null, HttpClientError.RequestError> => {
  switch (body._tag) {
    case "Empty":
      return Effect.succeed(null)
    case "Uint8Array":
      return Effect.succeed(body.body)
    case "Stream":
      return Stream.runFoldEffect(body.stream, { size: 0, pieces: [] as Array<Uint8Array> }, (read, piece) => {
        const size = read.size + piece.byteLength
        if (size > requestBodyBytes) return Effect.fail(`the body is larger than ${requestBodyBytes} bytes`)
        read.pieces.push(piece)
        return Effect.succeed({ size, pieces: read.pieces })
      }).pipe(
        Effect.map(({ pieces }) => Buffer.concat(pieces)),
        Effect.mapError((reason) =>
          transportError(request, null, typeof reason === "string" ? reason : "the body broke")
        )
      )
    default:
      return Effect.fail(transportError(request, null, `a body of kind ${body._tag} is not sent; pass text or bytes`))
  }
}
