/**
 * The servers of all sessions: opened when a turn needs them, kept while nothing about their authority changes, and
 * closed with their session or with the host.
 */
import type { AgentCore, McpDeclaration } from "@gatehouse/catalog/cores/AgentCore"
import { nameTools } from "@gatehouse/catalog/names/ToolNames"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import type { SourceDiagnostic, SourceEntries, SourceEntry } from "@gatehouse/core/EffectSource"
import type { Gate } from "@gatehouse/core/Gate"
import { Home } from "@gatehouse/core/Home"
import type { SessionId } from "@gatehouse/core/Identifiers"
import { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import { mergePolicy } from "@gatehouse/policy/approvals/PolicyMerge"
import { EnvironmentPolicy } from "@gatehouse/policy/environment/EnvironmentPolicy"
import type { EnvironmentHost } from "@gatehouse/policy/environment/HostEnvironment"
import { SafeHttp } from "@gatehouse/policy/http/SafeHttp"
import { Workspaces } from "@gatehouse/policy/paths/Workspaces"
import { Redactor } from "@gatehouse/policy/redaction/Redactor"
import { CoreEgress } from "@gatehouse/policy/urls/CoreEgress"
import { UrlPolicy } from "@gatehouse/policy/urls/UrlPolicy"
import { Artifacts } from "@gatehouse/process/Artifacts"
import { Processes } from "@gatehouse/process/Processes"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { makeArgumentSchemas } from "../arguments/ArgumentSchemas.ts"
import type { CallServices } from "./calls/CallEntry.ts"
import { connectEntry } from "./connect/ConnectEntry.ts"
import { type ConnectAttempt, type EstablishServices, establish } from "./connections/Establish.ts"
import { FairSlots } from "./connections/FairSlots.ts"
import type { ServerSlot } from "./connections/ServerSlot.ts"
import { type IdentitySettings, identityOf } from "./connections/SessionIdentity.ts"
import { parallelScope, SessionServers, wantedOf } from "./connections/SessionServers.ts"
import { PinBook } from "./pins/PinBook.ts"
import { ServerQuestions } from "./ServerQuestions.ts"

export interface McpConnectionsOptions extends Pick<IdentitySettings, "global"> {
  /** The host's own variables: what `${NAME}` in declarations stands for. */
  readonly environment: EnvironmentHost["hostEnvironment"]
  readonly platform: EnvironmentHost["platform"]
  /** Bytes of one message of a server. Default: {@link defaultMessageLimit}. */
  readonly messageLimit?: number
}

/** Bytes that one message of a server may take. */
export const defaultMessageLimit = 10 * 1024 * 1024

/** Servers in discovery or connect at once, over the whole runtime and all sessions (design, numbers). */
export const discoveryLimit = 4

/** Milliseconds for which a failed server is not tried again, and at most, where it asks for more (design, numbers). */
export const failureMillis = 30_000
const retryAfterLimitMillis = 300_000

/** A server of a session, as `gatehouse mcp list` shows it. */
export interface OpenServer {
  readonly server: string
  readonly tools: number
  readonly protocolVersion: string
  /** What the server calls itself. */
  readonly claims: string
  readonly pid: number | null
  readonly isOpen: boolean
}

export class McpConnections extends Context.Tag("@gatehouse/adapters/McpConnections")<
  McpConnections,
  {
    /**
     * The entries of a turn. Servers that are not open are opened through `gate`; what is unchanged since the session's
     * last turn is the same object.
     */
    readonly prepare: (turn: TurnContext, core: AgentCore, gate: Gate) => Effect.Effect<SourceEntries>
    /** Closes what `session` has open, and what is being opened for it. */
    readonly evict: (session: SessionId) => Effect.Effect<void>
    /** `session` is evicted when the scope closes: for sessions that end with something else, a delegated child's say. */
    readonly bound: (session: SessionId) => Effect.Effect<void, never, Scope.Scope>
    readonly list: (session: SessionId) => Effect.Effect<ReadonlyArray<OpenServer>>
    /** Whether a server of `session` said that its tools changed, or is gone, since its last turn was prepared. */
    readonly isStale: (session: SessionId) => Effect.Effect<boolean>
    /** Takes the definitions that the open server lists now as they are. False where they could not be kept. */
    readonly acceptDefinitions: (session: SessionId, server: string) => Effect.Effect<boolean>
  }
>() {
  /** Everything that is open is closed with the layer, side by side. */
  static readonly layer = (options: McpConnectionsOptions) => Layer.scoped(McpConnections, make(options))
}

const make = Effect.fnUntraced(function* (options: McpConnectionsOptions) {
  const home = yield* Home
  const host: EnvironmentHost = { hostEnvironment: options.environment, platform: options.platform }
  const workspaces = yield* Workspaces
  const environments = yield* EnvironmentPolicy
  const redactor = yield* Redactor
  const judges = {
    workspaces,
    urls: yield* UrlPolicy,
    core: yield* CoreEgress,
    environments,
    host,
    key: home.key
  }
  const pins = new PinBook(home.root)
  const identitySettings: IdentitySettings = { merge: mergePolicy, global: options.global }
  const calls: CallServices = {
    artifacts: yield* Artifacts,
    schemas: makeArgumentSchemas(),
    onCalled: (connection, tool) => accepted(sessions.get(connection.session), connection.declaration.server, tool.name)
  }
  const opening: EstablishServices = {
    home,
    host,
    processes: yield* Processes,
    http: yield* SafeHttp,
    environments,
    workspaces,
    redactor,
    events: yield* RuntimeEvents,
    questions: yield* ServerQuestions,
    messageLimit: options.messageLimit ?? defaultMessageLimit,
    slots: new FairSlots(discoveryLimit)
  }
  const root = yield* Effect.acquireRelease(Scope.make(ExecutionStrategy.parallel), (scope) =>
    Scope.close(scope, Exit.void)
  )
  const sessions = new Map<SessionId, SessionServers>()

  const accepted = (session: SessionServers | undefined, server: string, tool: string): Effect.Effect<void> =>
    Effect.sync(() => session?.slot(server)?.acceptCalled(pins, tool))

  const serversOf = (session: SessionId): Effect.Effect<SessionServers> =>
    Effect.suspend(() => {
      const known = sessions.get(session)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.map(parallelScope(root), (scope) => {
        const made = sessions.get(session) ?? new SessionServers(scope)
        sessions.set(session, made)
        return made
      })
    })

  const prepare = (turn: TurnContext, core: AgentCore, gate: Gate): Effect.Effect<SourceEntries> =>
    Effect.gen(function* () {
      const session = yield* serversOf(turn.session)
      const { capabilities, principal, workspace } = turn
      const now = yield* Clock.currentTimeMillis
      const kept = session.unchanged({ principal, capabilities: capabilities.fingerprint, workspace, core }, now)
      return kept ?? (yield* session.turns.withPermits(1)(discover(session, turn, core, gate)))
    })

  /** Servers are looked at side by side; what was opened for a turn that is not to be is closed again. */
  const discover = (
    session: SessionServers,
    turn: TurnContext,
    core: AgentCore,
    gate: Gate
  ): Effect.Effect<SourceEntries> =>
    Effect.gen(function* () {
      if (session.isEvicted) return evictedEntries
      yield* session.adopt(identityOf(turn, core, identitySettings))
      const fresh: Array<ServerSlot> = []
      const outcomes = yield* Effect.forEach(
        wantedOf(core),
        (declaration) => lookAt(declaration, session, turn, gate, fresh),
        { concurrency: "unbounded" }
      ).pipe(Effect.onInterrupt(() => closeAll(fresh)))
      if (session.isEvicted) return yield* Effect.as(closeAll(fresh), evictedEntries)
      for (const slot of fresh) session.keep(slot.declaration.server, slot)
      checkPins(session.open, core.root)
      const entries = entriesOf(session, core, outcomes)
      session.give(
        core,
        entries,
        outcomes.some(({ askAgain }) => askAgain)
      )
      return entries
    })

  const lookAt = (
    declaration: McpDeclaration,
    session: SessionServers,
    turn: TurnContext,
    gate: Gate,
    fresh: Array<ServerSlot>
  ): Effect.Effect<Outcome> =>
    Effect.gen(function* () {
      const { server } = declaration
      const slot = session.slot(server)
      if (slot?.isFresh === true) return fine
      if (slot !== null) return yield* listAgain(slot, session, turn)
      const failure = session.failure(server, yield* Clock.currentTimeMillis)
      if (failure !== null) return { diagnostic: failure.diagnostic, askAgain: false }
      const attempt: ConnectAttempt = { slot: null, said: "", retryAfterSeconds: 0 }
      const entry = connectEntry(declaration, judges, (authorized) =>
        establish(declaration, authorized, session.scope, attempt, opening)
      )
      const result = yield* Effect.onInterrupt(gate.pass(entry, {}), () => attempt.slot?.close ?? Effect.void)
      const opened = attempt.slot
      if (result.status === "succeeded" && opened !== null) {
        fresh.push(opened)
        return fine
      }
      if (opened !== null) yield* opened.close
      return yield* notOpened(declaration, session, result, attempt)
    })

  const notOpened = (
    declaration: McpDeclaration,
    session: SessionServers,
    result: EffectResult,
    attempt: ConnectAttempt
  ): Effect.Effect<Outcome> =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const diagnostic = connectDiagnostic(declaration, result, attempt.said)
      // What never began is no failure of the server: it is looked at anew in the next turn.
      if (!result.executionStarted || result.status === "cancelled") return { diagnostic, askAgain: true }
      const wait = Math.min(Math.max(failureMillis, attempt.retryAfterSeconds * 1_000), retryAfterLimitMillis)
      session.remember(declaration.server, { digest: declaration.digest, until: now + wait, diagnostic })
      return { diagnostic, askAgain: false }
    })

  /** The server said that its tools are others: the connection is approved, so it is only listed. */
  const listAgain = (slot: ServerSlot, session: SessionServers, turn: TurnContext): Effect.Effect<Outcome> =>
    Effect.gen(function* () {
      const { declaration } = slot
      const seconds = declaration.manifest.connect_timeout_seconds
      slot.rememberCount()
      const listed = yield* opening.slots
        .within(turn.session, Effect.timeoutOption(Effect.either(slot.connection.list()), seconds * 1_000))
        .pipe(Effect.onInterrupt(() => Effect.sync(() => slot.connection.markStale())))
      if (listed._tag === "Some" && listed.value._tag === "Right") return fine
      session.drop(declaration.server)
      yield* slot.close
      const why =
        listed._tag === "None" ? `did not list its tools within ${seconds} s` : "could not list its tools again"
      const diagnostic = failed(declaration, why, "it is opened again in 30 s, after the question")
      const now = yield* Clock.currentTimeMillis
      session.remember(declaration.server, { digest: declaration.digest, until: now + failureMillis, diagnostic })
      return { diagnostic, askAgain: false }
    })

  const checkPins = (open: ReadonlyArray<ServerSlot>, coreRoot: string): void => {
    const slots = open.filter(({ isUnchecked }) => isUnchecked)
    const listed = slots.map(({ connection, declaration }) => ({
      server: declaration.server,
      tools: connection.tools.tools
    }))
    const reports = slots.length === 0 ? [] : pins.check(coreRoot, listed)
    for (const [index, report] of reports.entries()) slots[index]?.checkedBy(report, coreRoot)
  }

  const entriesOf = (session: SessionServers, core: AgentCore, outcomes: ReadonlyArray<Outcome>): SourceEntries => {
    const { pin } = core.manifest.runtime.mcp
    const slots = wantedOf(core).flatMap(({ server }) => session.slot(server) ?? [])
    const naming = nameTools({
      servers: slots.map(({ declaration: { manifest, server }, connection }) => ({
        id: server,
        tools: connection.tools.tools.map(({ name }) => name),
        ...manifest.tools
      })),
      builtin: [],
      authored: []
    })
    // Without names of others there is nothing to collide with.
    const named = naming.outcome === "named" ? naming : { names: [], unnamed: [] }
    const nameOf = new Map(named.names.map(({ name, server, tool }) => [JSON.stringify([server, tool]), name]))
    const entries = slots.flatMap((slot) =>
      slot.offered(pin).flatMap((tool): ReadonlyArray<SourceEntry> => {
        const name = nameOf.get(JSON.stringify([slot.declaration.server, tool.name]))
        return name === undefined ? [] : [slot.entry(name, tool, calls)]
      })
    )
    const duplicates = new Map(
      named.unnamed
        .filter(({ reason }) => reason === "duplicate")
        .map(({ server, tool }) => [JSON.stringify([server, tool]), { server, tool }])
    )
    return {
      entries,
      diagnostics: [
        ...outcomes.flatMap(({ diagnostic }) => (diagnostic === null ? [] : [diagnostic])),
        ...slots.flatMap((slot) => slot.diagnostics(pin)).map(redacted),
        ...[...duplicates.values()].map(({ server, tool }) => duplicate(server, tool))
      ]
    }
  }

  /** A server's own words stand in it. */
  const redacted = (diagnostic: SourceDiagnostic): SourceDiagnostic => ({
    ...diagnostic,
    message: redactor.text(diagnostic.message, { bindings: new Map(), environment: {}, headers: {} })
  })

  const evict = (session: SessionId): Effect.Effect<void> =>
    Effect.suspend(() => {
      const known = sessions.get(session)
      sessions.delete(session)
      return known === undefined ? Effect.void : known.evict
    })

  return {
    prepare,
    evict,
    bound: (session: SessionId) => Effect.addFinalizer(() => evict(session)),
    isStale: (session: SessionId) =>
      Effect.sync(() => (sessions.get(session)?.open ?? []).some(({ isFresh }) => !isFresh)),
    list: (session: SessionId) => Effect.sync(() => (sessions.get(session)?.open ?? []).map(openServer)),
    acceptDefinitions: (session: SessionId, server: string) =>
      Effect.sync(() => sessions.get(session)?.slot(server)?.acceptAll(pins) ?? false)
  }
})

interface Outcome {
  readonly diagnostic: SourceDiagnostic | null
  /** Whether the next turn looks at the server again, whatever has changed. */
  readonly askAgain: boolean
}

const fine: Outcome = { diagnostic: null, askAgain: false }

const closeAll = (slots: ReadonlyArray<ServerSlot>): Effect.Effect<void> =>
  Effect.forEach(slots, (slot) => slot.close, { concurrency: "unbounded", discard: true })

const openServer = ({ connection }: ServerSlot): OpenServer => ({
  server: connection.declaration.server,
  tools: connection.tools.tools.length,
  protocolVersion: connection.agreement?.protocolVersion ?? "",
  claims: [connection.agreement?.name ?? "", connection.agreement?.version ?? ""].join(" ").trim(),
  pid: connection.pid,
  isOpen: connection.isOpen
})

const failed = ({ file, server }: McpDeclaration, message: string, remedy: string): SourceDiagnostic => ({
  subject: file,
  severity: "error",
  message: `${server}: ${message}`,
  remedy
})

/** `said` is redacted, and cut. */
const connectDiagnostic = (
  declaration: McpDeclaration,
  { error, status }: EffectResult,
  said: string
): SourceDiagnostic =>
  failed(
    declaration,
    `is not open (${status}): ${error?.message ?? "the gate did not let it through"}${said === "" ? "" : `; it wrote: ${said}`}`,
    error?.remedy ?? ""
  )

const duplicate = (server: string, tool: string): SourceDiagnostic => ({
  subject: `agent/mcp/${server}.yaml`,
  severity: "error",
  message: `${server}: lists ${JSON.stringify(tool)} more than once, so none of them can be called`,
  remedy: "report it to the author of the server"
})

const evictedEntries: SourceEntries = {
  entries: [],
  diagnostics: [
    {
      subject: "agent/mcp",
      severity: "error",
      message: "the session was ended while its servers were opened, so none of them is open",
      remedy: "start a new turn"
    }
  ]
}
