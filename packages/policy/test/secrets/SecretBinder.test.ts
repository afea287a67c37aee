import { assert, describe, it } from "@effect/vitest"
import { makeCapabilitySnapshot } from "@gatehouse/policy/capabilities/CapabilitySnapshots"
import { SecretBinder } from "@gatehouse/policy/secrets/SecretBinder"
import { judgeSecretRequests, readSecretBindings } from "@gatehouse/policy/secrets/SecretRequests"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { testTurn } from "../TestTurn.ts"

const turnWith = (...grants: ReadonlyArray<string>) =>
  testTurn({ capabilities: makeCapabilitySnapshot(grants, { "agent/tools/deploy": ["secret.bind:DB_PASSWORD"] }) })
const turn = turnWith("secret.bind:API_TOKEN", "secret.bind:EMPTY", "secret.bind:*")
const request = (source: string, target: string, expiresInSeconds = 30) => ({ source, target, expiresInSeconds })
const hostEnvironment = { API_TOKEN: "tok-123", DB_PASSWORD: "pw-456", EMPTY: "" }
const layer = SecretBinder.layer({ hostEnvironment, platform: "posix" })

describe("binding secrets", () => {
  it.effect("hands out exactly what was asked for, wrapped, with the earliest expiry", () =>
    Effect.gen(function* () {
      const binder = yield* SecretBinder
      const now = yield* Clock.currentTimeMillis
      const bound = yield* binder.bind([request("env:API_TOKEN", "A", 20), request("env:API_TOKEN", "B", 3)], turn, now)
      assert.deepStrictEqual([...bound.values.keys()], ["A", "B"])
      assert.strictEqual(Redacted.value(bound.values.get("A") ?? Redacted.make("")), "tok-123")
      assert.strictEqual(bound.expiresAt, now + 3000)
      assert.notInclude(JSON.stringify([...bound.values]), "tok-123")
    }).pipe(Effect.provide(layer))
  )

  it.effect("refuses a binding whose time ran out while the approver thought", () =>
    Effect.gen(function* () {
      const binder = yield* SecretBinder
      const askedAt = yield* Clock.currentTimeMillis
      yield* TestClock.adjust("4999 millis")
      yield* binder.bind([request("env:API_TOKEN", "A", 5)], turn, askedAt)
      yield* TestClock.adjust("1 millis")
      const error = yield* Effect.flip(binder.bind([request("env:API_TOKEN", "A", 5)], turn, askedAt))
      assert.strictEqual(error.reason, "expired")
    }).pipe(Effect.provide(layer))
  )

  it.effect("refuses what the turn does not grant by its whole name, and what the host lacks", () =>
    Effect.gen(function* () {
      const binder = yield* SecretBinder
      const reason = (source: string, target: string) =>
        Effect.map(Effect.flip(binder.bind([request(source, target)], turn, 0)), (error) => {
          assert.notInclude(error.message, "pw-456")
          return error.reason
        })
      assert.strictEqual(yield* reason("env:DB_PASSWORD", "D"), "missing_capability")
      assert.strictEqual(yield* reason("env:EMPTY", "D"), "missing_variable")
      assert.strictEqual(yield* reason("env:API_TOKEN", "Path"), "reserved_target")
      assert.strictEqual(yield* reason("keyring:API_TOKEN", "D"), "invalid_source")
    }).pipe(Effect.provide(layer))
  )

  it.effect("binds nothing where nothing is asked for", () =>
    Effect.gen(function* () {
      const bound = yield* (yield* SecretBinder).bind([], turnWith(), 0)
      assert.strictEqual(bound.values.size, 0)
      assert.isNull(bound.expiresAt)
    }).pipe(Effect.provide(layer))
  )
})

describe("reading secret_bindings", () => {
  it("fills in the source's name and the call's timeout", () => {
    assert.deepStrictEqual(
      readSecretBindings([{ source: "env:API_TOKEN" }], 12),
      Either.right([{ source: "env:API_TOKEN", target: "API_TOKEN", expiresInSeconds: 12 }])
    )
    const lifetime = (timeout: number) =>
      Either.map(readSecretBindings([{ source: "env:A" }], timeout), (read) => read[0]?.expiresInSeconds)
    assert.deepStrictEqual([lifetime(300), lifetime(1.5)], [Either.right(120), Either.right(1)])
    assert.deepStrictEqual(readSecretBindings(undefined, 12), Either.right([]))
  })

  it("refuses any other shape and repeats nothing of it", () => {
    const secret = "sk-live-0123456789"
    const shapes = [secret, [secret], [null], [[]], [{}], [{ source: 5 }], [{ source: "env:A", value: secret }]]
    const more = [
      [{ source: "env:A", target: null }],
      [{ source: "env:A", expires_in_seconds: "5" }],
      { 0: { source: "env:A" } }
    ]
    for (const raw of [...shapes, ...more]) {
      const read = readSecretBindings(raw, 30)
      if (Either.isRight(read)) assert.fail(JSON.stringify(raw))
      assert.strictEqual(read.left.reason, "invalid_binding")
      assert.notInclude(read.left.message, secret)
    }
  })

  it("takes sixteen and refuses seventeen, a second of the same target, and odd lifetimes", () => {
    const circumstances = {
      grants: ["secret.bind:API_TOKEN"],
      timeoutSeconds: 60,
      background: false,
      taken: ["OVERLAID"],
      host: { hostEnvironment, platform: "posix" as const }
    }
    const judge = (requests: ReadonlyArray<ReturnType<typeof request>>) =>
      judgeSecretRequests(requests, circumstances)?.reason ?? null
    const many = (count: number) => Array.from({ length: count }, (_, index) => request("env:API_TOKEN", `T${index}`))
    assert.isNull(judge(many(16)))
    assert.strictEqual(judge(many(17)), "too_many_bindings")
    assert.strictEqual(judge([...many(2), request("env:API_TOKEN", "T1")]), "duplicate_target")
    assert.strictEqual(judge([request("env:API_TOKEN", "OVERLAID")]), "duplicate_target")
    for (const seconds of [0, -1, 61, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.strictEqual(judge([request("env:API_TOKEN", "T", seconds)]), "expiry_out_of_range", String(seconds))
    }
    for (const seconds of [1, 60]) assert.isNull(judge([request("env:API_TOKEN", "T", seconds)]))
    assert.strictEqual(
      judgeSecretRequests(many(1), { ...circumstances, background: true })?.reason,
      "background_binding"
    )
  })
})
