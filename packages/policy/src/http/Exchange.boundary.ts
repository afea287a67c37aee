/** One request on one pool and its answer, under limits that hold while it runs. */
import type { Dispatcher } from "undici"
import { BodyQueue, type BodySource } from "./BodyQueue.ts"
import { deadlines, monotonicMillis, type Timed } from "./Deadlines.boundary.ts"
import { type BodySink, makeSink, readEncodings } from "./Decoding.boundary.ts"
import { ExchangeFailure } from "./ExchangeFailure.ts"
import type { HttpLimits } from "./HttpLimits.ts"
import type { HostPool } from "./Pools.boundary.ts"

export interface ExchangeRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
  readonly limits: HttpLimits
  /** When the whole journey began, in {@link monotonicMillis}: `totalMillis` counts from there. */
  readonly startedAt: number
}

export interface ExchangeAnswer {
  readonly status: number
  /** Names in lower case; repeated ones joined with a comma, `set-cookie` with a line break. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: BodySource
}

/** Sends the request and calls back once, with the head of the answer or the failure. The answer closes the socket. */
export const startExchange = (
  host: HostPool,
  request: ExchangeRequest,
  done: (answer: ExchangeAnswer | ExchangeFailure) => void
): (() => void) => {
  const exchange = new Exchange(host, request, done)
  host.inFlight += 1
  host.pool.dispatch(
    { path: request.path, method: methodOf(request.method), headers: { ...request.headers }, body: request.body },
    exchange
  )
  return () => exchange.stop(new ExchangeFailure("request", "was given up", { connected: exchange.sent }))
}

class Exchange implements Dispatcher.DispatchHandlers, Timed {
  readonly #host: HostPool
  readonly #request: ExchangeRequest
  readonly #done: (answer: ExchangeAnswer | ExchangeFailure) => void
  readonly #startedAt = monotonicMillis()
  #abort: ((error?: Error) => void) | null = null
  #stopped: ExchangeFailure | null = null
  #answered = false
  #over = false
  /** Since when the body is silent; null before its first byte may come. */
  #quietSince: number | null = null
  #heard = false
  #held = false
  #queue: BodyQueue | null = null
  #sink: BodySink | null = null
  /** Whether bytes of the request may have left. */
  sent = false

  constructor(host: HostPool, request: ExchangeRequest, done: (answer: ExchangeAnswer | ExchangeFailure) => void) {
    this.#host = host
    this.#request = request
    this.#done = done
    deadlines.add(this)
  }

  /** Ends the exchange for `failure` and closes its socket; a body that is here and not decoded yet ends as well. */
  stop(failure: ExchangeFailure): void {
    this.#sink?.stop()
    this.#queue?.fail(failure)
    if (this.#over || this.#stopped !== null) return
    this.#stopped = failure
    this.#abort?.(failure)
    this.#finish()
    this.#answer(failure)
    // Whether the request waits for a connection or lost the one it had, the pool would make another for nobody.
    if (this.#host.inFlight === 0) this.#host.close()
  }

  tick(now: number): void {
    const { headersMillis, idleMillis, totalMillis } = this.#request.limits
    const late = (what: string): void => this.stop(new ExchangeFailure("timeout", what, { connected: this.sent }))
    if (totalMillis !== null && now - this.#request.startedAt >= totalMillis)
      return late(`was not done in ${totalMillis} ms`)
    if (this.#quietSince === null) {
      if (now - this.#startedAt >= headersMillis) late(`sent no complete headers in ${headersMillis} ms`)
      return
    }
    // While our own reader holds the sender back, its silence is not its fault.
    if (this.#heard || this.#held) this.#quietSince = now
    else if (now - this.#quietSince >= idleMillis) late(`sent nothing for ${idleMillis} ms`)
    this.#heard = false
  }

  onConnect(abort: (error?: Error) => void): void {
    if (this.#stopped !== null) return abort(this.#stopped)
    this.#abort = abort
    this.sent = true
  }

  onHeaders(status: number, raw: Array<Buffer>, resume: () => void): boolean {
    // Informational answers come before the answer.
    if (status < 200) return true
    const headers = readHeaders(raw)
    const { bodyBytes } = this.#request.limits
    const bodiless = this.#request.method === "HEAD" || status === 204 || status === 304
    const encodings = bodiless ? [] : readEncodings(headers["content-encoding"])
    if (encodings === null) {
      this.stop(new ExchangeFailure("protocol", "sends a content-encoding that was not asked for", { connected: true }))
      return false
    }
    const announced = Number(headers["content-length"] ?? 0)
    if (!bodiless && encodings.length === 0 && bodyBytes !== null && announced > bodyBytes) {
      this.stop(new ExchangeFailure("size", `announces more than ${bodyBytes} bytes`, { connected: true }))
      return false
    }
    this.#quietSince = monotonicMillis()
    const onRoom = (): void => {
      this.#held = false
      this.#heard = true
      resume()
    }
    const onFailure = (failure: ExchangeFailure): void => this.stop(failure)
    this.#queue = new BodyQueue(bodyBytes, { resume: () => this.#sink?.resume(), abort: onFailure })
    this.#sink = makeSink(encodings, { queue: this.#queue, onRoom, onFailure })
    this.#answer({ status, headers, body: this.#queue })
    return true
  }

  onData(piece: Buffer): boolean {
    this.#heard = true
    this.#held = this.#sink?.write(piece) === false
    return !this.#held
  }

  onComplete(): void {
    this.#finish()
    this.#sink?.end()
  }

  onError(error: Error): void {
    this.#finish()
    const failure = this.#stopped ?? failureOf(error, this.sent)
    this.#sink?.stop()
    this.#queue?.fail(failure)
    this.#answer(failure)
  }

  #answer(answer: ExchangeAnswer | ExchangeFailure): void {
    if (this.#answered) return
    this.#answered = true
    this.#done(answer)
  }

  #finish(): void {
    if (this.#over) return
    this.#over = true
    this.#host.inFlight -= 1
    deadlines.delete(this)
  }
}

/** undici types the methods that it has heard of and takes every other token. */
const methodOf = (method: string): Dispatcher.HttpMethod => method as Dispatcher.HttpMethod

const readHeaders = (raw: ReadonlyArray<Buffer>): Record<string, string> => {
  // Without a prototype: a server may call a header `__proto__`.
  const headers: Record<string, string> = Object.create(null)
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? "").toString("latin1").toLowerCase()
    const value = (raw[index + 1] ?? "").toString("latin1")
    const before = headers[name]
    headers[name] = before === undefined ? value : `${before}${name === "set-cookie" ? "\n" : ", "}${value}`
  }
  return headers
}

const failureOf = (error: Error, sent: boolean): ExchangeFailure => {
  if (error instanceof ExchangeFailure) return error
  const code = "code" in error && typeof error.code === "string" ? error.code : null
  switch (code) {
    case "UND_ERR_HEADERS_OVERFLOW":
      return new ExchangeFailure("size", "sends more headers than a client takes", { code, connected: true })
    case "UND_ERR_INVALID_ARG":
      return new ExchangeFailure("request", "cannot be asked with this method or these headers", {
        code,
        connected: sent
      })
    case "UND_ERR_RES_CONTENT_LENGTH_MISMATCH":
      return new ExchangeFailure("protocol", "sends a body of another length than it announced", {
        code,
        connected: true
      })
    case "UND_ERR_SOCKET":
      return new ExchangeFailure("connect", "closed the connection before its answer was complete", {
        code,
        connected: true
      })
    default:
      return code?.startsWith("HPE_") === true
        ? new ExchangeFailure("protocol", "does not answer in HTTP/1.1", { code, connected: true })
        : new ExchangeFailure("connect", "broke the connection", { code, connected: sent })
  }
}
