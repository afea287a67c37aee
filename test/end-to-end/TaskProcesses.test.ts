/** Background commands between real `gatehouse` processes: cancelled from elsewhere, stopped by a signal, killed. */

import { type ChildProcess, execFile, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { generousCore } from "../support/TestHost.ts"

const program = fileURLToPath(new URL("../../packages/host/bin/gatehouse.js", import.meta.url))

interface Place {
  readonly root: string
  readonly environment: Readonly<Record<string, string>>
}

const place = Effect.acquireRelease(
  Effect.sync((): Place => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-tasks-")))
    mkdirSync(join(root, "core"))
    writeFileSync(join(root, "core", "agent.yaml"), generousCore)
    const environment = { PATH: process.env["PATH"] ?? "", HOME: root, GATEHOUSE_HOME: join(root, "home") }
    return { root, environment }
  }),
  ({ root }) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
)

interface Ran {
  readonly status: number
  readonly stdout: string
}

const run = ({ environment, root }: Place, ...args: ReadonlyArray<string>) =>
  Effect.async<Ran>((resume) => {
    execFile(process.execPath, [program, ...args], { cwd: root, env: environment }, (error, stdout) =>
      resume(Effect.succeed({ status: typeof error?.code === "number" ? error.code : 0, stdout }))
    )
  })

/** A `gatehouse call` that waits for the task it started. */
interface Waiting {
  readonly child: ChildProcess
  readonly ended: Effect.Effect<number | null>
  readonly task: string
  /** Process of the command. */
  readonly pid: string
}

const startTask = (at: Place) =>
  Effect.gen(function* () {
    const call = JSON.stringify({
      command: "sh -c 'echo $$ > pid; exec sleep 100' & wait",
      background: true,
      timeout_seconds: 60
    })
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [program, "call", "terminal", call, "--core", "core", "--approve", "once", "--json"], {
          cwd: at.root,
          env: at.environment,
          stdio: ["ignore", "pipe", "ignore"]
        })
      ),
      (started) => Effect.sync(() => started.kill("SIGKILL"))
    )
    let said = ""
    child.stdout?.on("data", (bytes: Buffer) => (said += bytes.toString()))
    const ended = Effect.async<number | null>((resume) => {
      if (child.exitCode !== null || child.signalCode !== null) resume(Effect.succeed(child.exitCode))
      else child.once("exit", (code) => resume(Effect.succeed(code)))
    })
    const path = join(at.root, "pid")
    yield* eventually(() => said.includes("\n") && existsSync(path) && readFileSync(path, "utf8").trim() !== "")
    const task = /task_[0-9a-f]{32}/.exec(said)?.[0] ?? ""
    return { child, ended, task, pid: readFileSync(path, "utf8").trim() } satisfies Waiting
  })

const eventually = (holds: () => boolean) =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.retry(Schedule.spaced(50)),
    Effect.timeout(30_000)
  )

const isAlive = (pid: string): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
  } catch {
    return false
  }
}

const shown = (at: Place, task: string) =>
  Effect.map(run(at, "tasks", "show", task, "--json"), ({ stdout }): Record<string, unknown> => JSON.parse(stdout))

describe("a background command of `gatehouse call`", () => {
  it.live(
    "is ended by another process that asks for it, and its command ends then",
    () =>
      Effect.gen(function* () {
        const at = yield* place
        const { ended, pid, task } = yield* startTask(at)
        assert.strictEqual((yield* shown(at, task))["status"], "running")
        assert.strictEqual((yield* run(at, "tasks", "cancel", task)).status, 0)
        assert.strictEqual(yield* ended, 0)
        assert.isFalse(isAlive(pid))
        const record = yield* shown(at, task)
        assert.deepInclude(record, { status: "cancelled", completion: "pending" })
        assert.match(String(record["exitReason"]), /^somebody asked for its end; /)
        assert.strictEqual((yield* run(at, "tasks", "follow", task)).status, 6)
      }).pipe(Effect.scoped),
    60_000
  )

  it.live(
    "is ended with its host by Ctrl-C, and says so",
    () =>
      Effect.gen(function* () {
        const at = yield* place
        const { child, ended, pid, task } = yield* startTask(at)
        child.kill("SIGINT")
        yield* ended
        assert.isFalse(isAlive(pid))
        const record = yield* shown(at, task)
        assert.strictEqual(record["status"], "cancelled")
        assert.match(String(record["exitReason"]), /^its host ended; /)
      }).pipe(Effect.scoped),
    60_000
  )

  it.live(
    "is swept and indeterminate after its host was killed, and is not run again",
    () =>
      Effect.gen(function* () {
        const at = yield* place
        const { child, ended, pid, task } = yield* startTask(at)
        child.kill("SIGKILL")
        yield* ended
        assert.strictEqual((yield* run(at, "doctor", "--core", "core")).status, 0)
        yield* eventually(() => !isAlive(pid))
        const record = yield* shown(at, task)
        assert.strictEqual(record["status"], "indeterminate")
        assert.match(String(record["exitReason"]), /the host that ran it ended/)
        assert.strictEqual(readFileSync(join(at.root, "pid"), "utf8").trim(), pid)
      }).pipe(Effect.scoped),
    60_000
  )
})
