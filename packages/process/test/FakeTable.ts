/** A process table that a test writes, with the signals that were sent to it. */
import { markVariable } from "@gatehouse/process/identity/SpawnMark"
import type { ProcessStatus, ProcessTable, SignalAnswer, SignalName } from "@gatehouse/process/table/ProcessTable"

interface FakeProcess extends ProcessStatus {
  readonly mark: string | null
  /** Signals that it does not react to. */
  readonly deaf: ReadonlyArray<SignalName>
}

export class FakeTable implements ProcessTable {
  readonly missing = null
  readonly self = 2
  readonly place: string | null
  readonly processes = new Map<number, FakeProcess>()
  /** In order: `TERM 12`, `KILL -12`. */
  readonly sent: Array<string> = []
  /** Called before each look at the list of pids, so that a test can change the world in between. */
  beforeLook: () => void = () => {}

  constructor({ place = "boot-1" }: { readonly place?: string | null } = {}) {
    this.place = place
    this.add({ pid: 2, startedAt: 0 })
  }

  add(process: Partial<FakeProcess> & { readonly pid: number }): void {
    const { pid } = process
    const startedAt = process.startedAt ?? pid
    this.processes.set(pid, {
      name: "fake",
      gone: false,
      parent: 1,
      group: pid,
      session: pid,
      start: `boot:${startedAt}`,
      startedAt,
      mark: null,
      deaf: [],
      ...process
    })
  }

  readonly status = (pid: number): ProcessStatus | null => this.processes.get(pid) ?? null
  readonly pids = (): ReadonlyArray<number> => {
    this.beforeLook()
    return [...this.processes.keys()]
  }
  readonly newestPid = (): number | null => null
  readonly now = (): number | null => 1_000_000
  readonly limits = () => null
  readonly variable = (pid: number, name: string): string | null =>
    name === markVariable ? (this.processes.get(pid)?.mark ?? null) : null

  readonly signal = (target: number, name: SignalName | null): SignalAnswer => {
    const hit = [...this.processes.values()].filter(({ group, pid }) =>
      target < 0 ? group === -target : pid === target
    )
    if (hit.length === 0) return "gone"
    if (name === null) return "sent"
    this.sent.push(`${name} ${target}`)
    for (const { deaf, pid } of hit) if (name !== "CONT" && !deaf.includes(name)) this.processes.delete(pid)
    return "sent"
  }
}
