/** The servers of one session: what is open, what failed, and what the last turn was given. */
import type { AgentCore, McpDeclaration } from "@gatehouse/catalog/cores/AgentCore"
import type { SourceDiagnostic, SourceEntries } from "@gatehouse/core/EffectSource"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { ServerSlot } from "./ServerSlot.ts"
import { isSameAuthority, type SessionIdentity } from "./SessionIdentity.ts"

/** Why a server is not tried: until `until` (milliseconds since the epoch), and only for this declaration. */
export interface FailureMemory {
  readonly digest: string
  readonly until: number
  readonly diagnostic: SourceDiagnostic
}

interface Given {
  readonly core: AgentCore
  readonly entries: SourceEntries
  /** When the first failed server may be tried again. */
  readonly retryAt: number
}

export class SessionServers {
  /** Everything that the session opened; its parts are closed side by side. */
  readonly scope: Scope.CloseableScope
  /** One preparation at a time. */
  readonly turns = Effect.unsafeMakeSemaphore(1)
  private readonly slots = new Map<string, ServerSlot>()
  private readonly failures = new Map<string, FailureMemory>()
  private identity: SessionIdentity | null = null
  private given: Given | null = null
  private ended = false

  constructor(scope: Scope.CloseableScope) {
    this.scope = scope
  }

  get isEvicted(): boolean {
    return this.ended
  }

  /** Closes everything, half-open connections too. What is prepared now gets nothing. */
  get evict(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.ended = true
      this.forget()
      return Scope.close(this.scope, Exit.void)
    })
  }

  /** What the last turn got, where it would be the same now; without looking at anything but memory. */
  unchanged(identity: Omit<SessionIdentity, "policies">, now: number): SourceEntries | null {
    const { given } = this
    if (given === null || this.identity === null || given.core !== identity.core || now >= given.retryAt) return null
    const { capabilities, principal, workspace } = this.identity
    if (
      principal !== identity.principal ||
      capabilities !== identity.capabilities ||
      workspace !== identity.workspace
    ) {
      return null
    }
    for (const slot of this.slots.values()) if (!slot.isFresh) return null
    return given.entries
  }

  /** Closes what must not be used under `identity`, or is not there any more. */
  adopt(identity: SessionIdentity): Effect.Effect<void> {
    return Effect.suspend(() => {
      const isAnother = this.identity !== null && !isSameAuthority(this.identity, identity)
      this.identity = identity
      this.given = null
      const wanted = new Map(wantedOf(identity.core).map((declaration) => [declaration.server, declaration.digest]))
      const closing: Array<ServerSlot> = []
      for (const [server, slot] of this.slots) {
        if (!isAnother && wanted.get(server) === slot.declaration.digest && slot.connection.isOpen) continue
        this.slots.delete(server)
        closing.push(slot)
      }
      for (const [server, { digest }] of this.failures) {
        if (isAnother || wanted.get(server) !== digest) this.failures.delete(server)
      }
      return Effect.forEach(closing, (slot) => slot.close, { concurrency: "unbounded", discard: true })
    })
  }

  slot(server: string): ServerSlot | null {
    return this.slots.get(server) ?? null
  }

  /** The failure that still holds at `now`. */
  failure(server: string, now: number): FailureMemory | null {
    const known = this.failures.get(server)
    if (known === undefined || now < known.until) return known ?? null
    this.failures.delete(server)
    return null
  }

  keep(server: string, slot: ServerSlot): void {
    this.failures.delete(server)
    this.slots.set(server, slot)
  }

  drop(server: string): void {
    this.slots.delete(server)
  }

  remember(server: string, failure: FailureMemory): void {
    this.failures.set(server, failure)
  }

  give(core: AgentCore, entries: SourceEntries, askAgain: boolean): void {
    const retryAt = Math.min(...[...this.failures.values()].map(({ until }) => until), Number.POSITIVE_INFINITY)
    this.given = askAgain ? null : { core, entries, retryAt }
  }

  /** Open servers, for whoever looks. */
  get open(): ReadonlyArray<ServerSlot> {
    return [...this.slots.values()]
  }

  private forget(): void {
    this.slots.clear()
    this.failures.clear()
    this.given = null
  }
}

/** The declarations that are in use, in their order. */
export const wantedOf = ({ servers }: AgentCore): ReadonlyArray<McpDeclaration> =>
  servers.filter(({ manifest }) => manifest.enabled)

/** A scope below `parent` whose finalizers run side by side. */
export const parallelScope = (parent: Scope.Scope): Effect.Effect<Scope.CloseableScope> =>
  Scope.fork(parent, ExecutionStrategy.parallel)
