/** A whole host over a throw-away home, core and workspace: real store, real files, real processes. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import type { EffectSource } from "@gatehouse/core/EffectSource"
import { hostLayer } from "@gatehouse/host/Host"
import { homeLayer } from "@gatehouse/host/home/HostHome.boundary"
import { executeCall } from "@gatehouse/host/runtime/ExecuteCall"
import { decodeSettings } from "@gatehouse/host/settings/ReadHostSettings.boundary"
import { type Turn, Turns } from "@gatehouse/host/turns/Turns"
import { type ApprovalPrompt, ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export interface TestHostOptions {
  /** Files of the core by path; `agent.yaml` is given where it is missing. */
  readonly core?: Readonly<Record<string, string>>
  readonly workspace?: Readonly<Record<string, string>>
  /** Text of the host's `settings.yaml`. */
  readonly settings?: string
  /** The host's own variables; `PATH` is added. */
  readonly environment?: Readonly<Record<string, string>>
  /** Answers to questions, in their order; after the last one everything is denied. Null: nobody can be asked. */
  readonly answers?: ReadonlyArray<string> | null
  readonly sources?: ReadonlyArray<EffectSource>
}

export interface TestHost {
  readonly root: string
  readonly home: string
  readonly core: string
  readonly workspace: string
  /** What was asked, in order. */
  readonly asked: Array<ApprovalPrompt>
  /** Stops the turn that {@link inTurn} admits. */
  readonly stop: AbortController
}

/** Everything is granted that the tests need; a test that wants less brings an `agent.yaml` of its own. */
export const generousCore = `agent:
  id: test
tools:
  toolsets: [coding, control]
capabilities:
  defaults:
    fs.read: {scope: workspace}
    fs.write: {scope: workspace}
    terminal.exec: {scope: workspace}
    network.fetch: {scope: workspace}
`

/** Folders and files of a host; removed when the scope closes. */
export const testPlace = (options: TestHostOptions) =>
  Effect.acquireRelease(
    Effect.sync((): TestHost => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-host-")))
      const [home, core, workspace] = [join(root, "home"), join(root, "core"), join(root, "workspace")]
      mkdirSync(workspace)
      writeAll(core, { "agent.yaml": generousCore, ...options.core })
      writeAll(workspace, options.workspace ?? {})
      return { root, home, core, workspace, asked: [], stop: new AbortController() }
    }),
    ({ root }) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
  )

const writeAll = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** The composed host over `place`. */
export const hostOver = (place: TestHost, options: TestHostOptions) => {
  const answers = [...(options.answers ?? [])]
  const prompter = Layer.succeed(ApprovalPrompter, {
    surface: "test",
    available: options.answers !== null,
    ask: (prompt) =>
      Effect.sync(() => {
        place.asked.push(prompt)
        return answers.shift() ?? "deny"
      })
  })
  return Layer.unwrapEffect(
    Effect.map(decodeSettings(options.settings ?? ""), (settings) =>
      hostLayer({
        settings,
        environment: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", ...options.environment },
        platform: "posix",
        userHome: join(place.root, "person"),
        ...(options.sources === undefined ? {} : { sources: options.sources })
      })
    )
  ).pipe(Layer.provideMerge(prompter), Layer.provideMerge(homeLayer(place.home)))
}

/** A turn of a new session over the place's core and workspace. */
export const admitTestTurn = Effect.fnUntraced(function* (place: TestHost) {
  const principals = yield* Principals
  const core = yield* Effect.flatMap(AgentCores, (cores) => cores.load(place.core))
  const session = yield* Effect.flatMap(Sessions, (sessions) =>
    sessions.create(principals.local, { title: "test", coreRoot: core.root })
  )
  return yield* Effect.flatMap(Turns, (turns) =>
    turns.admit({
      principal: principals.local,
      session: session.id,
      core,
      workspace: place.workspace,
      deadline: null,
      route: "interactive",
      cancellation: place.stop.signal
    })
  )
})

/** What {@link withHost} gives a test: the place, a turn, and a call in it. */
export interface InTurn {
  readonly place: TestHost
  readonly turn: Turn
}

/** Runs `use` in a turn of a fresh host; everything is gone afterwards. */
export const withHost = <A, E, R>(options: TestHostOptions, use: (inTurn: InTurn) => Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const place = yield* testPlace(options)
      return yield* Effect.scoped(Effect.flatMap(admitTestTurn(place), (turn) => use({ place, turn }))).pipe(
        Effect.provide(hostOver(place, options))
      )
    })
  )

/** One call in a fresh host. */
export const callIn = (options: TestHostOptions, tool: string, args: unknown) =>
  withHost(options, ({ turn }) => executeCall(turn, tool, args))
