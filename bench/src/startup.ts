/** Start-up of `gatehouse --help` against a bare @effect/cli program, and the memory of both. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { BenchRow } from "../lib/BenchRow.ts"

const bench = dirname(dirname(fileURLToPath(import.meta.url)))
const gatehouse = join(bench, "../packages/host/bin/gatehouse.js")
const rounds = 9

const bareProgram = `
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
const hello = Command.make("hello", { name: Args.text({ name: "NAME" }), loud: Options.boolean("loud") }, ({ name }) => Console.log(name))
const root = Command.make("bare").pipe(Command.withSubcommands([hello]))
Command.run(root, { name: "bare", version: "0" })(process.argv).pipe(Effect.provide(NodeContext.layer), Effect.runPromise)
`

const cpuMillis = (script: string): number => {
  const measured = `const u = process.cpuUsage(); process.on("exit", () => { const c = process.cpuUsage(); process.stderr.write("CPU " + (c.user + c.system) / 1000 + "\\n") })`
  const { stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(measured)}`, script, "--help"],
    {
      encoding: "utf8"
    }
  )
  return Number(/CPU ([\d.]+)/.exec(stderr)?.[1])
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

export const measure = (): ReadonlyArray<BenchRow> => {
  const folder = mkdtempSync(join(bench, ".bare-"))
  try {
    const bare = join(folder, "bare.mjs")
    writeFileSync(bare, bareProgram)
    const pairs = Array.from({ length: rounds }, () => [cpuMillis(gatehouse), cpuMillis(bare)] as const)
    const ratio = median(pairs.map(([ours]) => ours)) / median(pairs.map(([, theirs]) => theirs))
    return [
      {
        name: "CPU of `gatehouse --help` to that of a bare @effect/cli program",
        value: ratio,
        limit: 1.3,
        unit: "times"
      }
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
