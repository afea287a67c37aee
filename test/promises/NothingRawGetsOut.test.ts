/**
 * Promise 3: arguments and output reach the adapter only. Everybody else gets a redacted view, and where redaction fails
 * the one fixed result.
 */

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { controlPlaneLayer } from "@gatehouse/control-plane/ControlPlane"
import { EffectRecords } from "@gatehouse/control-plane/effects/EffectRecords"
import { Home } from "@gatehouse/core/Home"
import { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import type { ViewName } from "@gatehouse/core/View"
import { runCanary } from "@gatehouse/host/canary/RunCanary"
import { type HostOptions, hostServicesLayer, redactorLayer } from "@gatehouse/host/Host"
import { EffectRuntime } from "@gatehouse/host/runtime/EffectRuntime"
import { type CallToRender, Redactor, type Rendered, type StreamMask } from "@gatehouse/policy/redaction/Redactor"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const path = process.env["PATH"] ?? "/usr/bin:/bin"
const minute = 60_000

describe("a secret that is planted anywhere", () => {
  it.live(
    "comes out nowhere",
    () =>
      Effect.gen(function* () {
        const report = yield* runCanary({ path })
        assert.deepStrictEqual(report.unexpected, [])
        assert.deepStrictEqual(report.leaks, [])
        // Views, faces, records and memory, and every file of the home while the host runs and after it.
        assert.isAbove(report.sinks.length, 60)
        yield* Effect.logInfo(
          `${report.calls} calls with ${report.secrets} planted secrets: ${report.sinks.length} sinks searched, nothing found`
        )
      }),
    2 * minute
  )
})

/** Enough calls to reach every sink: a question, an error, output that is kept and watched, and a server. */
const telling: ReadonlySet<string> = new Set(["read_file", "write_file", "terminal", "betray", "canary__text"])

/** What a stand-in knows that no sink may. */
interface Raw {
  text: string
}

type Service<Tag> = Tag extends { readonly Service: infer Shape } ? Shape : never

interface Leaky {
  readonly redactor?: (live: Service<typeof Redactor>, raw: Raw) => Service<typeof Redactor>
  readonly events?: (live: Service<typeof RuntimeEvents>, raw: Raw, home: string) => Service<typeof RuntimeEvents>
  readonly records?: (live: Service<typeof EffectRecords>, raw: Raw) => Service<typeof EffectRecords>
  readonly runtime?: (live: Service<typeof EffectRuntime>, raw: Raw) => Service<typeof EffectRuntime>
}

/** The composed host with one service replaced by one that lets something through. */
const leakyHost =
  ({ events, records, redactor, runtime }: Leaky) =>
  (options: HostOptions) => {
    const raw: Raw = { text: "" }
    const watching = Layer.effect(
      Redactor,
      Effect.map(Redactor, (live) => {
        const remembering = {
          ...live,
          render: (...given: Parameters<typeof live.render>) => {
            raw.text += rawText(given[0])
            return live.render(...given)
          }
        }
        return redactor === undefined ? remembering : redactor(remembering, raw)
      })
    ).pipe(Layer.provide(redactorLayer(options)))
    const store = Layer.mergeAll(
      Layer.effect(
        RuntimeEvents,
        Effect.gen(function* () {
          const live = yield* RuntimeEvents
          return events === undefined ? live : events(live, raw, (yield* Home).root)
        })
      ),
      Layer.effect(
        EffectRecords,
        Effect.map(EffectRecords, (live) => (records === undefined ? live : records(live, raw)))
      )
    ).pipe(Layer.provideMerge(controlPlaneLayer))
    return Layer.effect(
      EffectRuntime,
      Effect.map(EffectRuntime, (live) => (runtime === undefined ? live : runtime(live, raw)))
    ).pipe(Layer.provideMerge(hostServicesLayer(options)), Layer.provideMerge(store), Layer.provideMerge(watching))
  }

const rawText = (call: CallToRender): string =>
  `${JSON.stringify(call.arguments)} ${call.text ?? ""} ${JSON.stringify(call.data)} ${call.error?.message ?? ""}\n`

const unmasked: StreamMask = { push: (chunk) => chunk, end: () => new Uint8Array() }

/** Lets one view through. */
const inView = (name: ViewName): Leaky => ({
  redactor: (live) => ({
    ...live,
    render: (call, sources) => {
      const rendered = live.render(call, sources)
      return { ...rendered, views: { ...rendered.views, [name]: { text: rawText(call) } } }
    }
  })
})

/** Changes what a rendering says beside its views. */
const beside = (change: (call: CallToRender) => Partial<Extract<Rendered, { ok: true }>>): Leaky => ({
  redactor: (live) => ({
    ...live,
    render: (call, sources) => {
      const rendered = live.render(call, sources)
      return rendered.ok ? { ...rendered, ...change(call) } : rendered
    }
  })
})

const onEvent = (act: (raw: string, home: string) => Effect.Effect<void>): Leaky => ({
  events: (live, raw, home) => ({
    publish: (event) =>
      Effect.zipRight(
        Effect.suspend(() => act(raw.text, home)),
        live.publish(event)
      )
  })
})

interface Stand {
  /** A name may be the beginning of a sink's. */
  readonly sinks: ReadonlyArray<string>
  readonly host: Leaky
}

/** Once is enough for whoever reads this test's output. */
let isWritten = false

/** Hosts in each of which some sinks are given what is raw; together they are all sinks that there are. */
const leaks: ReadonlyArray<Stand> = [
  { sinks: ["model view", "MCP results"], host: inView("model") },
  { sinks: ["operator view", "results on a terminal"], host: inView("operator") },
  { sinks: ["event view", "events"], host: inView("event") },
  { sinks: ["durable view", "effect records", "home/store.db-wal"], host: inView("durable") },
  { sinks: ["debug view", "whole results"], host: inView("debug") },
  { sinks: ["error messages"], host: beside(({ error }) => ({ errorMessage: error?.message ?? null })) },
  { sinks: ["stages"], host: beside(({ stages }) => ({ stages })) },
  {
    sinks: ["error stacks"],
    host: {
      runtime: (live, raw) => ({
        execute: (request, turn) =>
          Effect.map(live.execute(request, turn), (result) =>
            result.error === null
              ? result
              : { ...result, error: Object.defineProperty(result.error, "stack", { value: raw.text }) }
          )
      })
    }
  },
  {
    sinks: ["approval prompts", "approval records", "questions on a terminal"],
    host: { redactor: (live) => ({ ...live, preview: (value) => JSON.parse(JSON.stringify(value)) }) }
  },
  { sinks: ["home/logs/mcp", "home/store.db"], host: { redactor: (live) => ({ ...live, text: (value) => value }) } },
  {
    sinks: ["live output", "home/artifacts"],
    host: { redactor: (live) => ({ ...live, textMask: () => unmasked }) }
  },
  {
    sinks: ["definitions for a model", "catalog entries", "home/mcp-pins.json", "home/catalogs"],
    host: { redactor: (live) => ({ ...live, streamMask: () => unmasked }) }
  },
  {
    sinks: ["effect records"],
    host: {
      records: (live, raw) => ({
        ...live,
        settle: (outcome) => live.settle({ ...outcome, durable: { text: raw.text } })
      })
    }
  },
  {
    sinks: ["events"],
    host: { events: (live, raw) => ({ publish: (event) => live.publish({ ...event, data: { raw: raw.text } }) }) }
  },
  {
    sinks: ["home/stray.log"],
    host: onEvent((raw, home) => Effect.sync(() => writeFileSync(join(home, "stray.log"), raw)))
  },
  { sinks: ["log lines"], host: onEvent((raw) => Effect.logDebug(raw)) },
  { sinks: ["spans"], host: onEvent((raw) => Effect.withSpan(Effect.void, "leak", { attributes: { raw } })) },
  {
    sinks: ["console"],
    host: onEvent((raw) =>
      Effect.sync(() => {
        const [, word] = /"api_key":"(\w+)"/.exec(raw) ?? []
        if (word === undefined || isWritten) return
        isWritten = true
        process.stderr.write(`(a planted word, on purpose: ${word})\n`)
      })
    )
  }
]

describe("the canary finds a leak in", () => {
  for (const { host, sinks } of leaks) {
    it.live(
      sinks.join(", "),
      () =>
        Effect.gen(function* () {
          const { leaks: found } = yield* runCanary({
            path,
            host: leakyHost(host),
            calls: ({ expected, tool }) => telling.has(tool) && expected !== "timed_out"
          })
          const leaking = [...new Set(found.map(({ sink }) => sink))]
          for (const sink of sinks) {
            assert.isTrue(
              leaking.some((name) => name.startsWith(sink)),
              `${sink} is not among ${leaking.join(", ")}`
            )
          }
        }),
      minute
    )
  }
})
