/** Everybody who listens to a host while it runs: approvers, watchers, loggers, tracers. What they hear is kept. */
import { type ApprovalPrompt, ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Inspectable from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { type Sink, textSink } from "./Search.ts"

export class Watchers {
  /** Who is asked, and what the next answer is. */
  readonly asked: Array<ApprovalPrompt> = []
  answer: "allow" | "deny" = "deny"
  readonly #live: Array<string> = []
  readonly #logs: Array<string> = []
  readonly #spans: Array<string> = []

  readonly live = (_call: string, stream: string, text: string): void => void this.#live.push(`${stream}: ${text}`)

  /** Asks this run's script, listens to every log line and to every span. */
  get layer() {
    const prompter = Layer.succeed(ApprovalPrompter, {
      surface: "canary",
      available: true,
      ask: (prompt) =>
        Effect.sync(() => {
          this.asked.push(prompt)
          return this.answer
        })
    })
    const logger = Logger.make(
      (entry) => void this.#logs.push(Inspectable.stringifyCircular(Logger.structuredLogger.log(entry)))
    )
    return Layer.mergeAll(
      prompter,
      Logger.replace(Logger.defaultLogger, logger),
      Logger.minimumLogLevel(LogLevel.All),
      Layer.setTracer(this.#tracer)
    )
  }

  get sinks(): ReadonlyArray<Sink> {
    return [
      textSink("approval prompts", JSON.stringify(this.asked)),
      textSink("live output", this.#live.join("\n")),
      // Pieces of one line may come apart, and nothing stands between them on a screen.
      textSink("live output, joined", this.#live.map((text) => text.replace(/^std(out|err): /, "")).join("")),
      textSink("log lines", this.#logs.join("\n")),
      textSink("spans", this.#spans.join("\n"))
    ]
  }

  readonly #tracer: Tracer.Tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind) =>
      new KeptSpan(name, parent, context, links, startTime, kind, this.#spans),
    context: (run) => run()
  })
}

/** A span whose words are kept: its name, its attributes, its events, and how it ended. */
class KeptSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly spanId = "canary"
  readonly traceId = "canary"
  readonly sampled = true
  readonly attributes = new Map<string, unknown>()
  readonly links: Array<Tracer.SpanLink>
  status: Tracer.SpanStatus
  readonly name: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly kind: Tracer.SpanKind
  readonly #kept: Array<string>

  constructor(
    name: string,
    parent: Option.Option<Tracer.AnySpan>,
    context: Context.Context<never>,
    links: ReadonlyArray<Tracer.SpanLink>,
    startTime: bigint,
    kind: Tracer.SpanKind,
    kept: Array<string>
  ) {
    this.name = name
    this.parent = parent
    this.context = context
    this.links = [...links]
    this.kind = kind
    this.status = { _tag: "Started", startTime }
    this.#kept = kept
    kept.push(name)
  }

  end(_endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    if (Exit.isFailure(exit)) this.#kept.push(String(exit.cause))
  }

  attribute(key: string, value: unknown): void {
    this.#kept.push(`${key}=${Inspectable.stringifyCircular(value)}`)
  }

  event(name: string, _startTime: bigint, attributes?: Record<string, unknown>): void {
    this.#kept.push(`${name} ${Inspectable.stringifyCircular(attributes)}`)
  }

  addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    this.links.push(...links)
  }
}
