import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { assert, describe, it } from "@effect/vitest"
import { layerPlatformClient } from "@gatehouse/policy/http/PlatformClient"
import { makeSafeFetch } from "@gatehouse/policy/http/SafeFetch.boundary"
import { SafeHttpError } from "@gatehouse/policy/http/SafeHttpError"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { withClient } from "./Client.ts"
import { httpServer } from "./Servers.ts"

const events = { limits: { totalMillis: null, bodyBytes: null } }

describe("a fetch over SafeHttp", () => {
  it.live("answers like fetch", () =>
    withClient(() =>
      Effect.gen(function* () {
        const server = yield* httpServer((request, response) => {
          request.setEncoding("utf8")
          let body = ""
          request.on("data", (piece) => (body += piece))
          request.on("end", () => {
            response.setHeader("set-cookie", ["a=1", "b=2"])
            response.end(JSON.stringify({ method: request.method, type: request.headers["content-type"], body }))
          })
        })
        const fetch = yield* makeSafeFetch()
        const url = new URL(`http://site.example:${server.port}/x`)
        const response = yield* Effect.promise(() =>
          fetch(url, { method: "POST", body: "{}", headers: new Headers({ "Content-Type": "application/json" }) })
        )
        assert.deepStrictEqual([response.ok, response.url, response.redirected], [true, url.href, false])
        assert.deepStrictEqual(response.headers.getSetCookie(), ["a=1", "b=2"])
        assert.deepStrictEqual(yield* Effect.promise(() => response.json()), {
          method: "POST",
          type: "application/json",
          body: "{}"
        })
        const form = yield* Effect.promise(() =>
          fetch(url, { method: "POST", body: new URLSearchParams({ a: "b" }) }).then((answer) => answer.json())
        )
        assert.deepInclude(form, { body: "a=b", type: "application/x-www-form-urlencoded;charset=UTF-8" })
      })
    )
  )

  it.live("streams, and stops when its reader or its signal says so", () =>
    withClient(() =>
      Effect.gen(function* () {
        let closed = 0
        const both = yield* Deferred.make<void>()
        const server = yield* httpServer((_request, response) => {
          response.writeHead(200, { "content-type": "text/event-stream" })
          response.write("data: 1\n\n")
          response.on("close", () => {
            closed += 1
            if (closed === 2) Deferred.unsafeDone(both, Effect.void)
          })
        })
        const fetch = yield* makeSafeFetch(events)
        const controller = new AbortController()
        const read = (signal?: AbortSignal) =>
          Effect.promise(async () => {
            const response = await fetch(`http://site.example:${server.port}/`, signal === undefined ? {} : { signal })
            const reader = response.body?.getReader()
            const first = await reader?.read()
            return { reader, first: Buffer.from(first?.value ?? []).toString() }
          })
        const one = yield* read()
        const two = yield* read(controller.signal)
        assert.deepStrictEqual([one.first, two.first], ["data: 1\n\n", "data: 1\n\n"])
        yield* Effect.promise(async () => one.reader?.cancel())
        const rejected = two.reader?.read().then(
          () => "went on",
          (error: unknown) => (error instanceof Error ? error.name : "odd")
        )
        controller.abort()
        assert.strictEqual(yield* Effect.promise(async () => rejected), "AbortError")
        yield* Deferred.await(both)
      })
    )
  )

  it.live("rejects with the policy's words, and a raw URL is judged raw", () =>
    withClient(() =>
      Effect.gen(function* () {
        const fetch = yield* makeSafeFetch()
        for (const url of ["http://169.254.169.254/", "http:\\\\site.example\\", "http://user:pw@site.example/"]) {
          const error = yield* Effect.promise(() =>
            fetch(url).then(
              () => null,
              (thrown: unknown) => thrown
            )
          )
          assert.instanceOf(error, SafeHttpError, url)
        }
      })
    )
  )

  it.live("hands a redirect over, or refuses it, as it is told", () =>
    withClient(() =>
      Effect.gen(function* () {
        const server = yield* httpServer((_request, response) => response.writeHead(307, { location: "/there" }).end())
        const fetch = yield* makeSafeFetch()
        const url = `http://site.example:${server.port}/`
        const manual = yield* Effect.promise(() => fetch(url, { redirect: "manual" }))
        assert.deepStrictEqual([manual.status, manual.headers.get("location")], [307, "/there"])
        const error = yield* Effect.promise(() =>
          fetch(url, { redirect: "error" }).then(
            () => null,
            (thrown: unknown) => thrown
          )
        )
        assert.instanceOf(error, TypeError)
      })
    )
  )
})

describe("odd answers", () => {
  it.live("a status beyond 599, and one without a body", () =>
    withClient(() =>
      Effect.gen(function* () {
        const server = yield* httpServer((request, response) =>
          request.url === "/odd" ? response.writeHead(999).end("odd") : response.writeHead(204).end()
        )
        const fetch = yield* makeSafeFetch()
        const odd = yield* Effect.promise(() => fetch(`http://site.example:${server.port}/odd`))
        assert.deepStrictEqual([odd.status, odd.ok, yield* Effect.promise(() => odd.text())], [999, false, "odd"])
        const none = yield* Effect.promise(() => fetch(`http://site.example:${server.port}/none`))
        assert.deepStrictEqual([none.status, none.body], [204, null])
      })
    )
  )
})

describe("the HttpClient of @effect/platform", () => {
  it.live("goes through the policy, and its errors hold the origin alone", () =>
    withClient(() =>
      Effect.gen(function* () {
        const client = yield* HttpClient.HttpClient
        const server = yield* httpServer((request, response) => response.end(JSON.stringify({ url: request.url })))
        const request = HttpClientRequest.get(`http://site.example:${server.port}/a`).pipe(
          HttpClientRequest.setUrlParam("q", "1")
        )
        const response = yield* client.execute(request)
        assert.deepStrictEqual(yield* response.json, { url: "/a?q=1" })
        const error = yield* Effect.flip(client.get("http://169.254.169.254/SECRETPATH?q=SECRETQUERY"))
        assert.strictEqual(error._tag, "RequestError")
        assert.notMatch(error.message + JSON.stringify(error), /SECRET/)
        assert.instanceOf(error.cause, SafeHttpError)
      }).pipe(Effect.provide(layerPlatformClient()))
    )
  )
})
