/**
 * One client's side of the endpoint, whatever carries its messages: the handshake, requests under way, cancellation,
 * progress, and questions to the client. A request is answered once, or withdrawn; nothing is kept of it afterwards.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import {
  type ClientMessage,
  errorCodes,
  isMembers,
  judgeClientMessage,
  type Members,
  type RequestId,
  type RpcError
} from "./ClientMessage.ts"
import { type ElicitationAnswer, type ElicitationForm, elicitsForms, readElicitation } from "./Elicitation.ts"
import { type ClientFacts, type LogLevel, logLevels, type Methods, type RequestFace } from "./Methods.ts"
import type { Outlet } from "./Outlet.ts"
import { agreeRevision, type Revision, takesBatches } from "./Revisions.ts"

export interface ConnectionOptions {
  readonly methods: Methods
  readonly outlet: Outlet
  readonly version: string
  /** For the model, in the words of `initialize`. */
  readonly instructions: string
  /** Called once, between the answer to `initialize` and the next message. */
  readonly onInitialized?: () => void
}

export interface ClientConnection {
  readonly receive: (message: ClientMessage) => void
  readonly notify: (method: string, params?: Members) => void
  readonly client: () => ClientFacts
  /** For what belongs to no request. */
  readonly face: Pick<RequestFace, "progress" | "log" | "elicit">
  /** Null before `initialize`. */
  readonly revision: () => Revision | null
  readonly requestsUnderWay: () => number
}

/** Requests of one client that may be under way; further ones are told so at once. */
export const requestLimit = 1_024

/** Messages in one batch. */
export const batchLimit = 100

interface UnderWay {
  fiber: Fiber.RuntimeFiber<object, RpcError> | null
  isCancelled: boolean
  steps: number
}

/** What is under way when the scope closes is interrupted, and settles before the scope has closed. */
export const makeClientConnection = Effect.fnUntraced(function* (
  options: ConnectionOptions
): Effect.fn.Return<ClientConnection, never, Scope.Scope> {
  const { methods, outlet } = options
  const run = yield* FiberSet.makeRuntime<never, object, RpcError>()
  const underWay = new Map<RequestId, UnderWay>()
  const asked = new Map<RequestId, (outcome: Either.Either<Members, RpcError>) => void>()
  let revision: Revision | null = null
  let client: ClientFacts = { name: "", version: "", elicits: false }
  let level: LogLevel = "warning"
  let questions = 0

  const answer = (id: RequestId, result: object): void => outlet.send({ jsonrpc: "2.0", id, result }, id)
  const refuse = (id: RequestId | null, code: number, message: string): void =>
    outlet.send({ jsonrpc: "2.0", id, error: { code, message } }, id)
  const notify = (method: string, params?: Members, about: RequestId | null = null): void =>
    outlet.send({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) }, about)

  const receive = (message: ClientMessage): void => {
    switch (message.kind) {
      case "request":
        return onRequest(message.id, message.method, message.params)
      case "notification":
        return message.method === "notifications/cancelled" ? cancel(message.params["requestId"]) : undefined
      case "answer":
        return asked.get(message.id)?.(message.outcome)
      case "batch":
        return onBatch(message.messages)
      case "fault":
        return outlet.send({ jsonrpc: "2.0", id: message.id, error: message.error }, message.id)
    }
  }

  const onBatch = (messages: ReadonlyArray<unknown>): void => {
    if (revision === null || !takesBatches(revision))
      return refuse(null, errorCodes.invalidRequest, "this revision of MCP has no batches; send one message at a time")
    if (messages.length === 0 || messages.length > batchLimit)
      return refuse(null, errorCodes.invalidRequest, `a batch holds 1 to ${batchLimit} messages`)
    for (const message of messages.map(judgeClientMessage)) {
      if (message.kind === "batch") refuse(null, errorCodes.invalidRequest, "a batch holds no batches")
      else receive(message)
    }
  }

  const onRequest = (id: RequestId, method: string, params: Members): void => {
    if (method === "initialize") return initialize(id, params)
    if (method === "ping") return answer(id, {})
    const serve =
      method === "logging/setLevel" ? setLevel : Object.hasOwn(methods, method) ? methods[method] : undefined
    if (serve === undefined) return refuse(id, errorCodes.methodNotFound, "Method not found")
    if (revision === null) return refuse(id, errorCodes.invalidRequest, "initialize first")
    // An answer under that id would be taken for the answer to the one that runs.
    if (underWay.has(id)) return refuse(null, errorCodes.invalidRequest, `id ${JSON.stringify(id)} is in use`)
    if (underWay.size >= requestLimit)
      return refuse(id, errorCodes.busy, `${requestLimit} requests are under way; wait for some to end`)
    const entry: UnderWay = { fiber: null, isCancelled: false, steps: 0 }
    underWay.set(id, entry)
    const fiber = run(Effect.suspend(() => serve(params, faceOf(id, entry, params))))
    entry.fiber = fiber
    fiber.addObserver((exit) => settle(id, entry, exit))
  }

  const settle = (id: RequestId, entry: UnderWay, exit: Exit.Exit<object, RpcError>): void => {
    underWay.delete(id)
    if (entry.isCancelled) return outlet.withdraw(id)
    if (Exit.isSuccess(exit)) return answer(id, exit.value)
    const { code, message } = Option.getOrElse(Cause.failureOption(exit.cause), () =>
      Cause.isInterruptedOnly(exit.cause) ? stopped : internal
    )
    refuse(id, code, message)
  }

  const cancel = (id: unknown): void => {
    const entry = typeof id === "string" || typeof id === "number" ? underWay.get(id) : undefined
    if (entry === undefined || entry.fiber === null) return
    entry.isCancelled = true
    entry.fiber.unsafeInterruptAsFork(FiberId.none)
  }

  const initialize = (id: RequestId, params: Members): void => {
    if (revision !== null) return refuse(id, errorCodes.invalidRequest, "this session was initialized before")
    const { capabilities, clientInfo, protocolVersion } = params
    if (typeof protocolVersion !== "string")
      return refuse(id, errorCodes.invalidParams, "protocolVersion: expected a text")
    const agreed = agreeRevision(protocolVersion)
    revision = agreed
    client = {
      name: textMember(clientInfo, "name"),
      version: textMember(clientInfo, "version"),
      elicits: agreed >= "2025-06-18" && elicitsForms(capabilities)
    }
    answer(id, {
      protocolVersion: agreed,
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: "gatehouse", version: options.version },
      instructions: options.instructions
    })
    options.onInitialized?.()
  }

  const setLevel = ({ level: wanted }: Members): Effect.Effect<object, RpcError> =>
    Effect.suspend(() => {
      const known = logLevels.find((name) => name === wanted)
      if (known === undefined)
        return Effect.fail({
          code: errorCodes.invalidParams,
          message: `level: expected one of ${logLevels.join(", ")}`
        })
      level = known
      return Effect.succeed({})
    })

  const faceOf = (id: RequestId, entry: UnderWay, { _meta }: Members): RequestFace => {
    const token = isMembers(_meta) ? _meta["progressToken"] : undefined
    const canSay = (): boolean => underWay.get(id) === entry && !entry.isCancelled && !outlet.isCongested()
    return {
      client,
      progress: (message) => {
        if ((typeof token !== "string" && typeof token !== "number") || !canSay()) return
        entry.steps += 1
        notify("notifications/progress", { progressToken: token, progress: entry.steps, message }, id)
      },
      log: (at, data) => {
        if (canSay()) log(at, data, id)
      },
      elicit: client.elicits ? (form) => elicit(form, id) : null
    }
  }

  const log = (at: LogLevel, data: string, about: RequestId | null): void => {
    if (logLevels.indexOf(at) < logLevels.indexOf(level)) return
    notify("notifications/message", { level: at, logger: "gatehouse", data }, about)
  }

  const elicit = (form: ElicitationForm, about: RequestId | null): Effect.Effect<ElicitationAnswer> =>
    Effect.async((resume) => {
      questions += 1
      const id = `question-${questions}`
      asked.set(id, (outcome) => {
        asked.delete(id)
        resume(
          Effect.succeed(
            Either.match(outcome, { onLeft: () => ({ action: "unanswered" as const }), onRight: readElicitation })
          )
        )
      })
      outlet.send({ jsonrpc: "2.0", id, method: "elicitation/create", params: { ...form } }, about)
      return Effect.sync(() => {
        if (asked.delete(id)) notify("notifications/cancelled", { requestId: id, reason: "answered elsewhere" }, about)
      })
    })

  return {
    receive,
    notify: (method, params) => notify(method, params),
    face: {
      progress: () => undefined,
      log: (at, data) => {
        if (!outlet.isCongested()) log(at, data, null)
      },
      get elicit() {
        return client.elicits ? (form: ElicitationForm) => elicit(form, null) : null
      }
    },
    client: () => client,
    revision: () => revision,
    requestsUnderWay: () => underWay.size
  }
})

const stopped: RpcError = { code: errorCodes.busy, message: "the endpoint was stopped, and the request with it" }
const internal: RpcError = { code: errorCodes.internal, message: "internal error of the host; please report it" }

/** Characters of a name that a client gives itself. */
const nameLimit = 128

const textMember = (value: unknown, name: string): string => {
  const member = isMembers(value) ? value[name] : undefined
  return typeof member === "string" ? member.slice(0, nameLimit) : ""
}
