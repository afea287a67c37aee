/** Reads what is left in the pipes of a tree that is gone. Every command comes by here, so it is one timer and no fiber. */
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

/**
 * Calls `done` once: with true when all holders have let go; with false when the streams were let go of although
 * somebody still holds one.
 */
export const readToEnd = (streams: ReadonlyArray<OwnedStream>, done: (released: boolean) => void): void => {
  const began = monotonicMillis()
  let quiet = 0
  let read = -1
  let isDone = false
  const areClosed = (): boolean => streams.every((stream) => stream.isClosed)
  const finish = (released: boolean): void => {
    if (isDone) return
    isDone = true
    clearTimeout(timer)
    done(released)
  }
  const look = (): void => {
    const open = streams.filter((stream) => !stream.isClosed)
    const isHeldUp = open.some((stream) => stream.isHeldUp)
    const progress = open.reduce((sum, stream) => sum + stream.progress, 0)
    quiet = isHeldUp || progress !== read ? 0 : quiet + 1
    read = progress
    const isOver = quiet >= quietLooks || (!isHeldUp && monotonicMillis() - began > longestMillis)
    if (!isOver) return void (timer = setTimeout(look, lookMillis))
    for (const stream of streams) stream.destroy()
    finish(false)
  }
  if (areClosed()) return done(true)
  let timer = setTimeout(look, lookMillis)
  for (const stream of streams) stream.onClosed(() => (areClosed() ? finish(true) : undefined))
}
