/** Reads one page in a thread of its own, whose memory and time are bounded, and which is gone afterwards. */
import { createRequire } from "node:module"
import { Worker } from "node:worker_threads"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { PageSource } from "./Extraction.boundary.ts"

/** Milliseconds for reading one page. */
export const readingMillis = 10_000

/** Megabytes of memory for reading one page. */
const readingMegabytes = 512

/** The page could not be read: it took too long or too much, or broke the reader. */
export class PageUnreadable extends Data.TaggedError("PageUnreadable")<{
  readonly reason: "time" | "memory" | "broken"
}> {}

const Page = Schema.Union(
  Schema.TaggedStruct("text", {
    kind: Schema.Literal("html", "markdown", "json", "pdf", "text"),
    title: Schema.NullOr(Schema.String),
    text: Schema.String,
    links: Schema.Array(Schema.String),
    charset: Schema.NullOr(Schema.String)
  }),
  Schema.TaggedStruct("refused", { reason: Schema.Literal("binary", "nesting", "unreadable") })
)
export type ReadPage = typeof Page.Type

/** Interruption ends the thread. */
export const readPage = (source: PageSource, millis: number): Effect.Effect<ReadPage, PageUnreadable> =>
  Effect.acquireUseRelease(
    Effect.sync(() => quiet(startWorker(source))),
    (worker) => Effect.flatMap(answerOf(worker), decode),
    // Its end is waited for: no thread outlives its call.
    (worker) => Effect.promise(() => worker.terminate())
  ).pipe(
    Effect.timeoutFail({
      duration: Duration.millis(Math.min(millis, readingMillis)),
      onTimeout: () => new PageUnreadable({ reason: "time" })
    })
  )

const decode = (message: unknown): Effect.Effect<ReadPage, PageUnreadable> =>
  Effect.mapError(Schema.decodeUnknown(Page)(message), () => new PageUnreadable({ reason: "broken" }))

const answerOf = (worker: Worker): Effect.Effect<unknown, PageUnreadable> =>
  Effect.async((resume) => {
    worker.once("message", (message: unknown) => resume(Effect.succeed(message)))
    worker.once("error", (error: NodeJS.ErrnoException) =>
      resume(
        Effect.fail(new PageUnreadable({ reason: error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "broken" }))
      )
    )
    worker.once("exit", () => resume(Effect.fail(new PageUnreadable({ reason: "broken" }))))
  })

/** Drops what a thread says: kept, it would hold the thread back. */
const quiet = (worker: Worker): Worker => {
  worker.stdout.resume()
  worker.stderr.resume()
  return worker
}

const startWorker = (source: PageSource): Worker => {
  const options = {
    workerData: source,
    // Libraries that read pages talk about them: nothing of that may come between the host's own lines.
    stdout: true,
    stderr: true,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: readingMegabytes, maxYoungGenerationSizeMb: 64 }
  }
  if (!import.meta.url.endsWith(".ts")) {
    return new Worker(new URL("./ExtractionWorker.boundary.js", import.meta.url), options)
  }
  // From sources, as tests run it: Node 20 does not read TypeScript by itself.
  const jiti = createRequire(import.meta.url).resolve("jiti")
  const file = new URL("./ExtractionWorker.boundary.ts", import.meta.url).pathname
  const program = `require(${JSON.stringify(jiti)}).createJiti(${JSON.stringify(file)}).import(${JSON.stringify(file)})`
  return new Worker(program, { ...options, eval: true })
}
