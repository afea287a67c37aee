/** Freezing a catalog of 10,000 definitions, against `JSON.parse` of the same text. */

import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Catalogs } from "@gatehouse/catalog/Catalogs"
import { buildCore } from "@gatehouse/catalog/cores/BuildCore"
import { freezeCatalog } from "@gatehouse/catalog/freezing/FreezeCatalog"
import { opaque } from "@gatehouse/core/EffectAdapter"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import { fingerprint } from "@gatehouse/core/Fingerprint"
import { CoreRevision } from "@gatehouse/core/Identifiers"
import type { JsonObject } from "@gatehouse/core/Json"
import { noApprovalSettings } from "@gatehouse/core/PolicyMerge"
import { mergePolicy } from "@gatehouse/policy/approvals/PolicyMerge"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { BenchRow } from "../lib/BenchRow.ts"

const count = 10_000
const rounds = 25

interface Definition {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

/** About 500 characters each, as servers in use send them. */
const definition = (index: number): Definition => ({
  name: `tool_${index}`,
  description: `Looks up things number ${index} and says what it found in a few words for the model`,
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", description: `What to look for, in words ${index}` },
      limit: { type: "integer", minimum: 1, maximum: 100, default: 10 },
      filter: {
        type: "object",
        properties: { kind: { type: "string", enum: ["a", "b", "c"] }, after: { type: "string", format: "date-time" } },
        additionalProperties: false
      }
    },
    required: ["query"],
    additionalProperties: false
  }
})

const adapter = opaque({
  plan: () => new PlanRefused("denied", "bench", "never called"),
  run: () => Effect.die("never called")
})

const entryOf = ({ description, inputSchema, name }: Definition): SourceEntry => ({
  name,
  description,
  inputSchema,
  capability: "mcp.call:bench",
  risk: "medium",
  policy: "prompt",
  policyOrigin: "agent/mcp/bench.yaml:1 approval_policy",
  tightenOnly: false,
  readOnly: false,
  displayPolicy: "summary",
  modelOutputPolicy: "content",
  toolset: null,
  provenance: "agent/mcp/bench.yaml",
  component: null,
  metadata: null,
  adapter
})

const core = Either.getOrThrow(
  buildCore({
    root: "/bench",
    revision: CoreRevision("tree:bench"),
    paths: new Set(["agent.yaml"]),
    texts: new Map([["agent.yaml", "agent:\n  id: bench\n"]]),
    digestOf: () => fingerprint(null)
  })
)
const settings = { merge: mergePolicy, global: noApprovalSettings }

const freeze = (entries: ReadonlyArray<SourceEntry>) =>
  Either.getOrThrow(freezeCatalog({ core, sources: [{ kind: "mcp", entries, diagnostics: [] }] }, settings))

/** What else runs on the machine only ever adds to a time. */
const least = (values: ReadonlyArray<number>): number => Math.min(...values)

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

/** Processor time: what else runs on the machine hardly changes it. */
const millis = (work: () => unknown): number => {
  const begin = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(begin)
  return (user + system) / 1000
}

/** Bytes that stay while the result of `work` is held. */
const heap = (work: () => unknown): number => {
  collect()
  const before = process.memoryUsage().heapUsed
  const result = work()
  collect()
  const after = process.memoryUsage().heapUsed
  return result === undefined ? 0 : after - before
}

export const measure = async (): Promise<ReadonlyArray<BenchRow>> => {
  const text = JSON.stringify(Array.from({ length: count }, (_, index) => definition(index)))
  const parse = (): ReadonlyArray<Definition> => JSON.parse(text)
  const pairs = Array.from({ length: rounds }, () => {
    const entries = parse().map(entryOf)
    return [millis(() => freeze(entries)), millis(parse)] as const
  })
  const time = least(pairs.map(([ours]) => ours)) / least(pairs.map(([, theirs]) => theirs))

  const entries = parse().map(entryOf)
  const space = heap(() => freeze(entries)) / heap(parse)

  const again = await Effect.gen(function* () {
    const catalogs = yield* Catalogs
    const turn = () => catalogs.freeze({ core, sources: [{ kind: "mcp", entries, diagnostics: [] }] })
    yield* turn()
    const micros = []
    for (let round = 0; round < rounds; round++) {
      const begin = performance.now()
      for (let index = 0; index < 1000; index++) yield* turn()
      micros.push(performance.now() - begin)
    }
    return least(micros)
  }).pipe(Effect.provide(Catalogs.layer(settings)), Effect.runPromise)

  return [
    {
      name: "freezing 10,000 definitions to JSON.parse of their text, processor time",
      value: time,
      limit: 3,
      unit: "times"
    },
    { name: "the same, heap", value: space, limit: 3, unit: "times" },
    { name: "the next turn with unchanged inputs", value: again, limit: 10, unit: "µs" }
  ]
}
