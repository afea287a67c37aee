/**
 * Whether a recorded process is still the one that a pid or a group number means. A pid is given out again after its
 * owner is gone, so no signal is sent on a number alone. Pure; cases `identity` of
 * `test/vectors/process-lifecycle.json`.
 */

/** What was written down when a tree was started. */
export interface RecordedIdentity {
  readonly pid: number
  readonly spawnId: string
  /** Start marker of the leader; null where none could be read. */
  readonly start: string | null
  readonly group: number
}

/** What the process table shows under the recorded pid; null where it shows nothing. */
export interface ObservedIdentity {
  readonly pid: number
  readonly start: string | null
  readonly group: number
}

export interface SignalQuestion {
  readonly recorded: RecordedIdentity
  readonly observed: ObservedIdentity | null
  /** The spawn that the asking handle was made for. */
  readonly handleSpawnId: string
  /** The host saw the leader's end itself: the pid is free, and what it shows now is somebody else. */
  readonly leaderExited: boolean
  /** A live process of the group is known to be of this spawn: by its mark, or because it never was out of sight. */
  readonly groupKnown: boolean
  /** The host's own process group, which is never signalled. */
  readonly ownGroup: number
}

export type SignalVerdict =
  | { readonly signal: true; readonly target: "group" }
  | { readonly signal: false; readonly why: string }

const refuse = (why: string): SignalVerdict => ({ signal: false, why })

/**
 * Whether TERM or KILL may go to the recorded group now.
 *
 * @example
 * maySignal({ ...question, observed: { pid: 4312, start: "boot-a:9999", group: 4312 } })
 * // { signal: false, why: "the start marker differs: the pid was given to another process" }
 */
export const maySignal = (question: SignalQuestion): SignalVerdict => {
  const { recorded, observed } = question
  if (!isOwnable(recorded.pid) || !isOwnable(recorded.group)) return refuse("the recorded numbers are no child's")
  if (recorded.group === question.ownGroup) return refuse("the recorded group is the host's own")
  if (recorded.spawnId !== question.handleSpawnId) return refuse("the handle belongs to another spawn")
  if (recorded.start === null) return refuse("no start marker was recorded")
  if (observed !== null) {
    if (observed.pid !== recorded.pid) return refuse("another pid was observed")
    if (observed.start === null) return refuse("the start marker cannot be read")
    if (observed.start !== recorded.start) {
      return refuse("the start marker differs: the pid was given to another process")
    }
    if (observed.group !== recorded.group) return refuse("the process is in another group than it was started in")
    return { signal: true, target: "group" }
  }
  if (!question.leaderExited) return refuse("the process table does not show a leader whose end was not seen")
  if (!question.groupKnown) return refuse("nothing is left that is known to be of this spawn")
  return { signal: true, target: "group" }
}

/** What binding a fresh child to its start marker gives. */
export type BindVerdict =
  | { readonly bind: "accepted"; readonly start: string }
  /** The child must be undone through the handle that started it, which is still sure of its pid. */
  | { readonly bind: "refused"; readonly why: string }

/** `start` is what could be read of the child; `exited`: the host saw its end before it could look. */
export const bindStart = (spawnId: string, start: string | null, exited: boolean): BindVerdict => {
  if (start !== null) return { bind: "accepted", start }
  if (exited) return { bind: "accepted", start: `exited-before-observation:${spawnId}` }
  return { bind: "refused", why: "no start marker could be read for a process that still runs" }
}

/** What is known of a process after a signal was tried. A refused signal is no proof of death. */
export const afterSignal = (answer: "sent" | "gone" | "refused"): "pending" | "gone" | "indeterminate" =>
  answer === "sent" ? "pending" : answer === "gone" ? "gone" : "indeterminate"

/** 0 means one's own group to kill(2), 1 is init, and -1 everybody. */
const isOwnable = (number: number): boolean => Number.isSafeInteger(number) && number > 1
