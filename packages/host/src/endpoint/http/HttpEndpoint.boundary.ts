/**
 * The endpoint over Streamable HTTP (MCP, transports), over Node's own server: judged before it is read, bounded while
 * it is read, one session a client, and nothing of one client within reach of another.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { Entropy } from "@gatehouse/core/Identifiers"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { connectClient } from "../ConnectClient.ts"
import type { Told } from "../EndpointMethods.ts"
import type { EndpointSession } from "../EndpointSession.ts"
import type { ClientConnection } from "../protocol/ClientConnection.ts"
import { type ClientMessage, errorCodes, judgeClientMessage, readClientMessage } from "../protocol/ClientMessage.ts"
import { takesBatches } from "../protocol/Revisions.ts"
import { type Accepts, type GuardOptions, guardProtocol, guardRequest, one } from "./HttpGuard.ts"
import { HttpSession } from "./HttpSession.boundary.ts"
import { PostExchange } from "./PostExchange.boundary.ts"
import { RateLimit } from "./RateLimit.ts"
import { type Refusal, refusal } from "./Refusal.ts"
import { bearerOf, type NamedToken, ownerOf } from "./Tokens.ts"

export interface HttpEndpointOptions {
  readonly host: string
  /** 0 takes any that is free. */
  readonly port: number
  readonly guard: GuardOptions
  /** PEM texts. */
  readonly tls: { readonly cert: string; readonly key: string } | null
  /** The tokens as they are now; null takes everybody for the local owner, on loopback only. */
  readonly tokens: (() => ReadonlyArray<NamedToken>) | null
  readonly version: string
  readonly open: (connection: ClientConnection, principal: string) => Effect.Effect<EndpointSession, Told, Scope.Scope>
}

/** The address cannot be listened at. */
export class ListenFailed extends Data.TaggedError("ListenFailed")<{
  readonly message: string
  readonly remedy: string
}> {}

/** Bytes of one body. */
export const bodyLimit = 10 * 1024 * 1024

/** Sessions at once, of one token and of all. */
export const sessionLimit = { ofToken: 256, ofAll: 1_024 }

/** Milliseconds after which a session that nobody uses ends. */
export const idleMillis = 30 * 60_000

/** Requests of one token. */
const requestRate = { perSecond: 2_000, burst: 4_000 }

/** Wrong tokens from one address. */
const wrongTokenRate = { perSecond: 0.5, burst: 30 }

/** Milliseconds that requests under way get to end by themselves when the endpoint stops. */
const drainMillis = 1_000

/** Milliseconds between two looks for sessions that are idle, or whose token is gone. */
const lookMillis = 5_000

/** Milliseconds within which headers, and a whole request, have to come. */
const headersMillis = 10_000
const requestMillis = 60_000

interface Live {
  readonly session: HttpSession
  readonly connection: ClientConnection
  readonly close: Effect.Effect<void>
  usedAt: number
}

/** Listens until the scope closes: then what is under way gets a moment, the rest is cancelled and settled. */
export const listenHttp = Effect.fnUntraced(function* (options: HttpEndpointOptions) {
  const runtime = yield* Effect.runtime<never>()
  const clock = yield* Effect.clock
  const entropy = yield* Entropy
  const sessions = new Map<string, Live>()
  const requests = new RateLimit(requestRate)
  const wrongTokens = new RateLimit(wrongTokenRate)
  const all = yield* Scope.make(ExecutionStrategy.parallel)
  let isStopping = false

  const openSession = (token: NamedToken): readonly [string, Live] => {
    const scope = Runtime.runSync(runtime)(Scope.fork(all, ExecutionStrategy.sequential))
    const session = new HttpSession(token.name)
    const connection = Runtime.runSync(runtime)(
      Scope.extend(
        connectClient({
          outlet: session,
          version: options.version,
          open: ({ connection }) => options.open(connection, token.principal)
        }),
        scope
      )
    )
    const id = Buffer.from(entropy.bytes(32)).toString("base64url")
    const close = Effect.suspend(() => {
      sessions.delete(id)
      return Effect.zipRight(
        Scope.close(scope, Exit.void),
        Effect.sync(() => session.closeStreams())
      )
    })
    const live: Live = { session, connection, close, usedAt: clock.unsafeCurrentTimeMillis() }
    sessions.set(id, live)
    return [id, live]
  }

  const authenticate = (request: IncomingMessage): Either.Either<NamedToken, Refusal> => {
    if (options.tokens === null) return Either.right(anybody)
    const address = request.socket.remoteAddress ?? ""
    const now = clock.unsafeCurrentTimeMillis()
    if (!wrongTokens.has(address, now)) return Either.left(tooMany(60))
    const token = bearerOf(one(request.headers.authorization))
    const owner = token === null ? null : ownerOf(token, options.tokens())
    if (owner !== null) return Either.right(owner)
    if (token !== null) wrongTokens.take(address, now)
    return Either.left(
      refusal(401, token === null ? "a bearer token is needed" : "the bearer token is not known here", {
        "www-authenticate": token === null ? "Bearer" : 'Bearer error="invalid_token"'
      })
    )
  }

  /** The session that the request names: another token's is none. */
  const sessionOf = (request: IncomingMessage, token: NamedToken): Either.Either<Live, Refusal> => {
    const id = one(request.headers["mcp-session-id"])
    if (id === null) return Either.left(refusal(400, "Mcp-Session-Id: initialize first"))
    const live = sessions.get(id)
    if (live === undefined || live.session.token !== token.name)
      return Either.left(refusal(404, "Mcp-Session-Id: no such session; initialize again"))
    live.usedAt = clock.unsafeCurrentTimeMillis()
    return Either.right(live)
  }

  const onBody = (
    request: IncomingMessage,
    response: ServerResponse,
    token: NamedToken,
    accepts: Accepts,
    body: string
  ): void => {
    const message = readClientMessage(body)
    const messages = message.kind === "batch" ? message.messages.map(judgeClientMessage) : [message]
    const [first] = messages
    if (message.kind === "fault")
      return refuse(response, { ...refusal(400, message.error.message), code: message.error.code }, message.id)
    const isHello = first?.kind === "request" && first.method === "initialize" && message.kind !== "batch"
    if (isHello && request.headers["mcp-session-id"] === undefined) {
      const count = [...sessions.values()].filter(({ session }) => session.token === token.name).length
      if (count >= sessionLimit.ofToken || sessions.size >= sessionLimit.ofAll)
        return refuse(response, refusal(503, "too many sessions; end some with DELETE"), first.id)
      const [id, live] = openSession(token)
      response.setHeader("mcp-session-id", id)
      take(live, [first], response, accepts)
      // A handshake that was refused leaves no session.
      if (live.connection.revision() === null) Runtime.runFork(runtime)(live.close)
      return
    }
    const id = first?.kind === "request" ? first.id : null
    if (
      first?.kind === "request" &&
      first.method === "server/discover" &&
      request.headers["mcp-session-id"] === undefined
    )
      return refuse(response, { ...refusal(400, "Method not found"), code: errorCodes.methodNotFound }, id)
    const found = sessionOf(request, token)
    if (Either.isLeft(found)) return refuse(response, found.left, id)
    const revision = found.right.connection.revision()
    if (message.kind === "batch" && (messages.length === 0 || revision === null || !takesBatches(revision)))
      return refuse(response, refusal(400, "this revision of MCP has no batches; send one message at a time"))
    take(found.right, messages, response, accepts)
  }

  /** Hands messages on; an id that is in use already is refused here, where its answer could not be told apart. */
  const take = (
    live: Live,
    messages: ReadonlyArray<ClientMessage>,
    response: ServerResponse,
    accepts: Accepts
  ): void => {
    const ids = messages.flatMap((message) => (message.kind === "request" ? [message.id] : []))
    const isDouble = new Set(ids).size < ids.length || ids.some((id) => live.session.isExpected(id))
    if (isDouble) return refuse(response, refusal(400, "id: it is in use by a request that is under way"))
    if (ids.length > 0) live.session.expect(ids, new PostExchange(response, ids, accepts))
    for (const message of messages) if (message.kind !== "batch") live.connection.receive(message)
    if (ids.length === 0) response.writeHead(202).end()
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const asked = { method: request.method ?? "", target: request.url ?? "", headers: request.headers }
    const place = guardRequest(asked, options.guard)
    if (Either.isLeft(place)) return refuse(response, place.left)
    if (place.right === "health") return void response.writeHead(200, plain).end("ok\n")
    if (place.right === "ready")
      return void response.writeHead(isStopping ? 503 : 200, plain).end(isStopping ? "stopping\n" : "ready\n")
    const token = authenticate(request)
    if (Either.isLeft(token)) return refuse(response, token.left)
    const wait = requests.take(token.right.name, clock.unsafeCurrentTimeMillis())
    if (wait > 0) return refuse(response, tooMany(wait))
    const accepts = guardProtocol(asked)
    if (Either.isLeft(accepts)) return refuse(response, accepts.left)
    if (isStopping) return refuse(response, refusal(503, "the endpoint is stopping"))
    if (request.method === "POST")
      return readBody(request, (body) =>
        Either.match(body, {
          onLeft: (why) => refuse(response, why),
          onRight: (text) => onBody(request, response, token.right, accepts.right, text)
        })
      )
    const found = sessionOf(request, token.right)
    if (Either.isLeft(found)) return refuse(response, found.left)
    if (request.method === "GET") return found.right.session.openStream(response)
    Runtime.runFork(runtime)(
      Effect.ensuring(
        found.right.close,
        Effect.sync(() => void response.writeHead(204).end())
      )
    )
  }

  const look = Effect.suspend(() => {
    const now = clock.unsafeCurrentTimeMillis()
    const names = options.tokens === null ? null : new Set(options.tokens().map(({ name }) => name))
    const ending = [...sessions.values()].filter(({ connection, session, usedAt }) => {
      if (names !== null && !names.has(session.token)) return true
      return now - usedAt > idleMillis && connection.requestsUnderWay() === 0 && !session.hasStream
    })
    return Effect.forEach(ending, ({ close }) => close, { concurrency: "unbounded", discard: true })
  })

  const drained = Effect.gen(function* () {
    isStopping = true
    const until = (yield* Clock.currentTimeMillis) + drainMillis
    const isQuiet = Effect.map(
      Clock.currentTimeMillis,
      (now) => now >= until || [...sessions.values()].every(({ connection }) => connection.requestsUnderWay() === 0)
    )
    yield* Effect.repeat(isQuiet, { until: (quiet) => quiet, schedule: Schedule.spaced("20 millis") })
    yield* Scope.close(all, Exit.void)
    for (const { session } of sessions.values()) session.closeStreams()
  })

  const server = yield* Effect.acquireRelease(listen(options, onRequest), (listening) =>
    Effect.zipRight(drained, closeServer(listening))
  )
  yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(lookMillis)))
  return { port: server.port }
})

interface Listening {
  readonly server: Server
  readonly port: number
}

const listen = (
  { host, port, tls }: HttpEndpointOptions,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void
): Effect.Effect<Listening, ListenFailed> =>
  Effect.async((resume) => {
    const limits = { headersTimeout: headersMillis, requestTimeout: requestMillis, maxHeaderSize: 16 * 1024 }
    const make = (): Server =>
      tls === null
        ? createServer(limits, onRequest)
        : createTlsServer({ ...limits, ...tls, minVersion: "TLSv1.2" }, onRequest)
    const made = Either.try({ try: make, catch: () => tlsFailed })
    if (Either.isLeft(made)) return resume(made.left)
    const server = made.right
    server.maxConnections = 4_096
    server.once("error", (error: NodeJS.ErrnoException) => resume(listenFailed(host, port, error)))
    server.listen(port, host, () => resume(Effect.succeed({ server, port: portOf(server, port) })))
  })

const portOf = (server: Server, asked: number): number => {
  const address = server.address()
  return address === null || typeof address === "string" ? asked : address.port
}

const tlsFailed = new ListenFailed({
  message: "the certificate or its key cannot be used",
  remedy: "--tls-cert and --tls-key name PEM files of a certificate and its private key"
})

const listenFailed = (host: string, port: number, { code, message }: NodeJS.ErrnoException): ListenFailed =>
  code === "EADDRINUSE"
    ? new ListenFailed({
        message: `${host}:${port} is taken by another program`,
        remedy: "name another port; port 0 takes one that is free"
      })
    : new ListenFailed({ message: `${host}:${port} cannot be listened at: ${message}`, remedy: "name another address" })

/** Answers that were written last get a moment to leave. */
const closeServer = ({ server }: Listening): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), 200).unref()
  })

/** What is too large is read on and dropped: a client that still writes would not see its answer. */
const readBody = (request: IncomingMessage, then: (body: Either.Either<string, Refusal>) => void): void => {
  const tooLarge = Either.left(refusal(413, `a body has at most ${bodyLimit} bytes`))
  let chunks: Array<Buffer> = []
  let size = 0
  let isTooLarge = Number(request.headers["content-length"] ?? 0) > bodyLimit
  if (isTooLarge) then(tooLarge)
  request.on("data", (chunk: Buffer) => {
    if (isTooLarge) return
    size += chunk.length
    chunks.push(chunk)
    if (size <= bodyLimit) return
    isTooLarge = true
    chunks = []
    then(tooLarge)
  })
  request.on("end", () => {
    if (!isTooLarge) then(Either.right(Buffer.concat(chunks).toString("utf8")))
  })
  request.on("error", () => undefined)
}

const refuse = (
  response: ServerResponse,
  { code, headers, message, status }: Refusal,
  id: string | number | null = null
): void => {
  if (response.destroyed || response.headersSent) return
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }))
}

const tooMany = (seconds: number): Refusal =>
  refusal(429, `too many requests; wait ${seconds} s`, { "retry-after": `${seconds}` })

/** Who it is where no token is asked for. */
const anybody: NamedToken = { name: "", principal: "local", sha256: "", created_at: 0 }

const plain = { "content-type": "text/plain" }
