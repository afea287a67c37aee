/** The deed of opening a server: substitution, process or socket, handshake, first list. Nothing of it happens earlier. */
import type { McpDeclaration } from "@gatehouse/catalog/cores/AgentCore"
import { keyedFingerprint } from "@gatehouse/core/Fingerprint"
import type { Home } from "@gatehouse/core/Home"
import type { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import type { EnvironmentPolicy } from "@gatehouse/policy/environment/EnvironmentPolicy"
import type { EnvironmentHost } from "@gatehouse/policy/environment/HostEnvironment"
import type { SafeHttp } from "@gatehouse/policy/http/SafeHttp"
import type { Workspaces } from "@gatehouse/policy/paths/Workspaces"
import type { Redactor } from "@gatehouse/policy/redaction/Redactor"
import type { HopDecision } from "@gatehouse/policy/urls/Journey"
import type { Processes } from "@gatehouse/process/Processes"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import type { PreparedConnect } from "../connect/ConnectPlan.ts"
import { type Substituted, substitute } from "../connect/References.ts"
import { PeerFailure } from "../protocol/PeerFailure.ts"
import type { ServerQuestions } from "../ServerQuestions.ts"
import { openHttp } from "../sdk/HttpChannel.boundary.ts"
import type { Channel } from "./Channel.ts"
import { Connection } from "./Connection.ts"
import { formAnswers } from "./FormAnswers.ts"
import { maskOf, type ServerMask, secretsOfServer } from "./SecretsOfServer.ts"
import { appendServerLog } from "./ServerLog.boundary.ts"
import { openStdio } from "./StdioChannel.ts"

export interface OpeningServices {
  readonly home: Context.Tag.Service<typeof Home>
  readonly host: EnvironmentHost
  readonly processes: Context.Tag.Service<typeof Processes>
  readonly http: Context.Tag.Service<typeof SafeHttp>
  readonly environments: Context.Tag.Service<typeof EnvironmentPolicy>
  readonly workspaces: Pick<Context.Tag.Service<typeof Workspaces>, "judge">
  readonly redactor: Context.Tag.Service<typeof Redactor>
  readonly events: Context.Tag.Service<typeof RuntimeEvents>
  readonly questions: Context.Tag.Service<typeof ServerQuestions>
  /** Bytes of one message of a server. */
  readonly messageLimit: number
}

/** Told what a server had written when it could not be opened. */
export type OnFailedStart = (said: string) => void

/** Opens into the scope: when it closes, the process tree or the session is gone, and the log is written. */
export const openServer = (
  declaration: McpDeclaration,
  prepared: PreparedConnect,
  turn: TurnContext,
  services: OpeningServices,
  onFailedStart: OnFailedStart
): Effect.Effect<Connection, PeerFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const substituted: Substituted = new Map()
    const given = Object.fromEntries(
      Object.entries(prepared.transport === "stdio" ? declaration.manifest.env : declaration.manifest.headers).map(
        ([name, value]) => [name, substitute(value, services.host, substituted)]
      )
    )
    const args = declaration.manifest.args.map((argument) => substitute(argument, services.host, substituted))
    const url = substitute(declaration.manifest.url ?? "", services.host, substituted)
    const secrets = secretsOfServer(services.redactor, given, substituted, { args, url })
    const fork = yield* FiberSet.makeRuntime<never, void, never>()
    const mask = maskOf(services.redactor, secrets)
    const questions = maskedQuestions(services.questions, mask)
    const connection = new Connection({
      declaration,
      session: turn.session,
      declarationPrint: keyedFingerprint(services.home.key, declaration.digest),
      mask,
      answers: {
        // Nothing in a core or in the settings grants roots, so they are not declared.
        roots: null,
        elicitation: questions.available ? formAnswers(questions, declaration.server, turn.session) : null
      },
      fork: (effect) => void fork(effect)
    })
    yield* Effect.addFinalizer(() => keepLog(connection, services))
    const channel: Channel =
      prepared.transport === "stdio"
        ? yield* startProgram({ declaration, prepared, turn, args, secrets, connection }, services)
        : yield* openHttp(
            services.http,
            {
              url,
              headers: given,
              messageLimit: services.messageLimit,
              requests: { egress: prepared.egress, observe: observer(turn, services) }
            },
            connection.events
          )
    // Runs first when the scope closes: whoever waits for an answer is told before the server is ended.
    yield* Effect.addFinalizer(() => Effect.sync(() => connection.peer.close(closedByHost)))
    yield* Effect.tapError(connection.open(channel), () => Effect.map(connection.said, onFailedStart))
    return connection
  })

/** A person reads what a server asks; it may ask with what it was given. */
const maskedQuestions = (questions: OpeningServices["questions"], mask: ServerMask): OpeningServices["questions"] => ({
  available: questions.available,
  ask: (question) => {
    const schema = mask.given(question.schema)
    return schema === undefined
      ? Effect.succeed({ action: "decline" })
      : questions.ask({ ...question, message: mask.text(question.message), schema })
  }
})

/** Each request tells where it was let go, or not. */
const observer =
  ({ session }: TurnContext, { events }: OpeningServices) =>
  ({ audit, decision, hop, reason, rule }: HopDecision): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (at) =>
      events.publish({
        type: "url.judged",
        session,
        turn: null,
        call: null,
        at,
        data: { hop, decision, reason, rule, origin: audit.origin, addresses: audit.addresses }
      })
    )

interface Program {
  readonly declaration: McpDeclaration
  readonly prepared: Extract<PreparedConnect, { readonly transport: "stdio" }>
  readonly turn: TurnContext
  readonly args: ReadonlyArray<string>
  readonly secrets: ReadonlyMap<string, string>
  readonly connection: Connection
}

const startProgram = Effect.fnUntraced(function* (
  { args, connection, declaration, prepared, secrets, turn }: Program,
  services: OpeningServices
) {
  const { manifest, server } = declaration
  const now = services.workspaces.judge(prepared.cwd, turn.workspace)
  if (now.resolved !== prepared.cwd || now.identity !== prepared.identity || !now.insideWorkspace) {
    return yield* notStarted(
      "the folder that the server starts in is not the one that was judged; start the turn again"
    )
  }
  const built = services.environments.build({
    purpose: "mcp-stdio",
    overlay: manifest.env,
    bindings: [],
    grants: turn.capabilities.defaults,
    timeoutSeconds: manifest.connect_timeout_seconds,
    background: false
  })
  if (built.outcome === "refused") return yield* notStarted(`${declaration.file}: ${built.message}`)
  return yield* Effect.mapError(
    openStdio(
      services.processes,
      {
        command: manifest.command ?? "",
        args,
        cwd: prepared.cwd,
        environment: built.environment,
        mask: secrets.size === 0 ? null : () => services.redactor.streamMask(secrets),
        label: `mcp ${server}`,
        messageLimit: services.messageLimit
      },
      connection.events
    ),
    (error) => new PeerFailure({ reason: "closed", message: `${error.message}. ${error.remedy}`, sent: error.spawned })
  )
})

const closedByHost = new PeerFailure({ reason: "closed", message: "the host closed the connection", sent: true })

const notStarted = (message: string): PeerFailure => new PeerFailure({ reason: "refused", message, sent: false })

const keepLog = (connection: Connection, { home, redactor }: OpeningServices): Effect.Effect<void> =>
  Effect.gen(function* () {
    const said = yield* connection.said
    const at = new Date(yield* Clock.currentTimeMillis).toISOString()
    const { count, samples } = connection.skipped
    const ended = connection.mask.text(connection.peer.failure?.message ?? "it could not be started")
    const skipped = count === 0 ? "" : `[skipped on standard output: ${count}]\n${samples.join("\n")}\n`
    const text = redactor.text(`${ended}\n${skipped}${said}`, { bindings: new Map(), environment: {}, headers: {} })
    appendServerLog(home.root, connection.declaration.server, `--- ${at} ${text}\n`)
  })
