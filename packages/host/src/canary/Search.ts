/** Looks for planted secrets in everything that came out of a host. Pure. */
import type { PlantedSecret } from "./PlantedSecrets.ts"
import { spellingsOf } from "./Spellings.ts"

/** A place that somebody other than the adapter can read, and what stands in it. */
export interface Sink {
  readonly name: string
  readonly bytes: Buffer
}

/** A secret that stands in a sink. */
export interface Leak {
  readonly sink: string
  readonly place: string
  readonly spelling: string
}

export const textSink = (name: string, text: string): Sink => ({ name, bytes: Buffer.from(text, "utf8") })

/** Every planted secret that stands in `sinks`, in any standard spelling; one leak for each sink, secret and spelling. */
export const findLeaks = (sinks: Iterable<Sink>, secrets: Iterable<PlantedSecret>): ReadonlyArray<Leak> => {
  const patterns = [...secrets].flatMap(({ place, value }) =>
    spellingsOf(value).map(({ bytes, name }) => ({ place, spelling: name, bytes }))
  )
  const leaks = new Map<string, Leak>()
  for (const { bytes: content, name: sink } of sinks) {
    for (const { bytes, place, spelling } of patterns) {
      if (content.includes(bytes)) leaks.set(`${sink}\n${place}\n${spelling}`, { sink, place, spelling })
    }
  }
  return [...leaks.values()]
}
