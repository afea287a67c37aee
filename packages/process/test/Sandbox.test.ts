import * as fs from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Processes, type SpawnOptions } from "@gatehouse/process/Processes"
import { bubblewrap, profile } from "@gatehouse/process/sandbox/Bubblewrap"
import { Sandbox } from "@gatehouse/process/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import { carriers, freshMarker, homeAt, live, liveAt, shell, temporaryFolder } from "./Support.ts"

const run = (options: SpawnOptions) =>
  Effect.scoped(
    Effect.flatMap(
      Effect.flatMap(Processes, ({ spawn }) => spawn(options)),
      ({ exit }) => exit
    )
  )

describe("a sandbox", () => {
  it("hides what is hidden, and lets nothing be written but the workspace and the child's home", () => {
    const args = profile({
      invocation: { command: "/bin/sh", args: ["-c", "x"] },
      cwd: "/ws/sub",
      workspace: "/ws",
      hidden: ["/secret"],
      home: "/secret/child"
    })
    const text = args.join(" ")
    assert.include(text, "--unshare-all")
    assert.include(text, "--ro-bind / /")
    assert.isBelow(args.indexOf("/secret"), args.indexOf("/secret/child"))
    assert.match(text, /--bind \/ws \/ws --chdir \/ws\/sub -- \/bin\/sh -c x$/)
    assert.strictEqual(args.filter((word) => word === "--bind" || word === "--bind-try").length, 2)
  })

  it.live("that was asked for and is not to be had is an error before the start", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const root = yield* temporaryFolder
        const folder = yield* temporaryFolder
        const marker = join(folder, "ran")
        const error = yield* Effect.flip(run(shell(`touch ${marker}`, folder, { sandbox: "workspace" }))).pipe(
          Effect.provide(liveAt(root)),
          Effect.provideService(Sandbox, bubblewrap(null))
        )
        assert.deepInclude(error, { reason: "sandbox", spawned: false })
        assert.match(error.remedy, /bubblewrap/)
        assert.isFalse(fs.existsSync(marker))
      })
    )
  )

  const works = bubblewrap().probe().works

  it.live(
    works ? "keeps a command in the workspace, off the network and out of the home" : "says why it does not work here",
    () =>
      live((folder) =>
        Effect.gen(function* () {
          const probe = bubblewrap().probe()
          if (!probe.works) {
            assert.isNotEmpty(probe.why)
            assert.isNotEmpty(probe.remedy)
            return
          }
          const marker = freshMarker()
          const outside = join(fs.mkdtempSync("/var/tmp/gatehouse-outside-"), "file")
          const script = [
            "echo inside > kept && cat kept",
            `echo no > ${outside} || echo refused`,
            "ls /proc | grep -c '^[0-9]' | awk '{ print ($1 < 10) ? \"alone\" : \"crowded\" }'",
            "cat /proc/net/dev | grep -vc 'lo:\\|Inter\\|face'",
            "setsid env -i sleep 60 & echo over"
          ].join("; ")
          const exit = yield* run(
            shell(script, folder, { sandbox: "workspace", environment: { PATH: "/usr/bin:/bin", M: marker } })
          )
          fs.rmdirSync(join(outside, ".."))
          assert.strictEqual(exit.stdout.text, "inside\nrefused\nalone\n0\nover\n")
          assert.strictEqual(exit.sandbox, "bwrap")
          assert.isTrue(exit.confirmedGone)
          assert.deepStrictEqual(carriers(marker), [])
        })
      )
  )

  it.live("hides the home of the host", () =>
    live((folder) =>
      Effect.gen(function* () {
        if (!works) return assert.isFalse(bubblewrap().probe().works)
        const home = yield* Effect.map(Effect.provide(temporaryFolder, homeAt("/unused")), (root) => root)
        fs.writeFileSync(join(home, "key"), "secret")
        const exit = yield* run(shell(`cat ${home}/key`, folder, { sandbox: "workspace" })).pipe(
          Effect.provide(liveAt(home))
        )
        assert.notInclude(exit.stdout.text, "secret")
        assert.notStrictEqual(exit.exitCode, 0)
      }).pipe(Effect.scoped)
    )
  )
})
