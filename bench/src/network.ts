/**
 * Governed requests against the global `fetch` on loopback, verdicts and refusals by themselves, and a large body.
 * The server has a thread of its own; both clients are asked in turns.
 */
import { Worker } from "node:worker_threads"
import { SafeHttp } from "@gatehouse/policy/http/SafeHttp"
import { Resolver } from "@gatehouse/policy/urls/Resolver"
import { UrlPolicy } from "@gatehouse/policy/urls/UrlPolicy"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"
import type { BenchRow } from "../lib/BenchRow.ts"

const rounds = 15
const gets = 200
const inFlight = 32
const parallel = 1600
const judgements = 100_000
const gigabyte = 1024 ** 3

const serverProgram = `
const { createServer } = require("node:http")
const { parentPort } = require("node:worker_threads")
const small = Buffer.alloc(200, "x")
const piece = Buffer.alloc(64 * 1024, "y")
createServer((request, response) => {
  const size = Number(request.url.slice(1))
  if (size === 0) return response.end(small)
  response.writeHead(200, { "content-length": size })
  let left = size
  const more = () => {
    while (left > 0) {
      left -= piece.length
      if (!response.write(piece)) return response.once("drain", more)
    }
    response.end()
  }
  more()
}).listen(0, "127.0.0.1", function () { parentPort.postMessage(this.address().port) })
`

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const micros = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return (performance.now() - start) * 1000
}

type Runtime = ManagedRuntime.ManagedRuntime<SafeHttp | UrlPolicy, unknown>

/** CPU microseconds: what one judgement costs, whoever else is busy on the machine. */
const cpuMicros = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { system, user } = process.cpuUsage(before)
  return user + system
}

export const measure = async (): Promise<ReadonlyArray<BenchRow>> => {
  const worker = new Worker(serverProgram, { eval: true })
  const port = await new Promise<number>((resolve) => worker.once("message", resolve))
  const names = Resolver.layerTable({ "bench.example": ["127.0.0.1"] })
  const policy = UrlPolicy.layer({ mode: "private-allowed" }).pipe(Layer.provide(names))
  const runtime = ManagedRuntime.make(SafeHttp.layer().pipe(Layer.provideMerge(policy)))
  try {
    const http = await runtime.runPromise(SafeHttp)
    return [
      ...(await requests(runtime, http, port)),
      ...(await verdicts(runtime)),
      ...(await largeBody(runtime, http, port))
    ]
  } finally {
    await runtime.dispose()
    await worker.terminate()
  }
}

/** Each client in its own idiom: the governed one as effects in fibers, `fetch` as promises. */
const requests = async (runtime: Runtime, http: SafeHttp["Type"], port: number): Promise<ReadonlyArray<BenchRow>> => {
  const governed = http.request({ url: `http://bench.example:${port}/0` })
  const fetched = async (): Promise<ArrayBuffer> => (await fetch(`http://127.0.0.1:${port}/0`)).arrayBuffer()
  const medianOf = async (each: (record: (time: number) => void) => Promise<unknown>): Promise<number> => {
    const times: Array<number> = []
    await each((time) => times.push(time))
    return median(times)
  }
  const oneByOne = {
    governed: () =>
      medianOf((record) => {
        const timed = Effect.suspend(() => {
          const start = performance.now()
          return Effect.map(governed, () => record(performance.now() - start))
        })
        return runtime.runPromise(Effect.repeatN(timed, gets - 1))
      }),
    fetched: () =>
      medianOf(async (record) => {
        for (let index = 0; index < gets; index++) {
          const start = performance.now()
          await fetched()
          record(performance.now() - start)
        }
      })
  }
  const atOnce = {
    governed: () =>
      micros(() =>
        runtime.runPromise(
          Effect.forEach(Array.from({ length: inFlight }), () => Effect.repeatN(governed, parallel / inFlight - 1), {
            concurrency: "unbounded",
            discard: true
          })
        )
      ),
    fetched: () =>
      micros(() =>
        Promise.all(
          Array.from({ length: inFlight }, async () => {
            for (let index = 0; index < parallel / inFlight; index++) await fetched()
          })
        )
      )
  }
  for (const run of [atOnce.governed, atOnce.fetched]) await run()
  const p50: Array<number> = []
  const rate: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    p50.push((await oneByOne.governed()) / (await oneByOne.fetched()))
    rate.push((await atOnce.fetched()) / (await atOnce.governed()))
  }
  return [
    { name: "governed GET, p50, to global fetch", value: median(p50), limit: 0.6, unit: "times" },
    {
      name: `governed requests a second, ${inFlight} in flight, to global fetch`,
      value: median(rate),
      limit: 2,
      atLeast: true,
      unit: "times"
    }
  ]
}

const verdicts = async (runtime: Runtime): Promise<ReadonlyArray<BenchRow>> => {
  const { judge, judgeText } = await runtime.runPromise(UrlPolicy)
  const remembered = Effect.repeatN(judge("http://bench.example/a/page?with=query"), judgements)
  const refusals = [
    "http://127.0.0.1:8080/x",
    "https://metadata.google.internal/x",
    "http://[fd00:ec2::254]/",
    "http://user@a.example/"
  ]
  const refuse = async (): Promise<void> => {
    for (let index = 0; index < judgements; index++) judgeText(refusals[index % refusals.length] ?? "")
  }
  const times = { remembered: [] as Array<number>, refused: [] as Array<number> }
  for (let round = 0; round < rounds; round++) {
    times.remembered.push((await cpuMicros(() => runtime.runPromise(remembered))) / judgements)
    times.refused.push((await cpuMicros(refuse)) / judgements)
  }
  return [
    { name: "a verdict that is remembered", value: median(times.remembered), limit: 3, unit: "µs of CPU" },
    { name: "a refusal without DNS", value: median(times.refused), limit: 10, unit: "µs of CPU" }
  ]
}

/** The limit counts while it reads: with it and without it, the same body at the same speed, in the same memory. */
const largeBody = async (runtime: Runtime, http: SafeHttp["Type"], port: number): Promise<ReadonlyArray<BenchRow>> => {
  const url = `http://bench.example:${port}/${gigabyte}`
  const read = (bodyBytes: number | null) => () =>
    runtime.runPromise(
      Effect.scoped(
        Effect.flatMap(http.open({ url, limits: { bodyBytes, totalMillis: null } }), ({ stream }) =>
          Stream.runDrain(stream)
        )
      )
    )
  const times = { bounded: [] as Array<number>, unbounded: [] as Array<number> }
  const before = process.memoryUsage().rss
  let peak = 0
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20)
  await read(null)()
  for (let round = 0; round < 4; round++) {
    times.bounded.push(await cpuMicros(read(2 * gigabyte)))
    times.unbounded.push(await cpuMicros(read(null)))
  }
  clearInterval(watch)
  return [
    {
      name: "CPU of a 1 GiB body with a limit, to one without",
      value: Math.min(...times.bounded) / Math.min(...times.unbounded),
      limit: 1.05,
      unit: "times"
    },
    { name: "memory that nine bodies of 1 GiB took", value: (peak - before) / 1024 ** 2, limit: 150, unit: "MiB" }
  ]
}
