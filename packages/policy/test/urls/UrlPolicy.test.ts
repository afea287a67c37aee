import { assert, describe, it } from "@effect/vitest"
import { acceptCallback } from "@gatehouse/policy/urls/CallbackUrl"
import { Resolver, ResolverError } from "@gatehouse/policy/urls/Resolver"
import { resolveMillis, UrlPolicy, verdictLimit, verdictMillis } from "@gatehouse/policy/urls/UrlPolicy"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"

/** A resolver that counts, and answers what the function says. */
const counting = (answer: (name: string, turn: number) => Effect.Effect<ReadonlyArray<string>, ResolverError>) => {
  let lookups = 0
  const layer = UrlPolicy.layer().pipe(
    Layer.provide(Layer.succeed(Resolver, { lookup: (name) => Effect.suspend(() => answer(name, lookups++)) }))
  )
  return { layer, lookups: () => lookups }
}
const judge = (url: string, fresh = false) => Effect.flatMap(UrlPolicy, (policy) => policy.judge(url, { fresh }))

describe("UrlPolicy", () => {
  it.effect("a resolver that hangs is a failure after its time, and holds nobody", () => {
    const { layer } = counting(() => Effect.uninterruptible(Effect.never))
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(judge("https://slow.example/"))
      yield* TestClock.adjust(resolveMillis)
      const verdict = yield* Fiber.join(fiber)
      assert.deepInclude(verdict, { decision: "deny", reason: "dns-failure" })
    }).pipe(Effect.provide(layer))
  })

  it.effect("a thousand addresses are too many, and one bad among them is worse", () => {
    const many = (last: string) =>
      Array.from({ length: 1000 }, (_, index) => (index === 100 ? last : `93.184.${index % 250}.${index % 200}`))
    const { layer } = counting((name) => Effect.succeed(many(name === "bad.example" ? "10.0.0.1" : "93.184.0.1")))
    return Effect.gen(function* () {
      assert.deepInclude(yield* judge("https://many.example/"), { decision: "deny", reason: "dns-failure" })
      assert.deepInclude(yield* judge("https://bad.example/"), { decision: "deny", reason: "unsafe-answer" })
    }).pipe(Effect.provide(layer))
  })

  it.effect("safe answers are remembered for five seconds, refusals never", () => {
    const { layer, lookups } = counting((name) =>
      name === "gone.example"
        ? Effect.fail(new ResolverError({ code: "ENOTFOUND" }))
        : Effect.succeed(["93.184.216.34"])
    )
    return Effect.gen(function* () {
      yield* judge("https://a.example/one")
      yield* judge("http://A.example.:8080/two")
      assert.strictEqual(lookups(), 1)
      yield* judge("https://a.example/", true)
      assert.strictEqual(lookups(), 2)
      yield* TestClock.adjust(verdictMillis - 1)
      yield* judge("https://a.example/")
      assert.strictEqual(lookups(), 2)
      yield* TestClock.adjust(1)
      yield* judge("https://a.example/")
      assert.strictEqual(lookups(), 3)
      yield* judge("https://gone.example/")
      yield* judge("https://gone.example/")
      assert.strictEqual(lookups(), 5)
    }).pipe(Effect.provide(layer))
  })

  it.effect("a fresh refusal forgets what was remembered", () => {
    const { layer, lookups } = counting((_name, turn) => Effect.succeed([turn === 1 ? "10.0.0.1" : "93.184.216.34"]))
    return Effect.gen(function* () {
      yield* judge("https://a.example/")
      assert.deepInclude(yield* judge("https://a.example/", true), { decision: "deny" })
      yield* judge("https://a.example/")
      assert.strictEqual(lookups(), 3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("memory is bounded", () => {
    const { layer, lookups } = counting(() => Effect.succeed(["93.184.216.34"]))
    return Effect.gen(function* () {
      for (let index = 0; index <= verdictLimit; index++) yield* judge(`https://n${index}.example/`)
      yield* judge(`https://n${verdictLimit}.example/`)
      assert.strictEqual(lookups(), verdictLimit + 1)
      yield* judge("https://n0.example/")
      assert.strictEqual(lookups(), verdictLimit + 2)
    }).pipe(Effect.provide(layer))
  })

  it.effect("literals and refused names are never looked up", () => {
    const { layer, lookups } = counting(() => Effect.succeed(["93.184.216.34"]))
    return Effect.gen(function* () {
      for (const url of ["http://8.8.8.8/", "http://127.1/", "http://localhost/", "http://[::1]/", "ftp://a.example/"])
        yield* judge(url)
      assert.strictEqual(lookups(), 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("a callback gets the verdict of a request", () => {
    const { layer } = counting((name) => Effect.succeed(name === "in.example" ? ["10.0.0.1"] : ["93.184.216.34"]))
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* acceptCallback("https://a.example/hook?secret=1"), {
        origin: "https://a.example",
        addresses: ["93.184.216.34"]
      })
      for (const url of [
        "https://in.example/",
        "http://localhost/",
        "http://user:pw@a.example/",
        "file:///etc/hosts"
      ]) {
        const refused = yield* Effect.flip(acceptCallback(url))
        const verdict = yield* judge(url)
        assert.strictEqual(verdict.decision === "deny" ? verdict.reason : "allow", refused.reason)
      }
    }).pipe(Effect.provide(layer))
  })
})

describe("the system's resolver", () => {
  it.live("answers for this machine and fails with a code for a name that cannot be", () =>
    Effect.gen(function* () {
      const resolver = yield* Resolver
      const answers = yield* resolver.lookup("localhost")
      assert.isAtLeast(answers.length, 1)
      const error = yield* Effect.flip(resolver.lookup("no such name"))
      assert.match(error.code, /^E[A-Z_]+$/)
    }).pipe(Effect.provide(Resolver.layer))
  )
})
