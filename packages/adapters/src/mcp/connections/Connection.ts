/**
 * A server that is open: its conversation, its tools, and what has happened to it since. Calls are bound to this object;
 * another connection to the same server is another object.
 */
import type { McpDeclaration } from "@gatehouse/catalog/cores/AgentCore"
import { boundedText } from "@gatehouse/core/BoundedText"
import type { SessionId } from "@gatehouse/core/Identifiers"
import * as Effect from "effect/Effect"
import { cutText } from "../../text/TextCut.ts"
import { listTools, type ToolList } from "../listing/ListTools.ts"
import { type Agreement, handshake } from "../protocol/Handshake.ts"
import { isRecord } from "../protocol/JsonRpc.ts"
import { methodNotFound, Peer, type ServerRequest } from "../protocol/Peer.ts"
import { PeerFailure } from "../protocol/PeerFailure.ts"
import type { Channel, ChannelEvents } from "./Channel.ts"
import type { ServerMask } from "./SecretsOfServer.ts"

export interface ConnectionOptions {
  /** Keyed fingerprint of the declaration: a digest of a short one could be guessed from. */
  readonly declarationPrint: string
  readonly declaration: McpDeclaration
  readonly session: SessionId
  readonly mask: ServerMask
  /** Answers what the server asks of its client, beside `ping`. */
  readonly answers: ServerAnswers
  readonly fork: (effect: Effect.Effect<void>) => void
}

/** What this host does for servers. What is not declared is refused at once. */
export interface ServerAnswers {
  readonly roots: ReadonlyArray<{ readonly uri: string; readonly name: string }> | null
  readonly elicitation: ((params: unknown) => ReturnType<ServerRequest>) | null
}

/** Log messages of the protocol that are kept, the newest. */
const keptMessages = 50

/** UTF-16 units of one of them, and of what is kept of it until it is masked. */
const messageLimit = 500
const rawLimit = 4_000

/** Things on standard output that were no messages: how many, and the first of them, masked. */
export interface Skipped {
  readonly count: number
  readonly samples: ReadonlyArray<string>
}

const sampleLimit = 3
/** UTF-16 units of a sample. */
const sampleUnits = 200

export class Connection {
  readonly declaration: McpDeclaration
  readonly session: SessionId
  readonly mask: ServerMask
  readonly declarationPrint: string
  readonly peer: Peer
  private readonly options: ConnectionOptions
  private channel: Channel | null = null
  private known: ToolList = { tools: [], refused: [], notes: [] }
  private changed = false
  private skippedCount = 0
  private readonly samples: Array<string> = []
  private messages: Array<string> = []
  private met: Agreement | null = null

  constructor(options: ConnectionOptions) {
    this.options = options
    this.declaration = options.declaration
    this.session = options.session
    this.declarationPrint = options.declarationPrint
    this.mask = options.mask
    this.peer = new Peer({
      outlet: {
        send: (message, id) => (this.channel === null ? Effect.fail(notOpen) : this.channel.send(message, id)),
        forget: (id) => this.channel?.forget(id)
      },
      onNotification: (method, params) => this.notified(method, params),
      onRequest: (method, params) => this.asked(method, params),
      onSkipped: (what) => {
        if (what === "foreign") this.skip("(a JSON value that is no message)")
      },
      fork: options.fork
    })
  }

  /** What the channel tells is told here. */
  get events(): ChannelEvents {
    return {
      onMessage: (message) => this.peer.receive(message),
      onSkipped: (sample) => this.skip(sample),
      onFailed: (id, failure) => {
        if (id === null) this.peer.failAll(failure)
        else this.peer.fail(id, failure)
      },
      onClosed: (failure) => this.peer.close(failure)
    }
  }

  /** Handshake and first list over `channel`. */
  open(channel: Channel): Effect.Effect<void, PeerFailure> {
    return Effect.gen(this, function* () {
      this.channel = channel
      const { answers } = this.options
      const capabilities = { roots: answers.roots !== null, elicitation: answers.elicitation !== null }
      this.met = yield* handshake(this.peer, capabilities, channel.agreed)
      yield* this.list()
      channel.attend()
    })
  }

  /** Asks for the tools; what they were before stays where this fails. */
  list(): Effect.Effect<void, PeerFailure> {
    return Effect.suspend(() => {
      // Whatever is told from here on may be newer than the list that is asked for.
      this.changed = false
      if (this.met?.hasTools === false) {
        this.known = { tools: [], refused: [], notes: [] }
        return Effect.void
      }
      return Effect.map(listTools(this.peer, this.mask.given), (list) => {
        this.known = list
      })
    })
  }

  get tools(): ToolList {
    return this.known
  }

  get isOpen(): boolean {
    return this.peer.failure === null
  }

  /** Whether the server said that its tools are others by now. */
  get isStale(): boolean {
    return this.changed
  }

  /** The next turn asks for the tools again. */
  markStale(): void {
    this.changed = true
  }

  get skipped(): Skipped {
    return { count: this.skippedCount, samples: this.samples }
  }

  get agreement(): Agreement | null {
    return this.met
  }

  get pid(): number | null {
    return this.channel?.pid ?? null
  }

  /** What the server said beside its answers: its error stream, and log messages of the protocol. Masked. */
  get said(): Effect.Effect<string> {
    return Effect.map(this.channel?.stderr ?? Effect.succeed(""), (stderr) => {
      const messages = this.messages.slice(-keptMessages).map((text) => boundedText(this.mask.text(text), messageLimit))
      return messages.length === 0
        ? this.mask.text(stderr)
        : `${this.mask.text(stderr)}\n[log messages]\n${messages.join("\n")}\n`
    })
  }

  private notified(method: string, params: unknown): void {
    if (method === "notifications/tools/list_changed") this.changed = true
    else if (method === "notifications/message" && isRecord(params)) {
      const { data, level } = params
      const text = typeof data === "string" ? data : shortJson(data)
      this.messages.push(`${typeof level === "string" ? level.slice(0, 16) : "info"}: ${cutText(text, rawLimit)}`)
      if (this.messages.length > 2 * keptMessages) this.messages = this.messages.slice(-keptMessages)
    }
  }

  private asked(method: string, params: unknown): ReturnType<ServerRequest> {
    const { elicitation, roots } = this.options.answers
    if (method === "roots/list" && roots !== null) return Effect.succeed({ result: { roots } })
    if (method === "elicitation/create" && elicitation !== null) return elicitation(params)
    return Effect.succeed(methodNotFound)
  }

  private skip(sample: string): void {
    this.skippedCount += 1
    if (this.samples.length < sampleLimit) this.samples.push(boundedText(this.mask.text(sample), sampleUnits))
  }
}

const notOpen = new PeerFailure({ reason: "closed", message: "the connection is not open", sent: false })

const shortJson = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? ""
  } catch {
    // Nested beyond the stack: nothing that a log needs.
    return "(a value that is nested too deeply)"
  }
}
