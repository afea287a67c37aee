/**
 * Names of things that live longer than a function call.
 *
 * Each is a nominal string: a `SessionId` cannot be passed where a `TurnId` is wanted. Ids are made by
 * {@link makeIdentifier} (random, 128 bits, lower-case hexadecimal behind a short prefix) and never from request data.
 */

import { randomBytes } from "node:crypto"
import * as Brand from "effect/Brand"
import * as Context from "effect/Context"

export type TurnId = string & Brand.Brand<"TurnId">
export const TurnId = Brand.nominal<TurnId>()

export type SessionId = string & Brand.Brand<"SessionId">
export const SessionId = Brand.nominal<SessionId>()

export type CallId = string & Brand.Brand<"CallId">
export const CallId = Brand.nominal<CallId>()

/** A fingerprint of all entries of a catalog: two catalogs with one id are the same catalog. */
export type CatalogId = string & Brand.Brand<"CatalogId">
export const CatalogId = Brand.nominal<CatalogId>()

export type PrincipalId = string & Brand.Brand<"PrincipalId">
export const PrincipalId = Brand.nominal<PrincipalId>()

export type ApprovalId = string & Brand.Brand<"ApprovalId">
export const ApprovalId = Brand.nominal<ApprovalId>()

export type TaskId = string & Brand.Brand<"TaskId">
export const TaskId = Brand.nominal<TaskId>()

export type ArtifactId = string & Brand.Brand<"ArtifactId">
export const ArtifactId = Brand.nominal<ArtifactId>()

/** Marks one spawned process tree; also stands in the environment of its members. */
export type SpawnId = string & Brand.Brand<"SpawnId">
export const SpawnId = Brand.nominal<SpawnId>()

/** The revision of an agent core: the Git revision with a digest of what is uncommitted, else a digest of the tree. */
export type CoreRevision = string & Brand.Brand<"CoreRevision">
export const CoreRevision = Brand.nominal<CoreRevision>()

/** Where random bytes come from; a test may put a counter in its place. */
export class Entropy extends Context.Reference<Entropy>()("@gatehouse/core/Entropy", {
  defaultValue: () => ({ bytes: pooledBytes() })
}) {}

/** Bytes that are drawn from the system at once: drawing a few costs as much as drawing thousands. */
const poolBytes = 4096

/** Each byte is given out once. */
const pooledBytes = (): ((count: number) => Uint8Array) => {
  let pool = Buffer.alloc(0)
  let used = 0
  return (count) => {
    if (count > poolBytes) return randomBytes(count)
    if (used + count > pool.length) {
      pool = randomBytes(poolBytes)
      used = 0
    }
    used += count
    return Uint8Array.prototype.slice.call(pool, used - count, used)
  }
}

/**
 * A fresh identifier: `prefix`, an underscore, and 128 random bits in hexadecimal.
 *
 * @example
 * const id = CallId(makeIdentifier("call", entropy))
 */
export const makeIdentifier = (prefix: string, entropy: Context.Tag.Service<typeof Entropy>): string =>
  `${prefix}_${Buffer.from(entropy.bytes(16)).toString("hex")}`
