/**
 * The mark that every process of a tree carries in its environment from its first instruction on. It names the spawn
 * and the host that owns it, and is signed with the key of the home: nobody else can make one, so a later start on the
 * same home recognises what is its own, and nothing else.
 */

import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto"
import { SpawnId } from "@gatehouse/core/Identifiers"
import type { ProcessTable } from "../table/ProcessTable.ts"

/** Name of the variable. */
export const markVariable = "GATEHOUSE_SPAWN"

/** A host as others see it: pid, start, and the place (boot and pid namespace) where these mean something. */
export interface HostIdentity {
  readonly pid: number
  readonly startedAt: number
  readonly place: string
}

export interface SpawnMark {
  readonly spawnId: SpawnId
  readonly owner: HostIdentity
}

/** The identity of this process; null where the table cannot show it. */
export const hostIdentity = (table: ProcessTable): HostIdentity | null => {
  const own = table.status(table.self)
  return own === null || table.place === null ? null : { pid: own.pid, startedAt: own.startedAt, place: table.place }
}

/**
 * `alive` and `dead` are certain. `elsewhere`: another pid namespace of this boot, into which this host cannot see.
 */
export const fateOf = (owner: HostIdentity, table: ProcessTable): "alive" | "dead" | "elsewhere" => {
  const [boot, here] = [bootOf(owner.place), table.place === null ? null : bootOf(table.place)]
  if (here === null) return "elsewhere"
  if (boot !== here) return "dead"
  if (owner.place !== table.place) return "elsewhere"
  const status = table.status(owner.pid)
  return status !== null && !status.gone && status.startedAt === owner.startedAt ? "alive" : "dead"
}

/** A host in text: `<pid>-<start>-<place>`; also the name of its records. */
export const formatHost = (host: HostIdentity): string => `${host.pid}-${host.startedAt}-${host.place}`

export const parseHost = (text: string): HostIdentity | null => {
  const match = /^(\d{1,10})-(\d{1,19})-([0-9A-Za-z-]{1,64})$/.exec(text)
  if (match === null) return null
  const [, pid, startedAt, place = ""] = match
  return { pid: Number(pid), startedAt: Number(startedAt), place }
}

/**
 * The spawns of one owner: they share a random beginning of their ids, and the signature over it, so that a mark costs
 * no signing at every start. A process may put another number in its place, and only moves itself to another tree of
 * the same owner by it.
 */
export interface SpawnSeries {
  /** The next id and its mark. */
  readonly next: () => { readonly spawnId: SpawnId; readonly mark: string }
}

/** `random` is twelve bytes. */
export const spawnSeries = (key: KeyObject, owner: HostIdentity, random: Uint8Array): SpawnSeries => {
  const series = `spawn_${Buffer.from(random).toString("hex")}`
  const claim = claimOf(key, series, owner)
  let count = 0
  return {
    next: () => {
      count += 1
      const spawnId = SpawnId(series + count.toString(16).padStart(countDigits, "0"))
      return { spawnId, mark: `${spawnId}.${claim}` }
    }
  }
}

/** The mark of a spawn that is known by its id and owner only. */
export const markOf = (key: KeyObject, { spawnId, owner }: SpawnMark): string =>
  `${spawnId}.${claimOf(key, spawnId.slice(0, -countDigits), owner)}`

/** What a value says, or null where this home's key did not sign it. */
export const readMark = (key: KeyObject, value: string): SpawnMark | null => {
  const [id = "", host = "", ...rest] = value.split(".")
  const owner = parseHost(host)
  if (owner === null || rest.length !== 1) return null
  const mark: SpawnMark = { spawnId: SpawnId(id), owner }
  const expected = Buffer.from(markOf(key, mark))
  const given = Buffer.from(value)
  return given.length === expected.length && timingSafeEqual(given, expected) ? mark : null
}

/** Hexadecimal digits of the number of a spawn within its series. */
const countDigits = 8

/** `<host>.<signature>`: HMAC-SHA-256, its first 128 bits in hexadecimal. */
const claimOf = (key: KeyObject, series: string, owner: HostIdentity): string => {
  const host = formatHost(owner)
  const signature = createHmac("sha256", key).update(`gatehouse spawn mark\n${series}\n${host}`).digest("hex")
  return `${host}.${signature.slice(0, 32)}`
}

const bootOf = (place: string): string => place.split("-", 1)[0] ?? place
