/** A server that is a program: newline-delimited JSON over a process tree that the host owns. */
import type { ProcessError } from "@gatehouse/process/ProcessError"
import type { OwnedProcess, Processes, SpawnOptions } from "@gatehouse/process/Processes"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { cutText } from "../../text/TextCut.ts"
import { isRecord } from "../protocol/JsonRpc.ts"
import { LineReader } from "../protocol/LineReader.ts"
import { PeerFailure } from "../protocol/PeerFailure.ts"
import type { Channel, ChannelEvents } from "./Channel.ts"

export interface StdioProgram {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  readonly mask: SpawnOptions["mask"]
  readonly label: string
  /** Bytes of one message. */
  readonly messageLimit: number
}

/** Milliseconds between TERM and KILL for MCP servers (design, numbers). */
const graceMillis = 2_000

/** Milliseconds that a server has to end once its input is at its end, before it is told by signal. */
const politeMillis = 150

/** Milliseconds in which what a server wrote before its end still comes out of the pipe. */
const lastWordsMillis = 100

/** Milliseconds after a write that nobody took until the connection counts as broken, if no exit has been seen. */
const brokenPipeMillis = 500

/** UTF-16 units of a skipped line that are handed on. */
const sampleLimit = 4_000

/** Starts the program into the scope. Whatever way the scope closes, the whole tree is gone afterwards. */
export const openStdio = (
  processes: Context.Tag.Service<typeof Processes>,
  program: StdioProgram,
  events: ChannelEvents
): Effect.Effect<Channel, ProcessError, Scope.Scope> =>
  Effect.gen(function* () {
    const reader = lineReader(program.messageLimit, events)
    const owned = yield* processes.spawn({
      command: program.command,
      args: program.args,
      cwd: program.cwd,
      environment: program.environment,
      stdin: { keepOpen: true },
      graceMillis,
      limits: {},
      sandbox: "none",
      mask: program.mask,
      artifact: false,
      onOutput: null,
      onStdoutBytes: (bytes) => reader.push(bytes),
      label: program.label
    })
    yield* Effect.addFinalizer(() => endPolitely(owned))
    yield* Effect.forkScoped(watch(owned, events))
    return {
      pid: owned.pid,
      stderr: Effect.map(owned.tails, ({ stderr }) => stderr.text),
      agreed: () => undefined,
      forget: () => undefined,
      attend: () => undefined,
      send: (message) =>
        Effect.catchAll(owned.write(Buffer.from(`${JSON.stringify(message)}\n`)), () => nobodyReads(events))
    }
  })

const lineReader = (limit: number, events: ChannelEvents): LineReader =>
  new LineReader({
    limit,
    onLine: (line) => {
      if (line.trim() === "") return
      const message = parsed(line.startsWith(byteOrderMark) ? line.slice(1) : line)
      if (isRecord(message) && message["jsonrpc"] === "2.0") events.onMessage(message)
      else if (isBatch(message)) for (const one of message) events.onMessage(one)
      else events.onSkipped(cutText(line, sampleLimit))
    },
    onTooLong: (head, tail, bytes) =>
      events.onFailed(
        idWithin(head) ?? idWithin(tail),
        new PeerFailure({
          reason: "too_large",
          message: `the answer takes ${bytes} bytes, and one message may take ${limit}`,
          sent: true
        })
      )
  })

const byteOrderMark = "\uFEFF"

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Revision 2025-03-26 knows lists of messages. */
const isBatch = (message: unknown): message is ReadonlyArray<unknown> =>
  Array.isArray(message) && message.length > 0 && message.every((one) => isRecord(one) && one["jsonrpc"] === "2.0")

/** The id of an answer that was too long to be read. */
const idWithin = (text: string): number | null => {
  const [, id] =
    /^\s*\{(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,/.exec(text) ??
    /,\s*"id"\s*:\s*(\d{1,15})\s*\}\s*$/.exec(text) ??
    []
  return id === undefined ? null : Number(id)
}

/** A server ends with its leader, whoever still holds its pipes. */
const watch = (owned: OwnedProcess, events: ChannelEvents): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { exitCode, signal } = yield* owned.leaderExit
    yield* Effect.raceFirst(Effect.exit(owned.exit), Effect.sleep(lastWordsMillis))
    const how = signal === null ? `with exit code ${exitCode ?? "unknown"}` : `by signal ${signal}`
    events.onClosed(new PeerFailure({ reason: "closed", message: `the server's process ended ${how}`, sent: true }))
  })

/** The exit says more than the broken pipe; where none comes, the server has closed its input. */
const nobodyReads = (events: ChannelEvents): Effect.Effect<void> =>
  Effect.delay(
    Effect.sync(() =>
      events.onClosed(
        new PeerFailure({ reason: "closed", message: "the server does not read its input any more", sent: true })
      )
    ),
    brokenPipeMillis
  )

/** Called where interruption waits, so the waiting itself has to be made interruptible. */
const endPolitely = (owned: OwnedProcess): Effect.Effect<void> =>
  Effect.zipRight(
    owned.closeStdin,
    Effect.asVoid(Effect.timeoutOption(Effect.interruptible(owned.leaderExit), politeMillis))
  )
