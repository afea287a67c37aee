/** What the documentation shows of `gatehouse check` is what it says. */

import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { runCheck } from "@gatehouse/host/cli/verbs/Check"
import { runCheckCall } from "@gatehouse/host/cli/verbs/CheckCall"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { cliPlace, commandLayer } from "../support/CliPlace.ts"

const read = (page: string) => readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), "utf8")
const shown = [...read("command-review.md").matchAll(/^\$ gatehouse check command (['"])(.*)\1\n([^]*?)\n```/gm)].map(
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

describe("docs/policy-tests.md", () => {
  it.scoped("shows what is said about a call", () =>
    Effect.gen(function* () {
      const [, tool = "", args = "", output] =
        /^\$ gatehouse check call (\w+) '(.*)' --core examples\/policy-tests\n([^]*?)\n```/m.exec(
          read("policy-tests.md")
        ) ?? []
      const place = yield* cliPlace({})
      const core = Option.some(fileURLToPath(new URL("../../../../examples/policy-tests", import.meta.url)))
      yield* runCheckCall({ ...place.places, core, rest: [tool, args], as: "local", json: false, expect: null }).pipe(
        Effect.provide(commandLayer(place))
      )
      assert.strictEqual(place.said.result.join("\n").replace(/catalog [0-9a-f]{12}/, "catalog …"), output)
    })
  )
})
