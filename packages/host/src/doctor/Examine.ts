/** The questions that `gatehouse doctor` asks of this machine, home and core. Each answers by itself: one fault hides no other. */
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import { Hosts } from "@gatehouse/control-plane/hosts/Hosts"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Store } from "@gatehouse/control-plane/Store"
import { describeLeftOut } from "@gatehouse/policy/environment/LeftOut"
import { Artifacts } from "@gatehouse/process/Artifacts"
import { Processes, type SweepReport } from "@gatehouse/process/Processes"
import { Sandbox } from "@gatehouse/process/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { homeLayer } from "../home/HostHome.boundary.ts"
import { readHostSettings } from "../settings/ReadHostSettings.boundary.ts"
import { error, type Finding, ok, warning } from "./Finding.ts"

/** Oldest version of Node that Gatehouse runs on. */
const oldestNode = 20

export const examineNode = (version: string): Finding => {
  const major = Number(/^v?(\d+)/.exec(version)?.[1])
  return major >= oldestNode
    ? ok("node", version)
    : error("node", `${version} is too old`, `install Node ${oldestNode} or later`)
}

export const examineCore = (
  folder: Effect.Effect<string, { readonly message: string; readonly remedy: string }, AgentCores>
) =>
  Effect.gen(function* () {
    const cores = yield* AgentCores
    const core = yield* cores.load(yield* folder)
    const parts = [`${core.tools.length} authored tools`, `${core.servers.length} MCP servers`]
    return ok("core", `${core.root} at ${core.revision}: ${parts.join(", ")}`)
  }).pipe(
    Effect.catchAll(({ message, remedy }) => Effect.succeed(error("core", message, remedy))),
    Effect.provide(AgentCores.layer)
  )

export const examineSettings = (root: string) =>
  Effect.match(readHostSettings(root), {
    onSuccess: () => ok("settings", "valid"),
    onFailure: ({ message, remedy }) => error("settings", message, remedy)
  })

/** The home, its store, and what hosts that were killed left behind: this start has ended it. */
export const examineHome = (root: string): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const hosts = yield* Hosts
    const problems = (yield* (yield* Store).integrity).filter((line) => line !== "ok")
    const live = yield* hosts.live
    const { effects, tasks } = hosts.foundAtStart
    const left = effects.length + tasks.length
    return [
      ok("home", root),
      problems.length === 0
        ? ok("store", `open, ${live.length} host${live.length === 1 ? "" : "s"} on it`)
        : error("store", `it is damaged: ${problems.slice(0, 3).join("; ")}`, storeRemedy),
      ...(left === 0
        ? []
        : [
            warning(
              "store",
              `a host that was killed left ${effects.length} calls and ${tasks.length} tasks begun: ${[...new Set(effects.map(({ tool }) => tool))].join(", ")}`,
              "nobody knows how they ended; `gatehouse events` shows each"
            )
          ]),
      yield* examineProcesses,
      yield* examineArtifacts
    ]
  }).pipe(
    Effect.provide(Hosts.layer.pipe(Layer.provideMerge(Principals.layer), Layer.provideMerge(Store.layer))),
    Effect.provide(Processes.layer().pipe(Layer.provideMerge(Artifacts.layer()))),
    Effect.provide(homeLayer(root)),
    Effect.catchTag("StoreError", ({ message, reason, remedy }) =>
      Effect.succeed([error("store", message, reason === "corrupt" ? storeRemedy : remedy)])
    ),
    Effect.catchAll(({ message, remedy }) => Effect.succeed([error("home", message, remedy)]))
  )

/** Nothing is moved or overwritten unless somebody asks for it. */
const storeRemedy =
  "`gatehouse store aside` moves it out of the way as it is; then `gatehouse restore FILE` puts a backup in its place, or the next host begins an empty one"

const examineProcesses = Effect.gen(function* () {
  const processes = yield* Processes
  const now = yield* processes.sweep
  const last = now ?? (yield* processes.lastSweep)
  return last === null ? ok("processes", "nothing was left behind") : describeSweep(last)
})

const describeSweep = ({ at, ended, survivors }: SweepReport): Finding => {
  const when = new Date(at).toISOString()
  const names = (processes: SweepReport["ended"]): string =>
    processes.map(({ name, pid }) => `${name} (${pid})`).join(", ")
  if (survivors.length > 0) {
    return error(
      "processes",
      `could not be ended: ${names(survivors)}`,
      "end them by hand; they belong to a host that was killed"
    )
  }
  return ok("processes", `the sweep of ${when} ended ${ended.length} left by a killed host: ${names(ended)}`)
}

const examineArtifacts = Effect.gen(function* () {
  const artifacts = yield* Artifacts
  const all = yield* artifacts.list
  const bytes = all.reduce((sum, artifact) => sum + artifact.bytes, 0)
  return ok("artifacts", `${all.length} files, ${(bytes / 1024 / 1024).toFixed(1)} MiB`)
})

export const examineSandbox = Effect.map(Sandbox, (sandbox): Finding => {
  const probe = sandbox.probe()
  return probe.works
    ? ok("sandbox", `${probe.version} works here`)
    : warning("sandbox", `${sandbox.name} does not work here: ${probe.why}`, probe.remedy)
})

/** Names only: what children of this host do not get. */
export const examineEnvironment = (environment: Readonly<Record<string, string | undefined>>): Finding => {
  const left = describeLeftOut({ hostEnvironment: environment, platform: "posix" }, { inherit: [], home: "private" })
  const listable = left.filter(({ canBeListed }) => canBeListed).map(({ name }) => name)
  return ok(
    "environment",
    `children get a list of allowed names; ${left.length} of this host's are left out${listable.length === 0 ? "" : `, as ${listable.slice(0, 5).join(", ")}`}`
  )
}
