/**
 * What a host is running, written down where its successor finds it: one file a host, in slots of fixed size, so that
 * it does not grow with the number of commands. Nothing is synchronised to the disk: what a killed host wrote is in the
 * kernel's hands, and after a power cut none of its processes is left to be found.
 */

import {
  chmodSync,
  closeSync,
  fchmodSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { formatHost, type HostIdentity, parseHost } from "../identity/SpawnMark.ts"
import type { SweepReport } from "../Processes.ts"

const SpawnRecord = Schema.Struct({
  spawnId: Schema.String,
  label: Schema.String,
  /** Null from before the start until its pid is known. */
  pid: Schema.NullOr(Schema.Number),
  start: Schema.NullOr(Schema.String),
  startedAt: Schema.NullOr(Schema.Number),
  /** Just before the start, in the unit of `startedAt`. */
  begunAt: Schema.NullOr(Schema.Number),
  /** What the host's limits were; see `identity/LimitMark.ts`. */
  limits: Schema.NullOr(Schema.Struct({ pendingSignals: Schema.Number, messageQueue: Schema.Number }))
})
/** One spawn as it was written down. */
export type SpawnRecord = typeof SpawnRecord.Type

/** What one host left. */
export interface HostRecords {
  readonly host: HostIdentity
  readonly path: string
  readonly records: ReadonlyArray<SpawnRecord>
}

const extension = ".spawns"
const reportName = "last-sweep.json"
/**
 * Bytes of a slot, line end included. A page of memory holds a whole number of them: a write within one page is done
 * or not done when its process is killed.
 */
const slotBytes = 512
/** Characters of a label that are kept. */
const labelLength = 60

/** The records of this host. Every method throws what the file system says. */
export class SpawnRecords {
  readonly #path: string
  readonly #file: number
  readonly #used = new Set<number>()

  /** Creates the file; `name` tells apart several owners in one process. */
  constructor(folder: string, host: HostIdentity, name: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    this.#path = join(folder, `${formatHost(host)}.${name}${extension}`)
    this.#file = openSync(this.#path, "wx", 0o600)
    fchmodSync(this.#file, 0o600)
  }

  /** Before the start: whoever finds this without a pid looks for the child by its marks. Answers the slot. */
  begin(record: SpawnRecord): number {
    let slot = 0
    while (this.#used.has(slot)) slot += 1
    this.#write(slot, record)
    this.#used.add(slot)
    return slot
  }

  started(slot: number, record: SpawnRecord): void {
    this.#write(slot, record)
  }

  /**
   * Nothing is left of the spawn. What stands in its slot until the next one takes it names a start that no process
   * has any more, so it need not be wiped.
   */
  release(slot: number): void {
    this.#used.delete(slot)
  }

  /** Removes the file, unless something is written down that may still run. */
  close(): void {
    closeSync(this.#file)
    if (this.#used.size === 0) unlinkSync(this.#path)
  }

  #write(slot: number, record: SpawnRecord): void {
    const text = JSON.stringify({ ...record, label: plain(record.label) })
    writeSync(this.#file, `${text.padEnd(slotBytes - 1)}\n`, slot * slotBytes, "latin1")
  }
}

/** One byte a character, so that every label fits the slot. */
const plain = (label: string): string => label.slice(0, labelLength).replace(/[^ !#-[\]-~]/g, "?")

const decodeRecord = Schema.decodeUnknownOption(Schema.parseJson(SpawnRecord))

/** The records of all hosts that left any, this one's included. */
export const readHostRecords = (folder: string): ReadonlyArray<HostRecords> => {
  const found: Array<HostRecords> = []
  for (const name of namesIn(folder)) {
    const host = name.endsWith(extension) ? parseHost(name.slice(0, name.indexOf("."))) : null
    if (host === null) continue
    const path = join(folder, name)
    // A line that is half written when its host is killed says nothing; the mark in the process still does.
    const records = linesOf(path).flatMap((line) => {
      const record = decodeRecord(line)
      return record._tag === "Some" ? [record.value] : []
    })
    found.push({ host, path, records })
  }
  return found
}

/** Another start may have removed it first. */
export const removeRecords = (path: string): void => {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

const SweptProcess = Schema.Struct({
  pid: Schema.Number,
  name: Schema.String,
  spawnId: Schema.String,
  label: Schema.NullOr(Schema.String)
})
const Report = Schema.parseJson(
  Schema.Struct({
    at: Schema.Number,
    ended: Schema.Array(SweptProcess),
    survivors: Schema.Array(Schema.Struct({ ...SweptProcess.fields, why: Schema.String }))
  })
)

/** Keeps what a sweep did, in one step. */
export const writeReport = (folder: string, report: SweepReport, name: string): void => {
  const draft = join(folder, `${reportName}.${name}`)
  writeFileSync(draft, Schema.encodeSync(Report)(report), { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, join(folder, reportName))
}

/** The last report; null where there is none, or none that can be read. */
export const readReport = (folder: string): SweepReport | null => {
  const report = Schema.decodeUnknownOption(Report)(linesOf(join(folder, reportName)).join("\n"))
  return report._tag === "Some" ? report.value : null
}

const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

const linesOf = (path: string): ReadonlyArray<string> => {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "")
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"
