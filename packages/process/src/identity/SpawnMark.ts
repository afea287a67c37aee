/**
 * The mark that every process of a tree carries in its environment from its first instruction on. It names the spawn
 * and the host that owns it, and is signed with the key of the home: nobody else can make one, so a later start on the
 * same home recognises what is its own, and nothing else.
 */

import { createHmac, timingSafeEqual } from "node:crypto"
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

/** The value of the variable: `<spawn id>.<host>.<signature>`. */
export const signMark = (key: Uint8Array, mark: SpawnMark): string => {
  const claim = `${mark.spawnId}.${formatHost(mark.owner)}`
  return `${claim}.${signature(key, claim)}`
}

/** What a value says, or null where this home's key did not sign it. */
export const readMark = (key: Uint8Array, value: string): SpawnMark | null => {
  const [id, host, signed, ...rest] = value.split(".")
  if (id === undefined || host === undefined || signed === undefined || rest.length > 0) return null
  const expected = Buffer.from(signature(key, `${id}.${host}`))
  const given = Buffer.from(signed)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const owner = parseHost(host)
  return owner === null ? null : { spawnId: SpawnId(id), owner }
}

/** HMAC-SHA-256, its first 128 bits in hexadecimal. */
const signature = (key: Uint8Array, claim: string): string =>
  createHmac("sha256", key).update(`gatehouse spawn mark\n${claim}`).digest("hex").slice(0, 32)

const bootOf = (place: string): string => place.split("-", 1)[0] ?? place
