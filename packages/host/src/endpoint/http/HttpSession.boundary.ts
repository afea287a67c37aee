/** A client's session over HTTP: which exchange an answer goes to, and the streams for what belongs to no request. */
import type { ServerResponse } from "node:http"
import type { RequestId } from "../protocol/ClientMessage.ts"
import type { Outlet, ServerMessage } from "../protocol/Outlet.ts"
import { EventStream } from "./EventStream.boundary.ts"
import type { PostExchange } from "./PostExchange.boundary.ts"

/** Streams that a client may hold open beside its requests; the oldest gives way. */
const streamLimit = 4

/** Messages that wait for a client without a stream; the oldest are left out. */
const backlogLimit = 32

export class HttpSession implements Outlet {
  /** Name of the token that opened it: another one does not reach it. */
  readonly token: string
  private readonly posts = new Map<RequestId, PostExchange>()
  private streams: ReadonlyArray<{ readonly response: ServerResponse; readonly events: EventStream }> = []
  private readonly backlog: Array<ServerMessage> = []

  constructor(token: string) {
    this.token = token
  }

  get hasStream(): boolean {
    return this.streams.length > 0
  }

  /** Answers of `requests` go to `post`. An id that is in use stays with the request that has it. */
  expect(requests: ReadonlyArray<RequestId>, post: PostExchange): void {
    for (const id of requests) if (!this.posts.has(id)) this.posts.set(id, post)
  }

  isExpected(id: RequestId): boolean {
    return this.posts.has(id)
  }

  openStream(response: ServerResponse): void {
    const events = new EventStream(response)
    this.streams = [...this.streams, { response, events }]
    response.once("close", () => {
      this.streams = this.streams.filter((stream) => stream.response !== response)
    })
    if (this.streams.length > streamLimit) this.streams[0]?.events.end()
    for (const message of this.backlog.splice(0)) events.write(message)
  }

  closeStreams(): void {
    for (const { events } of this.streams) events.end()
  }

  send(message: ServerMessage, about: RequestId | null): void {
    const post = about === null ? undefined : this.posts.get(about)
    if (about !== null && post !== undefined) {
      if (!("method" in message)) this.posts.delete(about)
      return post.send(message, about)
    }
    const stream = this.streams.at(-1)
    if (stream !== undefined) return stream.events.write(message)
    this.backlog.push(message)
    if (this.backlog.length > backlogLimit) this.backlog.shift()
  }

  withdraw(about: RequestId): void {
    const post = this.posts.get(about)
    this.posts.delete(about)
    post?.withdraw(about)
  }

  isCongested(): boolean {
    for (const post of this.posts.values()) if (post.isCongested) return true
    return this.streams.at(-1)?.events.isCongested === true
  }
}
