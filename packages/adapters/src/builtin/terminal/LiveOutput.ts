/**
 * Passes on what a command prints to whoever watches, as much of it as a person can follow. What is left out here is
 * in the result's tail and in the artifact.
 */

/** Characters of one stream that are passed on for each second of the command, and at once. */
const charactersPerSecond = 100_000
const burst = 200_000

const gap = "\n[… output left out …]\n"

export type Watch = (stream: "stdout" | "stderr", text: string) => void

/** `now` gives milliseconds. */
export const bounded = (watch: Watch, now: () => number): Watch => {
  const budgets = { stdout: budget(now), stderr: budget(now) }
  return (stream, text) => {
    const { allowed, skipped } = budgets[stream](text.length)
    if (allowed) watch(stream, text)
    else if (skipped) watch(stream, gap)
  }
}

/** A bucket that fills by time. `skipped` once for each gap. */
const budget = (now: () => number) => {
  let left = burst
  let filledAt = now()
  let inGap = false
  return (wanted: number): { readonly allowed: boolean; readonly skipped: boolean } => {
    const at = now()
    left = Math.min(burst, left + ((at - filledAt) / 1000) * charactersPerSecond)
    filledAt = at
    const allowed = wanted <= left
    const skipped = !allowed && !inGap
    if (allowed) left -= wanted
    inGap = !allowed
    return { allowed, skipped }
  }
}
