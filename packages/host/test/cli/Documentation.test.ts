/** What the documentation shows of `gatehouse check` is what it says. */

import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { runCheck } from "@gatehouse/host/cli/verbs/Check"
import * as Effect from "effect/Effect"
import { cliPlace, commandLayer } from "../support/CliPlace.ts"

const page = readFileSync(new URL("../../../../docs/command-review.md", import.meta.url), "utf8")
const shown = [...page.matchAll(/^\$ gatehouse check command (['"])(.*)\1\n([^]*?)\n```/gm)].map(
  ([, , command = "", output = ""]) => ({ command, output })
)

describe("docs/command-review.md", () => {
  it("shows three commands", () => assert.isAtLeast(shown.length, 3))

  for (const { command, output } of shown) {
    it.scoped(`shows what is said about ${command}`, () =>
      Effect.gen(function* () {
        const place = yield* cliPlace({})
        yield* runCheck({ kind: "command", rest: [command], json: false, expect: null }).pipe(
          Effect.provide(commandLayer(place))
        )
        assert.strictEqual(place.said.result.join("\n"), output)
      })
    )
  }
})
