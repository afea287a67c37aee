/**
 * Puts events into their place while a group is written. It remembers the end of the chain and the last number of each
 * session, and looks them up again when another process has written in between.
 */
import type { RuntimeEvent } from "@gatehouse/core/RuntimeEvents"
import { type ChainHead, chain, wellFormed } from "../../events/EventChain.ts"
import { integer, text } from "../../Row.ts"
import { statement } from "../../Statement.ts"
import type { Connection } from "./Connection.boundary.ts"

/** A point that {@link ChainWriter.reset} goes back to. */
export interface ChainMark {
  readonly head: ChainHead | null
  /** Number before the change of each session that it touched. */
  readonly touched: Map<string, number>
}

/** Sessions whose last number is remembered. */
const rememberedSessions = 4_096

export class ChainWriter {
  readonly #connection: Connection
  readonly #sequences = new Map<string, number>()
  #head: ChainHead | null = null
  #moved = false
  #dataVersion = -1
  #mark: ChainMark = { head: null, touched: new Map() }

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** After BEGIN IMMEDIATE: nobody else can write any more, so what is looked up now holds. */
  begin(): void {
    const version = this.#connection.dataVersion()
    if (version !== this.#dataVersion) this.forget()
    this.#dataVersion = version
    this.#moved = false
  }

  mark(): ChainMark {
    this.#mark = { head: this.#head, touched: new Map() }
    return this.#mark
  }

  append(event: RuntimeEvent): void {
    this.#head ??= this.#readHead()
    const session = wellFormed(event.session)
    const last = this.#sequences.get(session) ?? this.#readSequence(session)
    if (!this.#mark.touched.has(session)) this.#mark.touched.set(session, last)
    const { position, sequence, turn, call, type, at, data, hash } = chain(this.#head, last + 1, event)
    this.#connection.all(insertEvent(position, session, sequence, turn, call, type, at, data, hash))
    this.#head = { position, hash }
    this.#moved = true
    this.#sequences.set(event.session, sequence)
  }

  /** The change since `mark` was undone. */
  reset(mark: ChainMark): void {
    this.#head = mark.head
    for (const [session, last] of mark.touched) this.#sequences.set(session, last)
  }

  /** Before COMMIT. */
  end(): void {
    if (this.#moved && this.#head !== null) this.#connection.all(updateHead(this.#head.position, this.#head.hash))
  }

  committed(): void {
    if (this.#sequences.size > rememberedSessions) this.#sequences.clear()
  }

  forget(): void {
    this.#head = null
    this.#sequences.clear()
    this.#moved = false
  }

  #readHead(): ChainHead {
    const [row] = this.#connection.all(selectHead())
    if (row === undefined) throw new Error("the store has no chain of events")
    return { position: integer(row, "end_position"), hash: text(row, "end_hash") }
  }

  #readSequence(session: string): number {
    const [row] = this.#connection.all(selectSequence(session, session))
    return row === undefined ? 0 : integer(row, "sequence")
  }
}

const insertEvent = statement(
  `INSERT INTO events (position, session, sequence, turn, call, type, at, data, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
)
const selectHead = statement("SELECT end_position, end_hash FROM event_chain WHERE id = 1")
const updateHead = statement("UPDATE event_chain SET end_position = ?, end_hash = ? WHERE id = 1")
const selectSequence = statement(
  `SELECT coalesce(
    (SELECT sequence FROM events WHERE session = ? ORDER BY position DESC LIMIT 1),
    (SELECT sequence FROM event_streams WHERE session = ?),
    0
  ) AS sequence`
)
