/**
 * One side of a JSON-RPC conversation with a server, over any channel. It speaks in the same breath as the channel: a
 * message is handled as it comes, in order, and no request waits longer than its server, its channel or its caller.
 */
import * as Effect from "effect/Effect"
import { classify, errorCodes, isRecord } from "./JsonRpc.ts"
import { PeerFailure } from "./PeerFailure.ts"

/** How messages get to the server. */
export interface Outlet {
  /** Hands over one message; waits where the server is slow to take it. `id` is that of a request. */
  readonly send: (message: object, id: number | null) => Effect.Effect<void, PeerFailure>
  /** Nobody waits for the answer to this request any more. */
  readonly forget: (id: number) => void
}

/** A request of the server; the answer is a result, or a JSON-RPC error. */
export type ServerRequest = (
  method: string,
  params: unknown
) => Effect.Effect<
  { readonly result: object } | { readonly error: { readonly code: number; readonly message: string } }
>

export interface PeerOptions {
  readonly outlet: Outlet
  readonly onNotification: (method: string, params: unknown) => void
  readonly onRequest: ServerRequest
  /** Something that is no message of the protocol, or answers nothing that was asked. */
  readonly onSkipped: (what: "foreign" | "unasked") => void
  /** Runs what answers the server, as long as the connection lives. */
  readonly fork: (effect: Effect.Effect<void>) => void
}

export interface Progress {
  readonly progress: number
  readonly total: number | null
  readonly message: string
}

export interface RequestOptions {
  /** Told each progress message of this request. */
  readonly onProgress?: (progress: Progress) => void
  /** Whether the server is told when the caller gives up; told here whether that message got out. */
  readonly onCancelled?: (sent: boolean) => void
  /** False for `initialize`, which must not be cancelled (MCP, cancellation). Default true. */
  readonly cancellable?: boolean
}

/** Requests of the server that are answered at once; what comes on top is not answered. */
const serverRequestLimit = 32

/** Milliseconds that a cancellation may take to get out. */
const cancelMillis = 500

type Result = Readonly<Record<string, unknown>>

export class Peer {
  private readonly pending = new Map<number, Pending>()
  private readonly options: PeerOptions
  private nextId = 1
  private serverRequests = 0
  private ended: PeerFailure | null = null

  constructor(options: PeerOptions) {
    this.options = options
  }

  /** Why the conversation is over; null while it goes on. */
  get failure(): PeerFailure | null {
    return this.ended
  }

  /** The result of one request. An interruption cancels it: the server is told once, and its answer is dropped. */
  request(method: string, params: object, options: RequestOptions = {}): Effect.Effect<Result, PeerFailure> {
    return Effect.suspend(() => {
      if (this.ended !== null) return Effect.fail(before(this.ended))
      const id = this.nextId++
      const pending = new Pending(options.onProgress ?? null)
      this.pending.set(id, pending)
      const withToken = options.onProgress === undefined ? params : { ...params, _meta: { progressToken: id } }
      return this.options.outlet.send({ jsonrpc: "2.0", id, method, params: withToken }, id).pipe(
        Effect.zipRight(pending.wait),
        Effect.tapError(() => Effect.sync(() => this.pending.delete(id))),
        Effect.onInterrupt(() => this.cancel(id, options))
      )
    })
  }

  notify(method: string, params: object = {}): Effect.Effect<void, PeerFailure> {
    return Effect.suspend(() =>
      this.ended === null
        ? this.options.outlet.send({ jsonrpc: "2.0", method, params }, null)
        : Effect.fail(before(this.ended))
    )
  }

  /** One message of the server. */
  receive(message: unknown): void {
    const incoming = classify(message)
    switch (incoming.kind) {
      case "answer":
        return this.settle(incoming.id, Effect.succeed(incoming.result))
      case "error": {
        const { code, data, message: text } = incoming
        return this.fail(incoming.id, new PeerFailure({ reason: "error", message: text, sent: true, code, data }))
      }
      case "broken":
        return this.fail(
          incoming.id,
          new PeerFailure({ reason: "broken", message: `the server answered with ${incoming.reason}`, sent: true })
        )
      case "request":
        return this.answer(incoming.id, incoming.method, incoming.params)
      case "notification":
        if (incoming.method === "notifications/progress") return this.progress(incoming.params)
        return this.options.onNotification(incoming.method, incoming.params)
      case "foreign":
        return this.options.onSkipped("foreign")
    }
  }

  /** Ends one request without an answer; without an id the only one that is under way, where there is one. */
  fail(id: number | null, failure: PeerFailure): void {
    const [only] = this.pending.keys()
    const meant = id ?? (this.pending.size === 1 ? (only ?? null) : null)
    if (meant === null) this.options.onSkipped("unasked")
    else this.settle(meant, Effect.fail(failure))
  }

  /** Ends every request that is under way. */
  failAll(failure: PeerFailure): void {
    for (const id of this.pending.keys()) this.settle(id, Effect.fail(failure))
  }

  /** The conversation is over: every request ends now, and no other begins. The first reason counts. */
  close(failure: PeerFailure): void {
    this.ended ??= failure
    this.failAll(failure)
  }

  private settle(id: number, outcome: Effect.Effect<Result, PeerFailure>): void {
    const pending = this.pending.get(id)
    if (pending === undefined) return this.options.onSkipped("unasked")
    this.pending.delete(id)
    pending.settle(outcome)
  }

  private cancel(id: number, { cancellable = true, onCancelled }: RequestOptions): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (!this.pending.delete(id)) return Effect.void
      const told =
        cancellable && this.ended === null
          ? this.notify("notifications/cancelled", { requestId: id, reason: "the host ended the call" }).pipe(
              Effect.as(true),
              Effect.catchAll(() => Effect.succeed(false)),
              Effect.disconnect,
              Effect.interruptible,
              Effect.timeoutTo({ duration: cancelMillis, onSuccess: (sent) => sent, onTimeout: () => false })
            )
          : Effect.succeed(this.ended !== null)
      return Effect.map(told, (sent) => {
        this.options.outlet.forget(id)
        onCancelled?.(sent)
      })
    })
  }

  private answer(id: string | number, method: string, params: unknown): void {
    if (this.serverRequests >= serverRequestLimit) return this.options.onSkipped("unasked")
    this.serverRequests += 1
    const answered: ReturnType<ServerRequest> =
      method === "ping" ? Effect.succeed({ result: {} }) : this.options.onRequest(method, params)
    this.options.fork(
      answered.pipe(
        Effect.flatMap((answer) => this.options.outlet.send({ jsonrpc: "2.0", id, ...answer }, null)),
        Effect.catchAll(() => Effect.void),
        Effect.ensuring(Effect.sync(() => void (this.serverRequests -= 1)))
      )
    )
  }

  private progress(params: unknown): void {
    if (!isRecord(params) || typeof params["progress"] !== "number") return
    const token = params["progressToken"]
    const pending = typeof token === "number" ? this.pending.get(token) : undefined
    const { message, total } = params
    pending?.onProgress?.({
      progress: params["progress"],
      total: typeof total === "number" ? total : null,
      message: typeof message === "string" ? message : ""
    })
  }
}

/** The answer to a request that the host does not take. */
export const methodNotFound = {
  error: { code: errorCodes.methodNotFound, message: "Method not found" }
} as const

/** What ended the conversation, for a request that was never sent. */
const before = (ended: PeerFailure): PeerFailure =>
  new PeerFailure({ reason: ended.reason, message: ended.message, sent: false })

/** A request under way: its outcome may come before or after somebody waits for it. */
class Pending {
  readonly onProgress: ((progress: Progress) => void) | null
  private outcome: Effect.Effect<Result, PeerFailure> | null = null
  private resume: ((outcome: Effect.Effect<Result, PeerFailure>) => void) | null = null

  constructor(onProgress: ((progress: Progress) => void) | null) {
    this.onProgress = onProgress
  }

  readonly wait: Effect.Effect<Result, PeerFailure> = Effect.async((resume) => {
    if (this.outcome !== null) resume(this.outcome)
    else this.resume = resume
  })

  settle(outcome: Effect.Effect<Result, PeerFailure>): void {
    this.outcome = outcome
    this.resume?.(outcome)
  }
}
