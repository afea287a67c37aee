import { assert, describe, it } from "@effect/vitest"
import { Processes, type SpawnOptions } from "@gatehouse/process/Processes"
import { type LimitTools, limited, stricterLimits } from "@gatehouse/process/spawn/Limits"
import * as Effect from "effect/Effect"
import { live, shell } from "./Support.ts"

const tools: LimitTools = { prlimit: "/usr/bin/prlimit", nice: "/usr/bin/nice", leastNiceness: 0 }
const command = { command: "/bin/sh", args: ["-c", "x"] }

describe("limits of a command", () => {
  it("are set by programs that become the command", () => {
    const limits = { cpuSeconds: 2.5, memoryBytes: 1000, openFiles: 64, niceness: 5 }
    assert.deepStrictEqual(limited(command, limits, tools), {
      command: "/usr/bin/nice",
      args: ["-n", "5", "--", "/usr/bin/prlimit", "--cpu=3:4", "--as=1000", "--nofile=64", "--", "/bin/sh", "-c", "x"],
      unsupported: []
    })
    assert.deepStrictEqual(limited(command, {}, tools), { ...command, unsupported: [] })
  })

  it("are named where the machine cannot set them", () => {
    const bare = { prlimit: null, nice: null, leastNiceness: 0 }
    const { unsupported, ...invocation } = limited(command, { cpuSeconds: 1, openFiles: 2, niceness: 3 }, bare)
    assert.deepStrictEqual(invocation, command)
    assert.deepStrictEqual(
      unsupported.map((text) => text.split(":")[0]),
      ["limits.cpuSeconds", "limits.openFiles", "limits.niceness"]
    )
    assert.match(limited(command, { niceness: -5 }, tools).unsupported[0] ?? "", /^limits\.niceness/)
  })

  it("of host and command merge to the stricter", () => {
    assert.deepStrictEqual(
      stricterLimits({ cpuSeconds: 5, memoryBytes: 100, niceness: 2 }, { cpuSeconds: 9, openFiles: 3, niceness: 0 }),
      { cpuSeconds: 5, memoryBytes: 100, openFiles: 3, niceness: 2 }
    )
    assert.deepStrictEqual(stricterLimits({}, {}), {})
  })

  const run = (options: SpawnOptions) =>
    Effect.scoped(
      Effect.flatMap(
        Effect.flatMap(Processes, ({ spawn }) => spawn(options)),
        ({ exit }) => exit
      )
    )

  it.live("hold in the command and in what it starts", () =>
    live(
      (folder) =>
        Effect.gen(function* () {
          const limits = { cpuSeconds: 1, memoryBytes: 4_000_000_000, openFiles: 64, niceness: 7 }
          const exit = yield* run(shell("ulimit -n; ulimit -v; sh -c nice", folder, { limits }))
          assert.strictEqual(exit.stdout.text, "32\n3906250\n7\n")
          const spinning = yield* run(shell("while :; do :; done", folder, { limits }))
          assert.strictEqual(spinning.signal, "XCPU")
          assert.isTrue(spinning.confirmedGone)
        }),
      { limits: { openFiles: 32 } }
    )
  )
})
