/**
 * The chain that makes a changed or missing event visible: every event carries the SHA-256 of the hash before it and
 * of its own fields. Pure; whoever has an export can check it without a key.
 */

import * as crypto from "node:crypto"
import { createHash } from "node:crypto"
import { CallId, SessionId, TurnId } from "@gatehouse/core/Identifiers"
import type { RuntimeEvent } from "@gatehouse/core/RuntimeEvents"

/** The last event of a chain, or where a chain begins. */
export interface ChainHead {
  /** Counts all events of the store from 1, without gaps. */
  readonly position: number
  /** Lower-case hexadecimal, 64 characters. */
  readonly hash: string
}

/** Before the first event. */
export const chainStart: ChainHead = { position: 0, hash: "0".repeat(64) }

/** An event in its place. `data` is the JSON text that was hashed, so that no rendering can change it. */
export interface ChainedEvent {
  readonly position: number
  readonly session: SessionId
  /** Counts the events of the session from 1, without gaps. */
  readonly sequence: number
  readonly turn: TurnId | null
  readonly call: CallId | null
  readonly type: string
  readonly at: number
  readonly data: string
  readonly hash: string
}

/** `event` as the next one after `head`, the `sequence`-th of its session. */
export const chain = (head: ChainHead, sequence: number, event: RuntimeEvent): ChainedEvent => {
  const placed = {
    position: head.position + 1,
    session: SessionId(wellFormed(event.session)),
    sequence,
    turn: event.turn === null ? null : TurnId(wellFormed(event.turn)),
    call: event.call === null ? null : CallId(wellFormed(event.call)),
    type: wellFormed(event.type),
    at: Math.trunc(event.at),
    data: JSON.stringify(event.data)
  }
  return { ...placed, hash: linkHash(head.hash, placed) }
}

/**
 * The hash of an event behind `previous`: SHA-256 over the hash before it, a line break, the JSON text of
 * `[position, session, sequence, turn, call, type, at]`, a line break, and the data's text.
 */
export const linkHash = (previous: string, event: Omit<ChainedEvent, "hash">): string => {
  const { position, session, sequence, turn, call, type, at, data } = event
  const header = JSON.stringify([position, session, sequence, turn, call, type, at])
  return sha256(`${previous}\n${header}\n${data}`)
}

/** In one step where Node can (from 20.12): that halves what it costs. */
const sha256 = (value: string): string =>
  "hash" in crypto ? crypto.hash("sha256", value, "hex") : createHash("sha256").update(value).digest("hex")

/** `value` as it is kept: halves of surrogate pairs do not survive UTF-8, and what does not survive would look changed. */
export const wellFormed = (value: string): string => value.replace(/\p{Surrogate}/gu, "\ufffd")

export interface ChainFault {
  readonly position: number
  readonly problem: "changed" | "missing" | "added" | "sequence"
  readonly message: string
}

/** Walks a chain from `start`. Holds one number a session and the first {@link shownFaults} faults. */
export interface ChainWalk {
  readonly visit: (event: ChainedEvent) => void
  /** Compares the end with the head that the store keeps apart; `stray` is an event that stands outside the chain. */
  readonly finish: (head: ChainHead, stray: number | null) => ChainVerdict
}

export interface ChainVerdict {
  readonly sound: boolean
  readonly checked: number
  /** Position that the chain begins after: what retention took before it is gone by intention. */
  readonly after: number
  readonly head: ChainHead
  readonly faultCount: number
  /** The first {@link shownFaults}. */
  readonly faults: ReadonlyArray<ChainFault>
}

export const shownFaults = 20

export const walkChain = (start: ChainHead): ChainWalk => {
  const sequences = new Map<string, number>()
  const faults: Array<ChainFault> = []
  let faultCount = 0
  let checked = 0
  let last = start

  const report = (position: number, problem: ChainFault["problem"], message: string): void => {
    faultCount += 1
    if (faults.length < shownFaults) faults.push({ position, problem, message })
  }
  const visit = (event: ChainedEvent): void => {
    checked += 1
    const gap = event.position - last.position
    if (gap !== 1) {
      report(last.position + 1, "missing", `events ${last.position + 1} to ${event.position - 1} are missing`)
    } else if (linkHash(last.hash, event) !== event.hash) {
      report(event.position, "changed", `event ${event.position} is not the one that was written`)
    }
    const expected = sequences.get(event.session)
    // A chain that retention has shortened begins in the middle of its sessions.
    const whole = expected === undefined ? start.position > 0 || event.sequence === 1 : event.sequence === expected
    if (!whole && gap === 1) report(event.position, "sequence", `event ${event.position} is out of its session's order`)
    sequences.set(event.session, event.sequence + 1)
    last = { position: event.position, hash: event.hash }
  }
  const finish = (head: ChainHead, stray: number | null): ChainVerdict => {
    if (stray !== null) report(stray, "added", `event ${stray} stands outside the chain`)
    if (last.position < head.position) {
      report(last.position + 1, "missing", `events ${last.position + 1} to ${head.position} are missing`)
    } else if (last.position !== head.position || last.hash !== head.hash) {
      report(last.position, "changed", `event ${last.position} is not the one that the log ended with`)
    }
    return { sound: faultCount === 0, checked, after: start.position, head, faultCount, faults }
  }
  return { visit, finish }
}
