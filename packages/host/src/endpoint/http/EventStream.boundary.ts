/** Server-sent events to one client, with a sign of life while there is nothing to say, and a bound on what waits. */
import type { ServerResponse } from "node:http"
import type { ServerMessage } from "../protocol/Outlet.ts"

/** Milliseconds between two signs of life: below what proxies wait for. */
const lifeMillis = 15_000

/** Bytes that may wait for a client before progress is left out. */
const congestedAt = 256 * 1024

/** Bytes that may wait for a client before its stream is cut. */
const waitingLimit = 8 * 1024 * 1024

export class EventStream {
  private readonly response: ServerResponse
  private readonly life: NodeJS.Timeout

  constructor(response: ServerResponse) {
    this.response = response
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no"
    })
    response.flushHeaders()
    this.life = setInterval(() => void response.write(": alive\n\n"), lifeMillis)
    response.once("close", () => clearInterval(this.life))
    if (response.destroyed) clearInterval(this.life)
  }

  get isCongested(): boolean {
    return this.response.writableLength > congestedAt
  }

  write(message: ServerMessage): void {
    if (this.response.destroyed || this.response.writableEnded) return
    if (this.response.writableLength > waitingLimit) return void this.response.destroy()
    this.response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
  }

  end(): void {
    clearInterval(this.life)
    this.response.end()
  }
}
