/**
 * The endpoint on standard input and output. Lines are bounded while they are read; a client that does not read its
 * answers is not read either; nothing but protocol is written to standard output.
 */
import { asHost } from "@gatehouse/adapters/authored/GuestCode.boundary"
import { LineReader } from "@gatehouse/adapters/mcp/protocol/LineReader"
import * as Effect from "effect/Effect"
import type { ClientConnection } from "../protocol/ClientConnection.ts"
import { errorCodes, type RequestId, readClientMessage } from "../protocol/ClientMessage.ts"
import type { Outlet } from "../protocol/Outlet.ts"

export interface StdioStreams {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream & { readonly writableLength: number }
}

/** Those of this process. */
export const processStreams = (): StdioStreams => ({ input: process.stdin, output: process.stdout })

/** Bytes that one message of a client may take. */
export const messageLimit = 10 * 1024 * 1024

/** Bytes that may wait for the client to read them before nothing more is read from it. */
const waitingLimit = 4 * 1024 * 1024

/** Bytes that may wait before progress is left out. */
const congestedAt = 256 * 1024

/** Messages go out as lines. */
export const stdioOutlet = ({ output }: StdioStreams): Outlet => ({
  send: (message) => void asHost(() => output.write(`${JSON.stringify(message)}\n`)),
  withdraw: () => undefined,
  isCongested: () => output.writableLength > congestedAt
})

/** Feeds the connection until the input ends, the output is closed by its reader, or `stop` is aborted. */
export const feedStdio = (
  { input, output }: StdioStreams,
  outlet: Outlet,
  { receive }: ClientConnection,
  stop: AbortSignal
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const reader = new LineReader({
      limit: messageLimit,
      onLine: (line) => {
        if (line.trim() !== "") receive(readClientMessage(line))
      },
      onTooLong: (head, tail, bytes) => {
        const id = idAtAnEnd(head, tail)
        const message = `a message of ${bytes} bytes is longer than the ${messageLimit} that are taken`
        outlet.send({ jsonrpc: "2.0", id, error: { code: errorCodes.invalidRequest, message } }, id)
      }
    })
    const onData = (chunk: Buffer): void => {
      reader.push(chunk)
      if (output.writableLength > waitingLimit) input.pause()
    }
    const onDrain = (): void => void input.resume()
    let end = (): void => undefined
    return Effect.async<void>((resume) => {
      end = () => resume(Effect.void)
      input.on("data", onData).on("end", end).on("close", end).on("error", end)
      output.on("drain", onDrain).on("error", end).on("close", end)
      if (stop.aborted) end()
      else stop.addEventListener("abort", end, { once: true })
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          input.off("data", onData).off("end", end).off("close", end).off("error", end).pause()
          output.off("drain", onDrain).off("close", end)
          stop.removeEventListener("abort", end)
        })
      )
    )
  })

/** Milliseconds that a client gets to read what was said last. */
const lastWordsMillis = 500

/** Lets the process end although nobody reads what it wrote. For the very end: nothing is under way any more. */
export const leaveUnread: Effect.Effect<void> = Effect.sync(
  () => void asHost(() => setTimeout(() => process.exit(), lastWordsMillis)).unref()
)

/** The id of a message of which only both ends are known: clients write it beside `jsonrpc`. */
const idAtAnEnd = (head: string, tail: string): RequestId | null => {
  const found =
    /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{0,64}")/.exec(head) ??
    /"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{0,64}")\s*\}\s*$/.exec(tail)
  const written = found?.[1]
  if (written === undefined) return null
  return written.startsWith('"') ? written.slice(1, -1) : Number(written)
}
