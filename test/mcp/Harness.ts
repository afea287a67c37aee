/** A whole host over a throw-away home, with MCP servers of the fixtures, and an approver that the test holds. */
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import type { SessionId } from "@gatehouse/core/Identifiers"
import { hostLayer } from "@gatehouse/host/Host"
import { homeLayer } from "@gatehouse/host/home/HostHome.boundary"
import { executeCall } from "@gatehouse/host/runtime/ExecuteCall"
import { readHostSettings } from "@gatehouse/host/settings/ReadHostSettings.boundary"
import { type Turn, Turns } from "@gatehouse/host/turns/Turns"
import { type ApprovalPrompt, ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

/** Absolute path of a fixture. */
export const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/mcp/${name}.mjs`, import.meta.url))

export interface StdioServer {
  readonly fixture: string
  readonly args?: ReadonlyArray<string>
  /** Lines of YAML beside command and args. */
  readonly more?: string
}

export interface Place {
  readonly root: string
  readonly home: string
  readonly core: string
  readonly workspace: string
}

/** A folder that goes with the scope. */
export const makePlace = Effect.acquireRelease(
  Effect.sync((): Place => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-mcp-")))
    const place = { root, home: join(root, "home"), core: join(root, "core"), workspace: join(root, "ws") }
    for (const folder of [place.home, join(place.core, "agent/mcp"), place.workspace]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    }
    writeFileSync(join(place.home, "settings.yaml"), "network:\n  private_addresses: allowed\n")
    return place
  }),
  ({ root }) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
)

export const writeServer = (place: Place, server: string, yaml: string): void =>
  writeFileSync(join(place.core, "agent/mcp", `${server}.yaml`), yaml)

export const stdioYaml = ({ args = [], fixture: name, more = "" }: StdioServer): string =>
  `command: ${JSON.stringify(process.execPath)}\nargs: ${JSON.stringify([fixture(name), ...args])}\napproval_policy: auto\n${more}`

/** `agent.yaml` that grants connect and call of `servers`. */
export const writeCore = (place: Place, servers: ReadonlyArray<string>, more = ""): void => {
  const grants = servers.flatMap((server) => [`    mcp.connect:${server}: {}`, `    mcp.call:${server}: {}`])
  const defaults = grants.length === 0 ? "" : `capabilities:\n  defaults:\n${grants.join("\n")}\n`
  writeFileSync(join(place.core, "agent.yaml"), `agent:\n  id: test\n${defaults}${more}`)
}

/** What the person at the host says; every question is kept. */
export interface Person {
  answer: (question: ApprovalPrompt) => string
  readonly asked: Array<ApprovalPrompt>
}

export const makePerson = (): Person => ({ answer: () => "allow", asked: [] })

const prompterLayer = (person: Person) =>
  Layer.succeed(ApprovalPrompter, {
    surface: "test",
    available: true,
    ask: (question) =>
      Effect.sync(() => {
        person.asked.push(question)
        return person.answer(question)
      })
  })

export interface HostUnderTest {
  readonly place: Place
  readonly person: Person
  readonly environment?: Readonly<Record<string, string>>
  readonly live?: (text: string) => void
}

/** Everything of a host, over the place. */
export const hostOf = ({ environment = {}, live, person, place }: HostUnderTest) =>
  Effect.map(readHostSettings(place.home), (settings) =>
    hostLayer({
      settings,
      environment: { PATH: process.env["PATH"], ...environment },
      platform: "posix",
      userHome: place.root,
      ...(live === undefined ? {} : { live: (_, __, text) => live(text) })
    })
  ).pipe(Layer.unwrapEffect, Layer.provideMerge(prompterLayer(person)), Layer.provideMerge(homeLayer(place.home)))

export const newSession = (place: Place) =>
  Effect.gen(function* () {
    const principals = yield* Principals
    const sessions = yield* Sessions
    const session = yield* sessions.create(principals.local, { title: "test", coreRoot: place.core })
    return session.id
  })

export interface TurnOptions {
  readonly cancellation?: AbortSignal
  readonly deadline?: number | null
}

/** Admits a turn of `session`; it lives as long as the scope. */
export const admit = (place: Place, session: SessionId, options: TurnOptions = {}) =>
  Effect.gen(function* () {
    const principals = yield* Principals
    const core = yield* Effect.flatMap(AgentCores, (cores) => cores.load(place.core))
    return yield* Effect.flatMap(Turns, (turns) =>
      turns.admit({
        principal: principals.local,
        session,
        core,
        workspace: place.workspace,
        deadline: options.deadline ?? null,
        route: "interactive",
        cancellation: options.cancellation ?? new AbortController().signal
      })
    )
  })

export const call = (turn: Turn, name: string, args: unknown = {}) => executeCall(turn, name, args)

/** Names of the tools that servers bring. */
export const mcpNames = (turn: Turn): ReadonlyArray<string> =>
  turn.catalog.entries.filter(({ source }) => source === "mcp").map(({ name }) => name)

export const diagnosticsOf = (turn: Turn): string =>
  turn.catalog.diagnostics.map(({ message, severity }) => `${severity} ${message}`).join("\n")

export interface Scene {
  readonly turn: Turn
  readonly place: Place
  readonly person: Person
  readonly session: SessionId
  readonly live: ReadonlyArray<string>
}

type HostServices = Layer.Layer.Success<ReturnType<typeof hostOf>>

export interface SceneOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly core?: string
}

/** One host over declarations by server, and one turn: what most tests need. When it ends, nothing may be left. */
export const withDeclarations = <A, E>(
  declarations: Readonly<Record<string, string>>,
  use: (scene: Scene) => Effect.Effect<A, E, HostServices | Scope.Scope>,
  options: SceneOptions = {}
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const place = yield* makePlace
      const person = makePerson()
      const live: Array<string> = []
      writeCore(place, Object.keys(declarations), options.core)
      for (const [server, yaml] of Object.entries(declarations)) writeServer(place, server, yaml)
      return yield* Effect.gen(function* () {
        const session = yield* newSession(place)
        const turn = yield* admit(place, session)
        return yield* use({ turn, place, person, session, live })
      }).pipe(
        Effect.scoped,
        Effect.provide(
          hostOf({ place, person, live: (text) => void live.push(text), environment: options.environment ?? {} })
        )
      )
    })
  )

export const withServers = <A, E>(
  servers: Readonly<Record<string, StdioServer>>,
  use: (scene: Scene) => Effect.Effect<A, E, HostServices | Scope.Scope>,
  options: SceneOptions = {}
) =>
  withDeclarations(
    Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, stdioYaml(server)])),
    use,
    options
  )

/** The process ids whose command line names `text`; zombies are gone already. */
export const processesOf = (text: string): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && commandLine(pid).includes(text))

const commandLine = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8")
  } catch {
    return ""
  }
}

/** A fixture that listens by itself; its JSON lines are kept. */
export const listen = (name: string, args: ReadonlyArray<string> = []) =>
  Effect.acquireRelease(
    Effect.async<{
      readonly url: string
      readonly lines: ReadonlyArray<Record<string, unknown>>
      readonly stop: () => void
    }>((resume) => {
      const lines: Array<Record<string, unknown>> = []
      const child = spawn(process.execPath, [fixture(name), "--port", "0", ...args], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      createInterface({ input: child.stdout }).on("line", (line) => {
        const told: Record<string, unknown> = JSON.parse(line)
        lines.push(told)
        if (typeof told["url"] === "string" && lines.length === 1) {
          resume(Effect.succeed({ url: told["url"], lines, stop: () => child.kill("SIGKILL") }))
        }
      })
    }),
    ({ stop }) => Effect.sync(stop)
  )

export const httpYaml = (url: string, more = ""): string =>
  `transport: streamable_http\nurl: ${url}\napproval_policy: auto\n${more}`

/** The newest artifact of that name. */
export const artifactOf = (place: Place, name: string): string => {
  const root = join(place.home, "artifacts")
  const found = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(name))
  return join(root, found[0] ?? "none")
}
