import * as fs from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Artifacts } from "@gatehouse/process/Artifacts"
import { type OwnedProcess, Processes, type SpawnOptions } from "@gatehouse/process/Processes"
import { linuxProcessTable } from "@gatehouse/process/table/LinuxProcessTable.boundary"
import { type ProcessTable, ProcessTables } from "@gatehouse/process/table/ProcessTable"
import { unsupportedProcessTable } from "@gatehouse/process/table/UnsupportedProcessTable"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { carriers, endCarriers, freshMarker, homeAt, live, shell, temporaryFolder } from "./Support.ts"

const started = (options: SpawnOptions) => Effect.flatMap(Processes, (processes) => processes.spawn(options))
const finished = (options: SpawnOptions) => Effect.scoped(Effect.flatMap(started(options), ({ exit }) => exit))
const seconds = (began: number): number => (performance.now() - began) / 1000

/** Runs `use` with a marker, and fails where a process that carries it is left. */
const nobodyLeft = <A, E, R>(use: (marker: Readonly<Record<string, string>>) => Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const marker = freshMarker()
    return use({ PATH: "/usr/bin:/bin", GH_MARK: marker }).pipe(
      Effect.tap(() => Effect.sync(() => assert.deepStrictEqual(carriers(marker), []))),
      Effect.ensuring(Effect.sync(() => endCarriers(marker)))
    )
  })

describe("a tree", () => {
  it.live("answers with its leader's end, whoever holds the pipe", () =>
    live((folder) =>
      nobodyLeft((environment) =>
        Effect.gen(function* () {
          const began = performance.now()
          const exit = yield* finished(shell("sleep 60 & setsid sleep 60 & echo done", folder, { environment }))
          assert.isBelow(seconds(began), 2)
          assert.deepInclude(exit, { exitCode: 0, signal: null, cause: "leader", confirmedGone: true })
          assert.strictEqual(exit.stdout.text, "done\n")
        })
      )
    )
  )

  it.live("is ended where it left for sessions of its own, with a cleared environment, or is stopped", () =>
    live((folder) =>
      nobodyLeft((environment) =>
        Effect.gen(function* () {
          const scripts = [
            "setsid sh -c 'trap \"\" TERM; sleep 60 & setsid sleep 60' & sleep 60",
            "env -i sh -c 'sleep 60 & setsid sleep 60' & sleep 60",
            "set -m; sleep 60 & sleep 60",
            "(sleep 60 & kill -STOP $!) ; kill -STOP $$",
            "trap '' TERM HUP INT; while :; do sleep 0.05; done"
          ]
          const ended = yield* Effect.forEach(
            scripts,
            (script) =>
              Effect.scoped(
                Effect.flatMap(started(shell(script, folder, { environment })), ({ end }) =>
                  Effect.zipRight(Effect.sleep(200), end)
                )
              ),
            { concurrency: "unbounded" }
          )
          for (const exit of ended) assert.deepInclude(exit, { cause: "asked", confirmedGone: true, survivors: [] })
        })
      )
    )
  )

  it.live("ends with its scope, and when the fiber that waits is interrupted", () =>
    live((folder) =>
      nobodyLeft((environment) =>
        Effect.gen(function* () {
          yield* Effect.scoped(started(shell("sleep 60 & sleep 60", folder, { environment })))
          yield* Effect.timeout(finished(shell("sleep 60 & sleep 60", folder, { environment })), 100).pipe(Effect.flip)
        })
      )
    )
  )

  it.live("of a bounded fork storm is ended whole", () =>
    live((folder) =>
      nobodyLeft((environment) =>
        Effect.gen(function* () {
          const storm = "f() { [ $1 -gt 0 ] && { sleep 0.02; f $(($1-1)) & f $(($1-1)) & sleep 20; }; }; f 6; sleep 20"
          const exit = yield* Effect.scoped(
            Effect.flatMap(started(shell(storm, folder, { environment })), ({ end }) =>
              Effect.zipRight(Effect.sleep(150), end)
            )
          )
          assert.isTrue(exit.confirmedGone)
        })
      )
    )
  )

  it.live("says so where somebody whom it cannot know still holds its output", () =>
    live((folder) =>
      Effect.gen(function* () {
        const marker = `17.${Date.now() % 1_000_000}`
        // Out of the session, without the mark, and an orphan: only the open pipe tells.
        const lost = `setsid env -i sh -c '(sleep ${marker} &) ; exit 0' & wait; sleep 0.1`
        const began = performance.now()
        const exit = yield* Effect.ensuring(
          finished(shell(lost, folder)),
          Effect.sync(() => endCarriers(marker))
        )
        assert.isBelow(seconds(began), 2)
        assert.deepInclude(exit, { exitCode: 0, confirmedGone: false })
      })
    )
  )

  it.live("is ended once, however many ask", () =>
    live((folder) =>
      Effect.gen(function* () {
        const exits = yield* Effect.scoped(
          Effect.flatMap(started(shell("trap 'echo bye; exit 3' TERM; sleep 20 & wait", folder)), ({ end, exit }) =>
            Effect.zipRight(Effect.sleep(100), Effect.all([end, end, exit, end], { concurrency: "unbounded" }))
          )
        )
        for (const exit of exits) assert.strictEqual(exit, exits[0])
        assert.deepInclude(exits[0], { exitCode: 3, cause: "asked" })
        assert.strictEqual(exits[0]?.stdout.text, "bye\n")
      })
    )
  )
})

describe("streams", () => {
  it.live("give standard input as text, and an end where there is none", () =>
    live((folder) =>
      Effect.gen(function* () {
        const text = "x".repeat(300_000)
        assert.strictEqual((yield* finished(shell("wc -c", folder, { stdin: text }))).stdout.text.trim(), "300000")
        assert.strictEqual((yield* finished(shell("cat; echo end", folder))).stdout.text, "end\n")
        assert.strictEqual((yield* finished(shell("exit 0", folder, { stdin: text }))).exitCode, 0)
      })
    )
  )

  it.live("keep standard input open for a server, and hand over its protocol raw", () =>
    live((folder) =>
      Effect.gen(function* () {
        const seen: Array<string> = []
        const options = shell('while read -r line; do echo "got $line"; echo note >&2; done; echo over', folder, {
          stdin: { keepOpen: true },
          artifact: true,
          onStdoutBytes: (bytes) => void seen.push(Buffer.from(bytes).toString())
        })
        const talk = ({ closeStdin, exit, tails, write }: OwnedProcess) =>
          Effect.gen(function* () {
            yield* write(Buffer.from("one\n"))
            yield* Effect.sleep(100)
            assert.deepStrictEqual(seen, ["got one\n"])
            assert.strictEqual((yield* tails).stderr.text, "note\n")
            yield* closeStdin
            return yield* exit
          })
        const exit = yield* Effect.scoped(Effect.flatMap(started(options), talk))
        assert.strictEqual(seen.join(""), "got one\nover\n")
        assert.deepInclude(exit.stdout, { text: "", bytes: 13 })
        assert.deepStrictEqual(
          exit.artifacts.map(({ name }) => name),
          ["stderr.log"]
        )
      })
    )
  )

  it.live("tell a writer that nobody reads any more", () =>
    live((folder) =>
      Effect.gen(function* () {
        const late = Effect.flatMap(
          started(shell("exit 0", folder, { stdin: { keepOpen: true } })),
          ({ exit, write }) => Effect.zipRight(exit, Effect.flip(write(Buffer.from("late"))))
        )
        assert.strictEqual((yield* Effect.scoped(late)).reason, "stdin")
      })
    )
  )

  it.live("are masked before anything is kept, shown or written", () =>
    live((folder) =>
      Effect.gen(function* () {
        const shown: Array<string> = []
        const exit = yield* finished(
          shell("printf 'a sec'; sleep 0.05; printf 'ret b'; printf 'sec' >&2", folder, {
            mask: secretMask,
            artifact: true,
            onOutput: (_stream, text) => void shown.push(text)
          })
        )
        assert.strictEqual(exit.stdout.text, "a <masked> b")
        assert.strictEqual(exit.stderr.text, "sec")
        assert.strictEqual(shown.join("").includes("secret"), false)
        const artifacts = yield* Artifacts
        const stdout = exit.artifacts.find(({ name }) => name === "stdout.log")
        assert.isDefined(stdout)
        assert.strictEqual(fs.readFileSync(yield* artifacts.locate(stdout.id), "utf8"), "a <masked> b")
      })
    )
  )

  it.live("end the tree and fail where they cannot be masked, and keep nothing of it", () =>
    live((folder) =>
      nobodyLeft((environment) =>
        Effect.gen(function* () {
          const broken = () => ({
            push: (): Uint8Array => {
              throw new Error("broken")
            },
            end: (): Uint8Array => new Uint8Array(0)
          })
          const error = yield* Effect.flip(
            finished(shell("echo secret; sleep 20", folder, { environment, mask: broken }))
          )
          assert.strictEqual(error.reason, "output")
          assert.strictEqual(error.exit?.stdout.text, "")
          assert.strictEqual(error.exit?.cause, "failure")
        })
      )
    )
  )

  it.live("grow their artifact while the command runs", () =>
    live((folder) =>
      Effect.gen(function* () {
        const artifacts = yield* Artifacts
        const watch = ({ exit }: OwnedProcess) =>
          Effect.gen(function* () {
            yield* Effect.sleep(200)
            const [early] = yield* artifacts.list
            assert.deepInclude(early, { name: "stdout.log", bytes: 6, inUse: true })
            yield* exit
            const [late] = yield* artifacts.list
            assert.deepInclude(late, { bytes: 12, inUse: false })
          })
        const options = shell("echo first; sleep 0.5; echo after", folder, { artifact: true })
        yield* Effect.scoped(Effect.flatMap(started(options), watch))
      })
    )
  )

  it.live("of 100 MB leave the host's memory flat", () =>
    live((folder) =>
      Effect.gen(function* () {
        yield* finished(shell("head -c 50000000 /dev/zero", folder))
        const before = process.memoryUsage.rss()
        const exit = yield* finished(shell("head -c 100000000 /dev/zero", folder, { artifact: true }))
        assert.strictEqual(exit.stdout.bytes, 100_000_000)
        assert.isBelow((process.memoryUsage.rss() - before) / 1024 / 1024, 48)
      })
    )
  )
})

/** Replaces `secret`, across chunks. */
const secretMask = () => {
  let held = ""
  const safe = (text: string): Uint8Array => Buffer.from(text.replaceAll("secret", "<masked>"))
  return {
    push: (chunk: Uint8Array): Uint8Array => {
      const text = (held + Buffer.from(chunk).toString()).replaceAll("secret", "<masked>")
      const cut = Math.max(0, text.length - 5)
      held = text.slice(cut)
      return Buffer.from(text.slice(0, cut))
    },
    end: () => safe(held)
  }
}

describe("a start", () => {
  const reasonOf = (options: SpawnOptions) =>
    Effect.map(Effect.flip(finished(options)), ({ reason, spawned }) => ({ reason, spawned }))

  it.live("is refused in words where the system refuses it", () =>
    live((folder) =>
      Effect.gen(function* () {
        fs.writeFileSync(join(folder, "plain"), "x")
        fs.symlinkSync(folder, join(folder, "link"))
        const bare = shell("", folder)
        const table: ReadonlyArray<[options: SpawnOptions, reason: string]> = [
          [{ ...bare, command: "/no/such/program" }, "not_found"],
          [{ ...bare, command: "no-such-program" }, "not_found"],
          [{ ...bare, command: join(folder, "plain") }, "not_executable"],
          [{ ...bare, args: ["-c", "x\0y"] }, "spawn"],
          [{ ...bare, args: ["-c", "z".repeat(200_000)] }, "spawn"],
          [{ ...bare, cwd: join(folder, "missing") }, "cwd"],
          [{ ...bare, cwd: join(folder, "plain") }, "cwd"],
          [{ ...bare, cwd: join(folder, "link") }, "cwd"],
          [{ ...bare, command: "/no/such/program", limits: { openFiles: 64 } }, "not_found"]
        ]
        yield* finished(bare)
        const before = fs.readdirSync("/proc/self/fd").length
        for (const [options, reason] of table)
          assert.deepStrictEqual(yield* reasonOf(options), { reason, spawned: false })
        yield* Effect.sleep(50)
        assert.isAtMost(fs.readdirSync("/proc/self/fd").length, before)
      })
    )
  )

  it.live("enters the folder that was judged, and no other of that name", () =>
    live((folder) =>
      Effect.gen(function* () {
        fs.mkdirSync(join(folder, "real"))
        fs.mkdirSync(join(folder, "other"))
        const options = shell("pwd -P", join(folder, "real"))
        assert.strictEqual((yield* finished(options)).stdout.text, `${join(folder, "real")}\n`)
        fs.renameSync(join(folder, "real"), join(folder, "moved"))
        fs.symlinkSync(join(folder, "other"), join(folder, "real"))
        assert.strictEqual((yield* reasonOf(options)).reason, "cwd")
      })
    )
  )

  it.live("hands over exactly the environment that was asked for, and the mark", () =>
    live((folder) =>
      Effect.gen(function* () {
        const { stdout } = yield* finished(
          shell("env", folder, { environment: { PATH: "/usr/bin:/bin", ONLY: "this" } })
        )
        const names = stdout.text
          .split("\n")
          .map((line) => line.split("=")[0])
          .filter((name) => name !== "")
        // The shell itself adds PWD, and some of them `_` and SHLVL.
        assert.deepStrictEqual(names.filter((name) => !["PWD", "_", "SHLVL", "OLDPWD"].includes(name ?? "")).sort(), [
          "GATEHOUSE_SPAWN",
          "ONLY",
          "PATH"
        ])
      })
    )
  )

  it.live("leads a session and a group of its own", () =>
    live((folder) =>
      Effect.gen(function* () {
        const { stdout } = yield* finished(shell("cut -d' ' -f5,6 /proc/$$/stat; echo $$", folder))
        const [ids, pid] = stdout.text.trim().split("\n")
        assert.strictEqual(ids, `${pid} ${pid}`)
      })
    )
  )

  it.live("is refused after shutdown, which ends everything side by side", () =>
    live((folder) =>
      nobodyLeft((environment) =>
        Effect.scoped(
          Effect.gen(function* () {
            const { shutdown } = yield* Processes
            const stubborn = shell("trap '' TERM; sleep 30", folder, { environment })
            const trees = yield* Effect.all(Array.from({ length: 5 }, () => started(stubborn)))
            yield* Effect.sleep(100)
            const began = performance.now()
            yield* shutdown
            assert.isBelow(seconds(began), 2.5)
            for (const { exit } of trees) assert.deepInclude(yield* exit, { cause: "shutdown", signal: "KILL" })
            assert.strictEqual((yield* reasonOf(stubborn)).reason, "shutdown")
          })
        )
      )
    )
  )

  const withTable = (table: ProcessTable, root: string) =>
    Layer.provide(
      Processes.layer().pipe(Layer.provideMerge(Artifacts.layer()), Layer.provide(homeAt(root))),
      Layer.succeed(ProcessTables, table)
    )

  const refusedOn = (table: ProcessTable) =>
    nobodyLeft((environment) =>
      Effect.scoped(
        Effect.gen(function* () {
          const root = yield* temporaryFolder
          const folder = yield* temporaryFolder
          return yield* Effect.flip(finished(shell("sleep 20", folder, { environment }))).pipe(
            Effect.provide(withTable(table, root))
          )
        })
      )
    )

  it.live("is undone where no start marker can be read", () =>
    Effect.gen(function* () {
      const real = linuxProcessTable()
      const blind = { ...real, status: (pid: number) => (pid === process.pid ? real.status(pid) : null) }
      const error = yield* refusedOn(blind)
      assert.deepInclude(error, { reason: "identity", spawned: true })
    })
  )

  it.live("never begins where /proc cannot be read, or trees cannot be owned", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* refusedOn(linuxProcessTable("/no/proc")), { reason: "identity", spawned: false })
      const windows = yield* refusedOn(unsupportedProcessTable("no job objects"))
      assert.deepInclude(windows, { reason: "unsupported", spawned: false, message: "no job objects" })
    })
  )

  it.live("never begins where it cannot be written down", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const root = yield* temporaryFolder
        const folder = yield* temporaryFolder
        fs.writeFileSync(join(root, "processes"), "")
        const error = yield* Effect.flip(finished(shell("exit 0", folder))).pipe(
          Effect.provide(withTable(linuxProcessTable(), root))
        )
        assert.deepInclude(error, { reason: "record", spawned: false })
      })
    )
  )
})

describe("many at once", () => {
  it.live("all finish, with their own output, and leave no descriptor", () =>
    live((folder) =>
      Effect.gen(function* () {
        yield* finished(shell("exit 0", folder))
        const before = fs.readdirSync("/proc/self/fd").length
        const outputs = yield* Effect.forEach(
          Array.from({ length: 200 }, (_, index) => index),
          (index) => Effect.map(finished(shell(`echo ${index}`, folder)), ({ stdout }) => stdout.text),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          outputs,
          Array.from({ length: 200 }, (_, index) => `${index}\n`)
        )
        yield* Effect.sleep(50)
        assert.isAtMost(fs.readdirSync("/proc/self/fd").length, before)
      })
    )
  )

  it.live("give a typed error where the host has no descriptors left", () =>
    live((folder) =>
      Effect.gen(function* () {
        yield* finished(shell("exit 0", folder))
        const held: Array<number> = []
        const hoard = Effect.sync(() => {
          try {
            for (;;) held.push(fs.openSync("/dev/null", "r"))
          } catch {
            // Two are given back, so that it is the start that fails and not the look before it.
            for (const descriptor of held.splice(-6)) fs.closeSync(descriptor)
          }
        })
        const release = Effect.sync(() => {
          for (const descriptor of held) fs.closeSync(descriptor)
        })
        const answers = yield* Effect.ensuring(
          Effect.zipRight(
            hoard,
            Effect.forEach(Array.from({ length: 4 }), () => Effect.either(finished(shell("sleep 0.2", folder))), {
              concurrency: "unbounded"
            })
          ),
          release
        )
        const reasons = answers.flatMap((answer) => (Either.isLeft(answer) ? [answer.left.reason] : []))
        assert.isNotEmpty(reasons)
        for (const reason of reasons) assert.include(["resources", "cwd", "record", "identity"], reason)
        assert.strictEqual((yield* finished(shell("exit 0", folder))).exitCode, 0)
      })
    )
  )
})
