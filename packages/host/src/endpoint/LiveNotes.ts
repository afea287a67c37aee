/** Text of a running call as progress: its newest lines, at most a few times a second. */
import type * as Clock from "effect/Clock"

/** Milliseconds between two notes of one call. */
const pauseMillis = 200

/** Characters of one note. */
const noteLimit = 500

/** Says the end of what was heard since the last note; what comes within the pause is said with the next text. */
export const liveNotes = (clock: Clock.Clock, say: (message: string) => void): ((text: string) => void) => {
  let heard = ""
  let saidAt = Number.NEGATIVE_INFINITY
  return (text) => {
    heard = (heard + text).slice(-noteLimit)
    const now = clock.unsafeCurrentTimeMillis()
    if (now - saidAt < pauseMillis) return
    const message = heard.trim()
    if (message === "") return
    heard = ""
    saidAt = now
    say(message)
  }
}
