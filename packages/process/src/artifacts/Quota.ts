/** Which artifacts go when room is needed: the oldest first, and never one that is in use. */

/** Bytes that all artifacts of a home take together at most, unless the host says otherwise: 4 GiB. */
export const defaultQuotaBytes = 4 * 1024 * 1024 * 1024

export interface Occupant {
  /** Bytes on disk. */
  readonly bytes: number
  readonly createdAt: number
  readonly inUse: boolean
}

export interface Clearance<A> {
  readonly remove: ReadonlyArray<A>
  /** Bytes that are left then; more than were allowed where what is in use is too much by itself. */
  readonly remaining: number
}

/** What has to go so that `bytes` or less remain. */
export const clearance = <A extends Occupant>(occupants: ReadonlyArray<A>, bytes: number): Clearance<A> => {
  let remaining = occupants.reduce((sum, occupant) => sum + occupant.bytes, 0)
  const remove: Array<A> = []
  const oldestFirst = occupants.filter(({ inUse }) => !inUse).sort((left, right) => left.createdAt - right.createdAt)
  for (const occupant of oldestFirst) {
    if (remaining <= bytes) break
    remove.push(occupant)
    remaining -= occupant.bytes
  }
  return { remove, remaining }
}
