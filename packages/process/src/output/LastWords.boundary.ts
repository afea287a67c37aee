/** Reads what is left in the pipes of a tree that is gone. On the path of every command, so it is one wait and one timer. */
import * as Effect from "effect/Effect"
import { monotonicMillis } from "../spawn/RealTime.boundary.ts"
import type { OwnedStream } from "./OwnedStream.ts"

/**
 * Where somebody unknown still holds a pipe: how often it is looked at, after how many looks without a byte it counts
 * as read to its end, and how long it is read at most. Every look gives way to the reading, so a busy host reads as
 * much as an idle one.
 */
const lookMillis = 25
const quietLooks = 4
const longestMillis = 2000

/** True when all holders have let go; false when the streams were let go of although somebody still holds one. */
export const lastWords = (streams: ReadonlyArray<OwnedStream>): Effect.Effect<boolean> =>
  Effect.async((resume) => {
    const began = monotonicMillis()
    let quiet = 0
    let read = -1
    const areClosed = (): boolean => streams.every((stream) => stream.isClosed)
    const look = (): void => {
      const open = streams.filter((stream) => !stream.isClosed)
      const isHeldUp = open.some((stream) => stream.isHeldUp)
      const progress = open.reduce((sum, stream) => sum + stream.progress, 0)
      quiet = isHeldUp || progress !== read ? 0 : quiet + 1
      read = progress
      const isOver = quiet >= quietLooks || (!isHeldUp && monotonicMillis() - began > longestMillis)
      if (!isOver) return void (timer = setTimeout(look, lookMillis))
      for (const stream of streams) stream.destroy()
      resume(Effect.succeed(false))
    }
    if (areClosed()) return resume(Effect.succeed(true))
    let timer = setTimeout(look, lookMillis)
    const onClosed = (): void => {
      if (!areClosed()) return
      clearTimeout(timer)
      resume(Effect.succeed(true))
    }
    for (const stream of streams) stream.onClosed(onClosed)
    return Effect.sync(() => clearTimeout(timer))
  })
