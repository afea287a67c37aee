/**
 * One POST of a client: what its requests are answered with. A single answer that comes first and soon is plain JSON;
 * whatever comes before it, or takes its time, makes the answer a stream of events (MCP, transports, Streamable HTTP).
 */
import type { ServerResponse } from "node:http"
import type { RequestId } from "../protocol/ClientMessage.ts"
import type { ServerMessage } from "../protocol/Outlet.ts"
import { EventStream } from "./EventStream.boundary.ts"
import type { Accepts } from "./HttpGuard.ts"

/** Milliseconds without an answer after which headers are sent, so that nobody on the way gives up. */
const patienceMillis = 2_000

export class PostExchange {
  private readonly response: ServerResponse
  private readonly open: Set<RequestId>
  private readonly accepts: Accepts
  private readonly isSingle: boolean
  private stream: EventStream | null = null
  private readonly patience: NodeJS.Timeout | null

  constructor(response: ServerResponse, requests: ReadonlyArray<RequestId>, accepts: Accepts) {
    this.response = response
    this.open = new Set(requests)
    this.accepts = accepts
    this.isSingle = requests.length === 1
    const patience = accepts.stream ? setTimeout(() => void this.streaming(), patienceMillis) : null
    this.patience = patience
    // A client that leaves has not cancelled (transports, "Sending Messages to the Server"): its requests go on.
    if (patience !== null) response.once("close", () => clearTimeout(patience))
  }

  get isCongested(): boolean {
    return this.stream?.isCongested === true
  }

  /** An answer closes its request; anything else is for clients that take streams. */
  send(message: ServerMessage, about: RequestId): void {
    const isAnswer = !("method" in message)
    if (isAnswer && this.isSingle && this.stream === null && this.accepts.json) {
      this.open.delete(about)
      return this.finish(JSON.stringify(message))
    }
    if (this.accepts.stream) this.streaming().write(message)
    if (isAnswer) this.withdraw(about)
  }

  withdraw(about: RequestId): void {
    this.open.delete(about)
    if (this.open.size === 0) this.finish(null)
  }

  private streaming(): EventStream {
    if (this.patience !== null) clearTimeout(this.patience)
    this.stream ??= new EventStream(this.response)
    return this.stream
  }

  private finish(json: string | null): void {
    if (this.patience !== null) clearTimeout(this.patience)
    if (this.stream !== null) return this.stream.end()
    if (this.response.destroyed || this.response.headersSent) return
    if (json === null) this.response.writeHead(202).end()
    else this.response.writeHead(200, { "content-type": "application/json" }).end(json)
  }
}
