/**
 * Owning processes against bare `child_process`: starts, draining, memory, many at once. Every peer runs in the same
 * process and the same minutes, turn by turn.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { Home } from "@gatehouse/core/Home"
import { Redactor } from "@gatehouse/policy/redaction/Redactor"
import { Artifacts } from "@gatehouse/process/Artifacts"
import { Processes, type SpawnOptions } from "@gatehouse/process/Processes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { BenchRow } from "../lib/BenchRow.ts"

const mebibyte = 1024 * 1024
const gibibyte = 1024 * mebibyte
const starts = 400
const ballastMebibytes = 512

export const measure = (): Promise<ReadonlyArray<BenchRow>> => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-bench-")))
  const services = Layer.merge(
    Processes.layer().pipe(Layer.provide(Artifacts.layer())),
    Redactor.layer({ homeKey: new Uint8Array(32), hostEnvironment: {} })
  ).pipe(Layer.provide(Layer.succeed(Home, { root, key: new Uint8Array(32) })))
  return Effect.runPromise(
    measured(root).pipe(
      Effect.provide(services),
      Effect.ensuring(Effect.sync(() => rmSync(root, { recursive: true, force: true })))
    )
  )
}

const measured = (folder: string) =>
  Effect.gen(function* () {
    const { spawn } = yield* Processes
    const { streamMask } = yield* Redactor
    const run = (options: Partial<SpawnOptions>) =>
      Effect.scoped(Effect.flatMap(spawn({ ...plain, cwd: folder, ...options }), ({ exit }) => exit))
    const rows: Array<BenchRow> = []

    const small = yield* startTimes(folder, run({ command: "/bin/true", artifact: true }))
    rows.push({ name: "`/bin/true` owned, to a bare detached spawn, p50", ...atMost(small.owned / small.bare, 1.15) })

    const drains = yield* drainTimes(run)
    rows.push({ name: "1 GiB to a tail, speed to a bare byte ring", ...atLeast(drains.bare / drains.tail, 0.9) })
    rows.push({
      name: "memory gained over that GiB",
      value: drains.tailGrowth / mebibyte,
      limit: 16,
      unit: "MiB"
    })
    rows.push({ name: "event-loop delay during it, p99", value: drains.delayMillis, limit: 20, unit: "ms" })

    const secrets = new Map(
      Array.from({ length: 100 }, (_, index) => [`SECRET_${index}`, `value-${index}-${"s".repeat(20)}`])
    )
    const stored = yield* storedTimes(run, () => streamMask(secrets))
    rows.push({
      name: "1 GiB to an artifact with 100 secrets masked, speed to the same unmasked",
      ...atLeast(stored.unmasked / stored.masked, 0.9)
    })

    const long = yield* grownBy(run({ command: "/usr/bin/head", args: ["-c", String(4 * gibibyte), "/dev/zero"] }))
    rows.push({ name: "memory gained over 4 GiB", value: long / mebibyte, limit: 16, unit: "MiB" })

    rows.push(yield* manyAtOnce(run))

    const ballast = Buffer.alloc(ballastMebibytes * mebibyte, 1)
    const large = yield* startTimes(folder, run({ command: "/bin/true", artifact: true }))
    rows.push({
      name: `\`/bin/true\` owned by a host that holds ${Math.round(ballast.length / mebibyte)} MiB more, to its small self, p50`,
      ...atMost(large.owned / small.owned, 1.5)
    })
    return rows
  })

const plain: SpawnOptions = {
  command: "",
  args: [],
  cwd: "",
  environment: { PATH: "/usr/bin:/bin" },
  stdin: null,
  graceMillis: 250,
  limits: {},
  sandbox: "none",
  mask: null,
  artifact: false,
  onOutput: null,
  label: "bench"
}

/** Milliseconds of the median start, the bare one and the owned one in turn. */
const startTimes = <E>(cwd: string, owned: Effect.Effect<unknown, E>) =>
  Effect.gen(function* () {
    const times: { bare: Array<number>; owned: Array<number> } = { bare: [], owned: [] }
    for (let round = 0; round < starts; round++) {
      times.bare.push(yield* timed(Effect.promise(() => bareRun("/bin/true", [], cwd, () => {}))))
      times.owned.push(yield* timed(owned))
    }
    return { bare: median(times.bare), owned: median(times.owned) }
  })

const drainTimes = <E>(run: (options: Partial<SpawnOptions>) => Effect.Effect<unknown, E>) =>
  Effect.gen(function* () {
    const args = ["-c", String(gibibyte), "/dev/zero"]
    const ring = Buffer.alloc(64 * 1024)
    const intoRing = (chunk: Buffer): void => void chunk.subarray(-ring.length).copy(ring)
    const bare = Effect.promise(() => bareRun("/usr/bin/head", args, "/", intoRing))
    const tail = run({ command: "/usr/bin/head", args })
    yield* Effect.zipRight(bare, tail)
    const times: { bare: Array<number>; tail: Array<number> } = { bare: [], tail: [] }
    for (let round = 0; round < 5; round++) {
      times.bare.push(yield* timed(bare))
      times.tail.push(yield* timed(tail))
    }
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const tailGrowth = yield* grownBy(tail)
    delay.disable()
    return {
      // The best of each: what else the machine does only ever adds.
      bare: Math.min(...times.bare),
      tail: Math.min(...times.tail),
      tailGrowth,
      // The histogram counts the wait itself, which is its resolution.
      delayMillis: delay.percentile(99) / 1e6 - 1
    }
  })

const storedTimes = <E>(
  run: (options: Partial<SpawnOptions>) => Effect.Effect<unknown, E>,
  mask: NonNullable<SpawnOptions["mask"]>
) =>
  Effect.gen(function* () {
    // Lines of text, as logs are; zeros would be no work for a search.
    const printing: Partial<SpawnOptions> = {
      command: "/bin/sh",
      args: ["-c", `yes 'a line of a log with value-7 and nothing to hide' | head -c ${gibibyte}`],
      artifact: true
    }
    const times: { masked: Array<number>; unmasked: Array<number> } = { masked: [], unmasked: [] }
    for (let round = 0; round < 3; round++) {
      times.unmasked.push(yield* timed(run(printing)))
      times.masked.push(yield* timed(run({ ...printing, mask })))
    }
    return { masked: Math.min(...times.masked), unmasked: Math.min(...times.unmasked) }
  })

/** 200 commands at once: how many are lost, and how many descriptors. */
const manyAtOnce = <E>(
  run: (options: Partial<SpawnOptions>) => Effect.Effect<{ readonly stdout: { readonly text: string } }, E>
) =>
  Effect.gen(function* () {
    const before = readdirSync("/proc/self/fd").length
    const outputs = yield* Effect.forEach(
      Array.from({ length: 200 }, (_, index) => index),
      (index) =>
        Effect.map(run({ command: "/bin/echo", args: [String(index)] }), ({ stdout }) => stdout.text === `${index}\n`),
      { concurrency: "unbounded" }
    )
    yield* Effect.sleep(50)
    const leaked = Math.max(0, readdirSync("/proc/self/fd").length - before)
    const lost = outputs.filter((isRight) => !isRight).length
    return {
      name: "of 200 commands at once, lost or leaking a descriptor",
      value: lost + leaked,
      limit: 0,
      unit: "commands"
    }
  })

/** Bytes of resident memory that the host has more at the highest point of `effect`. */
const grownBy = <E>(effect: Effect.Effect<unknown, E>) =>
  Effect.gen(function* () {
    const before = process.memoryUsage.rss()
    let highest = before
    const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), 10)
    yield* Effect.ensuring(
      effect,
      Effect.sync(() => clearInterval(watch))
    )
    return highest - before
  })

const bareRun = (
  command: string,
  args: ReadonlyArray<string>,
  cwd: string,
  onData: (chunk: Buffer) => void
): Promise<void> =>
  new Promise((resolve) => {
    const child = spawn(command, [...args], {
      cwd,
      env: { PATH: "/usr/bin:/bin" },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"]
    })
    child.stdout.on("data", onData)
    child.stderr.on("data", onData)
    child.on("close", () => resolve())
  })

const timed = <E>(effect: Effect.Effect<unknown, E>) =>
  Effect.suspend(() => {
    const began = performance.now()
    return Effect.map(effect, () => performance.now() - began)
  })

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0

const atMost = (value: number, limit: number) => ({ value, limit, unit: "times" })
const atLeast = (value: number, limit: number) => ({ value, limit, unit: "times", atLeast: true })
