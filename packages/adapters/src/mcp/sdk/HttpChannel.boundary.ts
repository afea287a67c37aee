/**
 * A server at a URL: Streamable HTTP by the SDK's transport, over the one HTTP client of the host.
 *
 * Each message has a transport of its own. The SDK's one transport for everything cannot tell to which request a broken
 * stream belonged, cannot close one request alone, and goes on reconnecting for an answer that nobody waits for.
 */

import { makeSafeFetch, type SafeFetch, type SafeFetchOptions } from "@gatehouse/policy/http/SafeFetch.boundary"
import { SafeHttp } from "@gatehouse/policy/http/SafeHttp"
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Channel, ChannelEvents } from "../connections/Channel.ts"
import { isRecord } from "../protocol/JsonRpc.ts"
import { PeerFailure } from "../protocol/PeerFailure.ts"
import { type AnswerWatch, boundedFetch } from "./BoundedFetch.boundary.ts"

export interface HttpServer {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Bytes of one message. */
  readonly messageLimit: number
  readonly requests: Pick<SafeFetchOptions, "egress" | "observe">
}

/** Calls have deadlines of their own, which close the socket; the client's own limits only must not come first. */
const patientMillis = 24 * 60 * 60 * 1_000

/** Reconnecting for an answer that a server promised to give later (SDK: delays in milliseconds). */
const reconnection = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 5_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 2
}

/** Milliseconds that the farewell to a session may take. */
const farewellMillis = 1_000

/** Milliseconds in which the last events of a stream that ended are still read. */
const lastEventsMillis = 50

/** Opens nothing yet: the first message does. When the scope closes, the session is ended and every socket is closed. */
export const openHttp = (
  http: Context.Tag.Service<typeof SafeHttp>,
  server: HttpServer,
  events: ChannelEvents
): Effect.Effect<Channel, PeerFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const fetch = yield* Effect.provideService(
      makeSafeFetch({
        ...server.requests,
        limits: { totalMillis: null, bodyBytes: null, idleMillis: patientMillis, headersMillis: patientMillis }
      }),
      SafeHttp,
      http
    )
    // Only commands that speak to such a server load the SDK: it takes a quarter of a second.
    const sdk = yield* Effect.promise(() => import("@modelcontextprotocol/sdk/client/streamableHttp.js"))
    const conversation = new Conversation(server, fetch, sdk.StreamableHTTPClientTransport, events)
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => conversation.farewell()).pipe(
        Effect.disconnect,
        Effect.interruptible,
        Effect.timeoutOption(farewellMillis),
        Effect.zipRight(Effect.sync(() => conversation.close()))
      )
    )
    return {
      pid: null,
      stderr: Effect.succeed(""),
      agreed: (protocolVersion) => conversation.agreed(protocolVersion),
      forget: (id) => conversation.forget(id),
      attend: () => void conversation.attend(),
      send: (message, id) =>
        // A request is under way from here on; what becomes of it is told by events, in order with its answer.
        id === null
          ? Effect.tryPromise({ try: () => conversation.tell(message), catch: failureOf })
          : Effect.sync(() => conversation.ask(message, id))
    }
  })

const failureOf = (error: unknown): PeerFailure =>
  error instanceof PeerFailure
    ? error
    : new PeerFailure({ reason: "broken", message: "the server's answer is no message of MCP", sent: true })

type TransportClass = typeof StreamableHTTPClientTransport

interface Asked {
  readonly transport: StreamableHTTPClientTransport
  /** Whether the server said how the stream can be taken up again. */
  canResume: boolean
  timer: NodeJS.Timeout | null
}

class Conversation {
  private readonly server: HttpServer
  private readonly safeFetch: SafeFetch
  private readonly Transport: TransportClass
  private readonly events: ChannelEvents
  private readonly asked = new Map<number, Asked>()
  /** Those of messages without an answer; the one that listens to the server is among them. */
  private readonly others = new Set<StreamableHTTPClientTransport>()
  private session: string | undefined = undefined
  private version: string | undefined = undefined
  private isClosed = false

  constructor(server: HttpServer, fetch: SafeFetch, Transport: TransportClass, events: ChannelEvents) {
    this.server = server
    this.safeFetch = fetch
    this.Transport = Transport
    this.events = events
  }

  agreed(protocolVersion: string): void {
    this.version = protocolVersion
  }

  ask(message: object, id: number): void {
    const watch: AnswerWatch = {
      failure: null,
      onStreamEnd: () => {
        const asked = this.asked.get(id)
        if (asked === undefined || asked.canResume) return
        asked.timer = setTimeout(() => this.fail(id, brokenOff), lastEventsMillis)
      }
    }
    const transport = this.transport(watch)
    const asked: Asked = { transport, canResume: false, timer: null }
    this.asked.set(id, asked)
    transport.onmessage = (incoming) => {
      this.remember(transport)
      if (isAnswerTo(incoming, id)) this.release(id)
      this.events.onMessage(incoming)
    }
    transport.onerror = (error) => {
      if (watch.failure !== null) this.fail(id, watch.failure)
      else if (isDisconnect(error) || isGivenUp(error)) {
        if (!asked.canResume || isGivenUp(error)) this.fail(id, brokenOff)
      } else if (!isHttpError(error)) this.fail(id, failureOf(error))
    }
    const options = {
      onresumptiontoken: () => {
        asked.canResume = true
      }
    }
    void transport
      .start()
      .then(() => transport.send(asMessage(message), options))
      .then(
        () => this.remember(transport),
        (error: unknown) => this.fail(id, watch.failure ?? failureOf(error))
      )
  }

  async tell(message: object): Promise<void> {
    const watch: AnswerWatch = { failure: null, onStreamEnd: () => undefined }
    const transport = this.transport(watch, "posts only")
    this.others.add(transport)
    transport.onmessage = (incoming) => this.events.onMessage(incoming)
    transport.onerror = () => undefined
    try {
      await transport.start()
      await transport.send(asMessage(message))
    } catch (error) {
      throw watch.failure ?? failureOf(error)
    } finally {
      this.drop(transport)
    }
  }

  /**
   * Opens the stream on which the server speaks by itself. The SDK would do it with `notifications/initialized`, at the
   * same time as the first list; a server that counts its requests, or takes one at a time, is better asked in order.
   */
  async attend(): Promise<void> {
    if (this.isClosed) return
    const transport = this.transport({ failure: null, onStreamEnd: () => undefined })
    this.others.add(transport)
    transport.onmessage = (incoming) => this.events.onMessage(incoming)
    transport.onerror = () => undefined
    try {
      await transport.start()
      await transport.resumeStream("")
    } catch {
      // A server need not have such a stream.
    }
  }

  forget(id: number): void {
    this.release(id)
  }

  async farewell(): Promise<void> {
    if (this.session === undefined || this.isClosed) return
    const transport = this.transport({ failure: null, onStreamEnd: () => undefined })
    this.others.add(transport)
    try {
      await transport.start()
      await transport.terminateSession()
    } catch {
      // The server may not know the session any more, or not at all.
    }
  }

  close(): void {
    this.isClosed = true
    for (const id of this.asked.keys()) this.release(id)
    for (const transport of this.others) this.drop(transport)
  }

  private transport(watch: AnswerWatch, use: "posts only" | "streams" = "streams"): StreamableHTTPClientTransport {
    const { headers, messageLimit, url } = this.server
    const fetch = boundedFetch(this.safeFetch, messageLimit, watch, () => this.session !== undefined)
    const transport = new this.Transport(new URL(url), {
      fetch: use === "streams" ? fetch : withoutStreams(fetch),
      requestInit: { headers: { ...headers } },
      reconnectionOptions: reconnection,
      ...(this.session === undefined ? {} : { sessionId: this.session })
    })
    if (this.version !== undefined) transport.setProtocolVersion(this.version)
    return transport
  }

  private remember(transport: StreamableHTTPClientTransport): void {
    this.session ??= transport.sessionId
  }

  private fail(id: number, failure: PeerFailure): void {
    if (!this.asked.has(id)) return
    this.release(id)
    this.events.onFailed(id, failure)
    // The session is gone for every other request too.
    if (failure.reason === "lost") this.events.onClosed(failure)
  }

  private release(id: number): void {
    const asked = this.asked.get(id)
    if (asked === undefined) return
    this.asked.delete(id)
    if (asked.timer !== null) clearTimeout(asked.timer)
    this.end(asked.transport)
  }

  private drop(transport: StreamableHTTPClientTransport): void {
    this.others.delete(transport)
    this.end(transport)
  }

  private end(transport: StreamableHTTPClientTransport): void {
    transport.onerror = () => undefined
    transport.onmessage = () => undefined
    void transport.close()
  }
}

/** Answers for the server that it has no stream, without asking it. */
const withoutStreams =
  (send: SafeFetch): SafeFetch =>
  async (input, init) =>
    init?.method === "GET" ? new Response(null, { status: 405 }) : send(input, init)

const brokenOff = new PeerFailure({
  reason: "network",
  message: "the server ended the stream before it answered",
  sent: true
})

const isAnswerTo = (message: unknown, id: number): boolean =>
  isRecord(message) && message["id"] === id && message["method"] === undefined

/** What the SDK says where a stream broke off, and where it reconnects no more; it has no codes for them. */
const isDisconnect = (error: Error): boolean => error.message.startsWith("SSE stream disconnected")
const isGivenUp = (error: Error): boolean => error.message.startsWith("Maximum reconnection attempts")

/** Failures of a reconnection: the SDK tries again, and says when it gives up. */
const isHttpError = (error: Error): boolean =>
  error.constructor.name === "StreamableHTTPError" || error.message.startsWith("Failed to reconnect")

// The one cast to the SDK's type: its messages are objects that its schema describes, and the peer makes no others.
const asMessage = (message: object): JSONRPCMessage => message as JSONRPCMessage
