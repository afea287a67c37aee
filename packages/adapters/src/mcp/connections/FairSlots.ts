/** A few places for many sessions: who waits is served in turn, one of each session after the other. */
import * as Effect from "effect/Effect"

interface Waiting {
  readonly admit: () => void
}

/** `limit` effects at once over all sessions; within one session first come, first served. */
export class FairSlots {
  private readonly limit: number
  private used = 0
  /** Sessions with somebody waiting, the next one first. */
  private readonly queues = new Map<string, Array<Waiting>>()

  constructor(limit: number) {
    this.limit = limit
  }

  /** Runs `effect` in a place of its own. Waiting can be interrupted; the place is given back however it ends. */
  within<A, E, R>(session: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      this.acquire(session),
      () => effect,
      () => Effect.sync(() => this.release())
    )
  }

  /** Called where interruption waits: only the waiting itself can be interrupted, so that no place is lost. */
  private acquire(session: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.used < this.limit) {
        this.used += 1
        return Effect.void
      }
      return Effect.interruptible(this.wait(session))
    })
  }

  private wait(session: string): Effect.Effect<void> {
    return Effect.async<void>((resume) => {
      let admitted = false
      const waiting: Waiting = {
        admit: () => {
          admitted = true
          resume(Effect.void)
        }
      }
      const queue = this.queues.get(session) ?? []
      queue.push(waiting)
      this.queues.set(session, queue)
      return Effect.sync(() => {
        // Given up in the moment of being served: the place goes to the next.
        if (admitted) this.release()
        else this.withdraw(session, waiting)
      })
    })
  }

  private release(): void {
    for (const [session, queue] of this.queues) {
      const next = queue.shift()
      this.queues.delete(session)
      // To the back of the line, behind every other session.
      if (queue.length > 0) this.queues.set(session, queue)
      if (next !== undefined) return next.admit()
    }
    this.used -= 1
  }

  private withdraw(session: string, waiting: Waiting): void {
    const left = (this.queues.get(session) ?? []).filter((one) => one !== waiting)
    if (left.length > 0) this.queues.set(session, left)
    else this.queues.delete(session)
  }
}
