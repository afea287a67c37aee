/** Runs the cases of `process-lifecycle.json` inside one host, those included that cannot be asked from outside. */

import * as fs from "node:fs"
import { join } from "node:path"
import { ArtifactId, Entropy, makeIdentifier } from "@gatehouse/core/Identifiers"
import { ArtifactError } from "@gatehouse/process/ArtifactError"
import { Artifacts } from "@gatehouse/process/Artifacts"
import { ArtifactFile } from "@gatehouse/process/artifacts/ArtifactFiles.boundary"
import { ProcessError } from "@gatehouse/process/ProcessError"
import { type OwnedProcess, type ProcessExit, Processes, type SpawnOptions } from "@gatehouse/process/Processes"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { compareProcess } from "../../../test/vectors/run.mjs"
import { carriers, endCarriers, freshMarker, homeAt, temporaryFolder } from "./Support.ts"

type Stream = "stdout" | "stderr"

export interface LifecycleCase {
  readonly id: string
  readonly kind: string
  readonly input: {
    readonly script?: string
    readonly argv?: ReadonlyArray<string | { readonly $repeat: readonly [string, number] }>
    readonly parallel?: number
    readonly action: { readonly kind: string; readonly after_ms?: number; readonly times?: number }
    readonly limits: { readonly timeout_ms: number; readonly grace_ms: number }
    readonly setup?: {
      readonly cwd?: string
      readonly artifacts?: boolean
      readonly artifact_dir?: string
      readonly host_env?: Readonly<Record<string, string>>
    }
  }
  readonly expect: Readonly<Record<string, unknown>> & {
    readonly all?: Readonly<Record<string, unknown>> & { readonly stdout?: { readonly equals_index?: boolean } }
  }
}

/** One call's answer, in the words of the vectors. */
interface Answer {
  readonly status: string
  readonly data: Readonly<Record<string, unknown>>
  readonly wall: number
}

/** What falls short of `test.expect`; empty where it holds. */
export const faultsOf = (test: LifecycleCase): Effect.Effect<ReadonlyArray<string>> =>
  Effect.scoped(
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const folder = yield* temporaryFolder
      const marker = freshMarker()
      const cwd = prepareDirectory(folder, test.input.setup?.cwd)
      const untouched = plantLink(root, test)
      return yield* judge(test, cwd, marker).pipe(
        Effect.map((faults) => [...faults, ...untouched()]),
        Effect.ensuring(Effect.sync(() => endCarriers(marker))),
        Effect.provide(servicesFor(test, root))
      )
    })
  )

const judge = (test: LifecycleCase, cwd: string, marker: string) =>
  Effect.gen(function* () {
    const { expect, input } = test
    // The first start of a host opens the file of its records, which stays open.
    if ("leaked_descriptors" in expect) yield* warmUp(test, cwd)
    const descriptors = countDescriptors()
    const rss = process.memoryUsage.rss()
    const indexes = Array.from({ length: input.parallel ?? 1 }, (_, index) => index)
    const answers = yield* Effect.forEach(indexes, (index) => ask(test, cwd, marker, index), {
      concurrency: "unbounded"
    })
    const growth = (process.memoryUsage.rss() - rss) / 1024 / 1024
    yield* Effect.sleep(30)
    const survivors = carriers(marker).length
    const faults = answers.flatMap((answer, index) => {
      const { all } = expect
      const one = all === undefined ? expect : { ...all, survivors: expect["survivors"] }
      const compared: Array<string> = compareProcess({ expect: one }, { ...answer, survivors })
      if (all?.stdout?.equals_index === true && answer.data["stdout"] !== `${index}\n`)
        compared.push("stdout is of another one")
      return [...compared, ...insideFaults(test, answer)]
    })
    const limit = expect["max_rss_growth_mb"]
    if (typeof limit === "number" && growth > limit) faults.push(`memory grew by ${growth} MB`)
    if (expect["leaked_descriptors"] !== undefined && countDescriptors() > descriptors)
      faults.push("descriptors leaked")
    if (expect["new_spawn_after"] !== undefined) faults.push(...(yield* newSpawnFaults(test, cwd)))
    return faults
  })

const warmUp = ({ input }: LifecycleCase, cwd: string) =>
  Effect.flatMap(Processes, (processes) =>
    Effect.ignore(
      Effect.scoped(
        Effect.flatMap(processes.spawn(shellOptions("exit 0", cwd, input.limits.grace_ms, {})), ({ exit }) => exit)
      )
    )
  )

/** What only a harness inside the host can see. */
const insideFaults = ({ expect }: LifecycleCase, { data }: Answer): ReadonlyArray<string> => {
  const faults: Array<string> = []
  if (expect["equal_answers"] === true && data["equal_answers"] !== true) faults.push("cancels got different answers")
  if (expect["cancel_result"] === "already-finished" && data["cancel_changed"] === true)
    faults.push("a late cancel changed the answer")
  if (expect["stdout_drained"] === true && data["exit_code"] !== 0) faults.push("the command did not come to its end")
  return faults
}

const newSpawnFaults = ({ expect, input }: LifecycleCase, cwd: string) =>
  Effect.gen(function* () {
    const processes = yield* Processes
    const options = shellOptions("exit 0", cwd, input.limits.grace_ms, {})
    const again = yield* Effect.either(Effect.scoped(Effect.flatMap(processes.spawn(options), ({ exit }) => exit)))
    const refused = Either.isLeft(again) && again.left.reason === "shutdown"
    return refused === (input.action.kind === "shutdown")
      ? []
      : [`a new start was ${refused ? "refused" : "taken"}, expected ${expect["new_spawn_after"]}`]
  })

const ask = (
  test: LifecycleCase,
  cwd: string,
  marker: string,
  index: number
): Effect.Effect<Answer, never, Processes> =>
  Effect.gen(function* () {
    const processes = yield* Processes
    const began = performance.now()
    const outcome = yield* Effect.either(
      Effect.scoped(
        Effect.flatMap(processes.spawn(optionsFor(test, cwd, marker, index)), (owned) =>
          Effect.map(act(test, owned, processes), (more) => more)
        )
      )
    )
    const wall = performance.now() - began
    if (Either.isRight(outcome)) {
      const { exit, status, ...more } = outcome.right
      return { status, data: { ...dataOf(exit), ...more, error_tag: null }, wall }
    }
    const { exit, reason, spawned } = outcome.left
    return {
      status: "failed",
      data: { ...(exit === null ? {} : dataOf(exit)), process_spawned: spawned, error_tag: reason },
      wall
    }
  })

interface Acted {
  readonly exit: ProcessExit
  readonly status: string
  readonly equal_answers?: boolean
  readonly cancel_changed?: boolean
}

/** Waits, or cuts the command off, as the case says. */
const act = (
  test: LifecycleCase,
  owned: OwnedProcess,
  processes: Processes["Type"]
): Effect.Effect<Acted, ProcessError> => {
  const { action, limits } = test.input
  const after = action.after_ms ?? limits.timeout_ms
  const own = (exit: ProcessExit): Acted => ({ exit, status: exit.exitCode === 0 ? "succeeded" : "failed" })
  const cut =
    (status: string) =>
    (exit: ProcessExit): Acted =>
      exit.cause === "leader" ? own(exit) : { exit, status: exit.confirmedGone ? status : "indeterminate" }
  switch (action.kind) {
    case "cancel":
      return Effect.gen(function* () {
        yield* Effect.sleep(after)
        const before = yield* Effect.timeoutOption(owned.exit, 0)
        const times = Array.from({ length: action.times ?? 1 })
        const answers = yield* Effect.forEach(times, () => owned.end, { concurrency: "unbounded" })
        const exit = yield* owned.exit
        const acted = cut("cancelled")(exit)
        return {
          ...acted,
          equal_answers: answers.every((answer) => answer === exit),
          cancel_changed: before._tag === "Some" && before.value !== exit
        }
      })
    case "shutdown":
      return Effect.sleep(after).pipe(
        Effect.zipRight(processes.shutdown),
        Effect.zipRight(owned.exit),
        Effect.map(cut("cancelled"))
      )
    default:
      return Effect.flatMap(Effect.timeoutOption(owned.exit, after), (exit) =>
        exit._tag === "Some" ? Effect.succeed(own(exit.value)) : Effect.map(owned.end, cut("timed_out"))
      )
  }
}

const dataOf = (exit: ProcessExit): Readonly<Record<string, unknown>> => {
  const stats = (stream: Stream) => {
    const { bytes, chars, truncated } = exit[stream]
    return { bytes, chars, truncated }
  }
  return {
    exit_code: exit.exitCode,
    signal: exit.signal,
    stdout: exit.stdout.text,
    stderr: exit.stderr.text,
    stats: { stdout: stats("stdout"), stderr: stats("stderr") },
    process_spawned: true
  }
}

const optionsFor = ({ input }: LifecycleCase, cwd: string, marker: string, index: number): SpawnOptions => {
  const environment = { GH_MARK: marker, INDEX: String(index) }
  const artifact = input.setup?.artifacts === true
  if (input.argv === undefined)
    return { ...shellOptions(input.script ?? "", cwd, input.limits.grace_ms, environment), artifact }
  const [command = "", ...args] = input.argv.map((word) =>
    typeof word === "string" ? word : word.$repeat[0].repeat(word.$repeat[1])
  )
  return { ...shellOptions("", cwd, input.limits.grace_ms, environment), command, args, artifact }
}

const shellOptions = (
  script: string,
  cwd: string,
  graceMillis: number,
  environment: Readonly<Record<string, string>>
): SpawnOptions => ({
  command: "/bin/sh",
  args: ["-c", script],
  cwd,
  environment: { PATH: "/usr/local/bin:/usr/bin:/bin", ...environment },
  stdin: null,
  graceMillis,
  limits: {},
  sandbox: "none",
  mask: null,
  artifact: false,
  onOutput: null,
  label: "vector"
})

const prepareDirectory = (folder: string, setup: string | undefined): string => {
  const cwd = join(folder, "cwd")
  if (setup === "file") fs.writeFileSync(cwd, "")
  else if (setup !== "removed") fs.mkdirSync(cwd)
  return cwd
}

/** A counter in the place of chance, so that the case knows where the artifact will be. */
const countedEntropy = { bytes: (count: number): Uint8Array => new Uint8Array(count).fill(7) }
const countedArtifact = makeIdentifier("artifact", countedEntropy)

const plantLink = (root: string, { input }: LifecycleCase): (() => ReadonlyArray<string>) => {
  if (input.setup?.artifact_dir !== "symlink-target") return () => []
  const target = join(root, "elsewhere")
  fs.mkdirSync(target)
  fs.mkdirSync(join(root, "artifacts"), { mode: 0o700 })
  fs.symlinkSync(target, join(root, "artifacts", countedArtifact))
  return () => (fs.readdirSync(target).length === 0 ? [] : ["the link's target was written"])
}

const servicesFor = ({ input }: LifecycleCase, root: string) => {
  const place = input.setup?.artifact_dir
  if (place === "file") fs.writeFileSync(join(root, "artifacts"), "")
  const artifacts =
    place === "full-device" ? fullDevice : Artifacts.layer(place === "full-after-64k" ? { quotaBytes: 65_536 } : {})
  const services = Processes.layer().pipe(Layer.provideMerge(artifacts), Layer.provideMerge(homeAt(root)))
  return place === "symlink-target" ? services.pipe(Layer.provide(Layer.succeed(Entropy, countedEntropy))) : services
}

/** Artifacts on a device that is always full. */
const fullDevice = Layer.succeed(Artifacts, {
  create: (name, mediaType) =>
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new ArtifactFile(fs.openSync("/dev/full", "w"))),
        (file) => Effect.sync(() => file.close())
      ),
      (file) => ({
        id: ArtifactId("artifact_full"),
        write: (bytes) =>
          Effect.async<void, ArtifactError>((resume) =>
            file.write(bytes, (error) => resume(error === null ? Effect.void : full(error)))
          ),
        finish: Effect.succeed({ id: ArtifactId("artifact_full"), name, mediaType, bytes: 0, sha256: "" })
      })
    ),
  list: Effect.succeed([]),
  locate: () => full(new Error("not there")),
  prune: () => Effect.succeed([])
})

const full = (error: Error): ArtifactError => new ArtifactError({ reason: "write", message: error.message, remedy: "" })

const countDescriptors = (): number => fs.readdirSync("/proc/self/fd").length
