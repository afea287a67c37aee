/** The built command where nothing more can be written to the home: a limit on file sizes stands for the full disk. */

import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { gatehouseProgram } from "../support/StdioClient.ts"
import { testPlace } from "../support/TestHost.ts"

describe("a home that cannot grow", () => {
  it.scopedLive("is said to be full, and nothing happens", () =>
    Effect.gen(function* () {
      const place = yield* testPlace({ core: { "agent.yaml": "agent:\n  id: test\n" } })
      const places = ["--core", place.core, "--home", place.home, "--workspace", place.workspace]
      const { status, stderr } = yield* Effect.sync(() =>
        spawnSync(
          "/bin/sh",
          ["-c", 'ulimit -f 20; exec "$@"', "sh", process.execPath, gatehouseProgram, "call", "tools_list", ...places],
          { encoding: "utf8" }
        )
      )
      assert.strictEqual(status, 1, stderr)
      assert.include(stderr, "cannot grow: its disk is full")
      assert.include(stderr, "free some space")
    })
  )
})
