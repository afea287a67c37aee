/**
 * Which processes belong to one spawn: its group, its session, whoever carries its mark, and their descendants. What
 * was looked at is a snapshot; whoever ends a tree looks again until nobody is left.
 */
import { markVariable } from "../identity/SpawnMark.ts"
import type { ProcessStatus, ProcessTable } from "../table/ProcessTable.ts"

export interface ProcessTree {
  readonly spawnId: string
  /** Pid, group and session of the leader; 0 where a tree is known by its mark only. */
  readonly leader: number
  /** Start marker of the leader; null where it is not known. */
  readonly start: string | null
  /** Nothing that started before belongs to it. */
  readonly startedAt: number
  /** Whole value of the mark. */
  readonly mark: string
  /** Start markers by pid of whoever was seen to belong: what stays in sight needs no other proof. */
  readonly known: Map<number, string>
  /**
   * When the host saw the leader's end; null until then. The leader's pid was nobody else's before, and a session is
   * only entered by birth: who is in the session and was born before that moment is of this tree.
   */
  leaderEndedAt: number | null
}

export interface TreeCensus {
  /** Members that run; zombies are not among them. */
  readonly live: ReadonlyArray<ProcessStatus>
  /** Whether the group's number is certain to mean this tree: its leader is there, or a member that is known. */
  readonly groupKnown: boolean
  /** Members of the group, zombies included. */
  readonly inGroup: number
}

/** Looks at `pids`, and remembers in `tree.known` who belongs. Nobody in `spare` ever does. */
export const census = (
  table: ProcessTable,
  tree: ProcessTree,
  pids: ReadonlyArray<number>,
  spare: ReadonlySet<number>
): TreeCensus => {
  const statuses: Array<ProcessStatus> = []
  for (const pid of pids) {
    const status = spare.has(pid) ? null : table.status(pid)
    if (status !== null && status.startedAt >= tree.startedAt) statuses.push(status)
  }
  const members = new Map<number, ProcessStatus>()
  for (const status of statuses) if (isProven(table, tree, status)) members.set(status.pid, status)
  const groupKnown = [...members.values()].some((status) => isNumbered(tree, status))
  if (groupKnown) for (const status of statuses) if (isNumbered(tree, status)) members.set(status.pid, status)
  addDescendants(members, statuses)

  tree.known.clear()
  for (const member of members.values()) tree.known.set(member.pid, member.start)
  const all = [...members.values()]
  return {
    live: all.filter((status) => !status.gone),
    groupKnown,
    inGroup: all.filter((status) => status.group === tree.leader).length
  }
}

/** Whether the process bears the leader's number as its group or session. By itself that proves nothing. */
const isNumbered = (tree: ProcessTree, status: ProcessStatus): boolean =>
  tree.leader !== 0 && (status.group === tree.leader || status.session === tree.leader)

/** The cheap proofs first: a mark has to be read. */
const isProven = (table: ProcessTable, tree: ProcessTree, status: ProcessStatus): boolean => {
  if (status.pid === tree.leader && status.start === tree.start) return true
  if (tree.known.get(status.pid) === status.start) return true
  const { leaderEndedAt } = tree
  if (leaderEndedAt !== null && status.session === tree.leader && status.startedAt <= leaderEndedAt) return true
  return table.variable(status.pid, markVariable) === tree.mark
}

/** Children of members are members, however far they went. */
const addDescendants = (members: Map<number, ProcessStatus>, statuses: ReadonlyArray<ProcessStatus>): void => {
  for (let grown = members.size > 0; grown; ) {
    grown = false
    for (const status of statuses) {
      if (members.has(status.pid) || !members.has(status.parent)) continue
      members.set(status.pid, status)
      grown = true
    }
  }
}
