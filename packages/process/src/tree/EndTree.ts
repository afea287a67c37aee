/** Ends a tree: TERM, a time of grace, KILL; and looks until nobody of it is left, or says who is. */
import * as Effect from "effect/Effect"
import { afterSignal, maySignal } from "../identity/StartIdentity.ts"
import type { ProcessStatus, ProcessTable, SignalName } from "../table/ProcessTable.ts"
import { census, type ProcessTree, type TreeCensus } from "./ProcessTree.ts"

export interface EndOptions {
  readonly table: ProcessTable
  readonly tree: ProcessTree
  readonly graceMillis: number
  /** Whether the host saw the leader's end; true for trees of other hosts whose leader is not in the table. */
  readonly leaderExited: () => boolean
  /** Where members may be; see {@link placesToLook}. */
  readonly pids: () => ReadonlyArray<number>
  /** The host's own process group, which is never signalled. */
  readonly ownGroup: number
  /** Processes that are left alone whatever they belong to. */
  readonly spare: ReadonlySet<number>
}

export interface EndReport {
  /** Whether everyone who is known to belong to the tree is gone. */
  readonly confirmed: boolean
  readonly survivors: ReadonlyArray<ProcessStatus>
}

/** How long a tree may take to go after KILL: a process in uninterruptible sleep may never. */
const killWaitMillis = 2000
const shortestLookMillis = 1
const longestLookMillis = 32

/** Returns at once where nobody is there any more. Time is real time, whatever the clock says. */
export const endTree = Effect.fnUntraced(function* (options: EndOptions) {
  const ending = new Ending(options)
  if (ending.isOver()) return ending.report()
  ending.signal("TERM")
  // A stopped process acts on TERM only when it is continued.
  ending.signal("CONT")
  if (yield* ending.waitFor(options.graceMillis, null)) return ending.report()
  ending.signal("KILL")
  yield* ending.waitFor(killWaitMillis, "KILL")
  return ending.report()
})

/** What {@link endTree} says of a tree that is alone. */
export const goneReport: EndReport = { confirmed: true, survivors: [] }

/** The leader has ended, and nobody was started since it was: the common case, at the cost of one look. */
export const isAlone = ({ tree, leaderExited, pids }: EndOptions): boolean =>
  leaderExited() && pids().every((pid) => pid === tree.leader)

class Ending {
  readonly #options: EndOptions
  /** Who was sent TERM, by pid and start: once is enough, and who appears later gets its own. */
  readonly #told = new Set<string>()
  #seen: TreeCensus

  constructor(options: EndOptions) {
    this.#options = options
    this.#seen = this.#look()
  }

  #look(): TreeCensus {
    const { table, tree, pids, spare } = this.#options
    return census(table, tree, pids(), spare)
  }

  /** Nobody lives, and the group is empty or holds zombies only. */
  isOver(): boolean {
    return this.#seen.live.length === 0 && (this.#groupIsGone() || this.#seen.inGroup > 0)
  }

  #groupIsGone(): boolean {
    const { leader } = this.#options.tree
    if (leader === 0 || afterSignal(this.#options.table.signal(-leader, null)) === "gone") return true
    // The number is in use, but not by this tree.
    return !this.#seen.groupKnown && this.#options.leaderExited()
  }

  /** Looks again and again, up to `millis`; `again` is sent to whoever is still there at each look. */
  *waitFor(millis: number, again: SignalName | null) {
    let pause = shortestLookMillis
    for (let waited = 0; waited < millis; waited += pause, pause = Math.min(pause * 2, longestLookMillis)) {
      yield* Effect.sleep(Math.min(pause, millis - waited))
      this.#seen = this.#look()
      if (this.isOver()) {
        // A process that forked while the table was read may have been missed, and only then.
        this.#seen = this.#look()
        if (this.isOver()) return true
      }
      if (again !== null) this.signal(again)
      else this.#tellNewcomers()
    }
    return false
  }

  signal(name: SignalName): void {
    const { table, tree, leaderExited, ownGroup } = this.#options
    const observed = table.status(tree.leader)
    const verdict = maySignal({
      recorded: { pid: tree.leader, spawnId: tree.spawnId, start: tree.start, group: tree.leader },
      observed,
      handleSpawnId: tree.spawnId,
      leaderExited: leaderExited(),
      groupKnown: this.#seen.groupKnown,
      ownGroup
    })
    if (verdict.signal) table.signal(-tree.leader, name)
    for (const member of this.#seen.live) {
      if (name !== "KILL") this.#told.add(identityOf(member))
      if (!verdict.signal || member.group !== tree.leader) this.#signalOne(member, name)
    }
  }

  #tellNewcomers(): void {
    for (const member of this.#seen.live) {
      if (this.#told.has(identityOf(member))) continue
      this.#told.add(identityOf(member))
      this.#signalOne(member, "TERM")
      this.#signalOne(member, "CONT")
    }
  }

  #signalOne(member: ProcessStatus, name: SignalName): void {
    const { table } = this.#options
    if (table.status(member.pid)?.start === member.start) table.signal(member.pid, name)
  }

  report(): EndReport {
    return { confirmed: this.isOver(), survivors: this.#seen.live }
  }
}

const identityOf = (status: ProcessStatus): string => `${status.pid} ${status.start}`

/** How long pids can be trusted to grow: far less than a wrap of all numbers takes. */
const wrapMillis = 500

/**
 * The pids among which members of a tree can be. Numbers are given out in order, so shortly after the start only those
 * above the leader's can be; and none where the leader's is still the newest: that look costs one read.
 */
export const placesToLook = (table: ProcessTable, leader: number, ageMillis: number): ReadonlyArray<number> => {
  const newest = ageMillis < wrapMillis ? table.newestPid() : null
  if (newest === null || newest < leader) return table.pids()
  return newest === leader ? [leader] : table.pids().filter((pid) => pid >= leader)
}
