import { Terminal } from "@effect/platform/Terminal"
import { assert, describe, it } from "@effect/vitest"
import { freshKeysLayer } from "@gatehouse/host/cli/FreshKeys"
import { nextKey } from "@gatehouse/host/cli/Keys"
import * as Effect from "effect/Effect"
import { typedKeys } from "../support/TypedKeys.ts"

describe("keys that were typed before the question", () => {
  it.live("answer nothing", () =>
    Effect.gen(function* () {
      const terminal = yield* Terminal
      const keys = yield* terminal.readInput
      assert.strictEqual((yield* nextKey(keys)).name, "end")
    }).pipe(Effect.scoped, Effect.provide(freshKeysLayer), Effect.provide(typedKeys("y", "return")))
  )
})
