import * as fs from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import {
  type CommandSetting,
  CommandSettings,
  noCommandSetting
} from "@gatehouse/adapters/builtin/terminal/CommandSettings"
import { TaskStarter } from "@gatehouse/adapters/builtin/terminal/TaskStarter"
import { terminalEntry } from "@gatehouse/adapters/builtin/terminal/Terminal"
import { type EffectPlan, PlanRefused } from "@gatehouse/core/EffectPlan"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import { Home } from "@gatehouse/core/Home"
import { TaskId } from "@gatehouse/core/Identifiers"
import type { Json } from "@gatehouse/core/Json"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import { CommandReview } from "@gatehouse/policy/commands/CommandReview"
import { EnvironmentPolicy } from "@gatehouse/policy/environment/EnvironmentPolicy"
import { defaultEnvironmentSettings } from "@gatehouse/policy/environment/EnvironmentSettings"
import { Workspaces } from "@gatehouse/policy/paths/Workspaces"
import { Redactor } from "@gatehouse/policy/redaction/Redactor"
import { Artifacts } from "@gatehouse/process/Artifacts"
import { Processes } from "@gatehouse/process/Processes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { grants, planCall } from "../../support/CallEntry.ts"
import { makeScene } from "../../support/Scene.ts"

const key = new Uint8Array(32).fill(3)
const hostEnvironment = {
  PATH: "/usr/bin:/bin",
  LANG: "C.UTF-8",
  PROVIDER_KEY: "not-for-children",
  API_TOKEN: "tok-1234567890"
}

/** The entry over real services, and a folder to work in. */
const withTerminal = <A, E>(
  use: (scene: TerminalScene) => Effect.Effect<A, E, Processes>,
  setting: Partial<CommandSetting> = {},
  make: typeof terminalEntry = terminalEntry
) =>
  Effect.scoped(
    Effect.flatMap(makeScene, (scene) => {
      const host = join(scene.root, "host")
      const services = Layer.mergeAll(
        Processes.layer().pipe(Layer.provide(Artifacts.layer())),
        CommandReview.layer,
        EnvironmentPolicy.layer({
          hostEnvironment,
          platform: "posix",
          controlledHome: join(scene.root, "home"),
          settings: defaultEnvironmentSettings
        }),
        Workspaces.layer({ home: join(scene.root, "home"), hostPlaces: [host], platform: "posix" }),
        Redactor.layer({ homeKey: key, hostEnvironment })
      ).pipe(Layer.provideMerge(Layer.succeed(Home, { root: host, key })))
      return Effect.provide(
        Effect.flatMap(make, (entry) => use({ ...scene, entry })).pipe(
          Effect.provideService(CommandSettings, { of: () => ({ ...noCommandSetting, ...setting }) })
        ),
        services
      )
    })
  )

type TerminalScene = Effect.Effect.Success<typeof makeScene> & { readonly entry: SourceEntry }

const planned = ({ entry, turn }: TerminalScene, args: Json, more: Partial<TurnContext> = {}): EffectPlan<unknown> => {
  const { plan } = planCall(entry, args, { ...turn, ...more })
  assert.notInstanceOf(plan, PlanRefused)
  if (plan instanceof PlanRefused) throw new Error(plan.message)
  return plan
}

const refused = ({ entry, turn }: TerminalScene, args: Json, more: Partial<TurnContext> = {}): PlanRefused => {
  const { plan } = planCall(entry, args, { ...turn, ...more })
  assert.instanceOf(plan, PlanRefused, JSON.stringify(args))
  if (!(plan instanceof PlanRefused)) throw new Error("was not refused")
  return plan
}

/** Runs a call to its end; `told` is what the witness heard. */
const run = (scene: TerminalScene, args: Json, secrets: ReadonlyMap<string, Redacted.Redacted<string>> = new Map()) => {
  const call = planCall(scene.entry, args, scene.turn, secrets)
  return Effect.map(Effect.scoped(call.run), (outcome) => ({ outcome, told: call.told }))
}

describe("planning a command", () => {
  it.live("asks nobody for what only reads, and says what it would do", () =>
    withTerminal((scene) =>
      Effect.sync(() => {
        const plan = planned(scene, { command: "ls -la" })
        assert.deepInclude(plan, {
          action: "run",
          target: "ls -la",
          policy: "auto",
          risk: "low",
          readOnly: true,
          timeoutMillis: 30_000
        })
        assert.deepInclude(plan.preview, {
          command: "ls -la",
          cwd: ".",
          shell: "/bin/sh",
          stdin: null,
          background: false
        })
        assert.deepInclude(plan.subject, { kind: "command", parts: [["ls", "-la"]], blocked: false })
      })
    )
  )

  it.live("asks for what changes something, for variables, for input, and for delicate folders", () =>
    withTerminal((scene) =>
      Effect.sync(() => {
        scene.put("ws/.ssh/config", "")
        const table: ReadonlyArray<[args: Json, risk: string]> = [
          [{ command: "rm a.txt" }, "medium"],
          [{ command: "ls", env: { NAME: "value" } }, "high"],
          [{ command: "cat", stdin: "text" }, "medium"],
          [{ command: "ls", cwd: ".ssh" }, "high"]
        ]
        for (const [args, risk] of table) {
          const plan = planned(scene, args)
          assert.strictEqual(plan.policy, "prompt", JSON.stringify(args))
          assert.isFalse(plan.readOnly)
          assert.isNotEmpty(plan.because)
          if (risk === "high") assert.strictEqual(plan.risk, "high", JSON.stringify(args))
        }
        assert.strictEqual(planned(scene, { command: "cat", stdin: "" }).policy, "auto")
      })
    )
  )

  it.live("refuses in words, before anybody is asked", () =>
    withTerminal((scene) =>
      Effect.sync(() => {
        scene.put("ws/file", "")
        fs.symlinkSync(join(scene.root, "out"), join(scene.workspace, "link"))
        const bind = (more: object): Json => ({
          command: "ls",
          secret_bindings: [{ source: "env:API_TOKEN", ...more }]
        })
        const table: ReadonlyArray<[args: Json, status: string, field: RegExp]> = [
          [{ command: "rm -rf /" }, "denied", /^command:/],
          [{ command: "ls", cwd: "/etc" }, "denied", /^cwd:/],
          [{ command: "ls", cwd: ".." }, "denied", /^cwd:/],
          [{ command: "ls", cwd: "link" }, "denied", /^cwd:/],
          [{ command: "ls", cwd: "file" }, "invalid", /^cwd:/],
          [{ command: "ls", cwd: "missing" }, "not_found", /^cwd:/],
          [{ command: "ls", env: { "A B": "1" } }, "invalid", /^env/],
          [{ command: "ls", env: { GATEHOUSE_SPAWN: "x" } }, "invalid", /^env\.GATEHOUSE_SPAWN/],
          [{ command: "ls", timeout_seconds: 0 }, "invalid", /timeout_seconds/],
          [{ command: "ls", timeout_seconds: -1 }, "invalid", /timeout_seconds/],
          [{ command: "ls", timeout_seconds: 121 }, "invalid", /timeout_seconds/],
          [{ command: "ls", timeout_seconds: "30" }, "invalid", /timeout_seconds/],
          [{ command: "a\0b" }, "invalid", /^command/],
          [{ command: "echo \ud800" }, "invalid", /^command/],
          [{ command: "" }, "invalid", /^command/],
          [{ command: "ls", background: true }, "invalid", /^background:/],
          [bind({}), "denied", /API_TOKEN/],
          [
            { command: "ls", background: true, secret_bindings: [{ source: "env:API_TOKEN" }] },
            "invalid",
            /binding|background/
          ]
        ]
        for (const [args, status, field] of table) {
          const more = JSON.stringify(args).includes("background")
            ? { capabilities: grants(["secret.bind:API_TOKEN"]) }
            : {}
          const plan = refused(scene, args, more)
          assert.strictEqual(plan.status, status, JSON.stringify(args))
          assert.match(plan.message, field)
          assert.notInclude(plan.message, hostEnvironment.API_TOKEN)
        }
      })
    )
  )

  it.live("shows no value of a variable or a secret", () =>
    withTerminal((scene) =>
      Effect.sync(() => {
        const args = {
          command: "ls",
          env: { NAME: "hidden-value" },
          stdin: "hidden-input",
          secret_bindings: [{ source: "env:API_TOKEN", target: "TOKEN", expires_in_seconds: 5 }]
        }
        const plan = planned(scene, args, { capabilities: grants(["secret.bind:API_TOKEN"]) })
        const { prepared: _, ...shown } = plan
        for (const value of ["hidden-value", "hidden-input", hostEnvironment.API_TOKEN]) {
          assert.notInclude(JSON.stringify(shown), value)
        }
        assert.deepInclude(plan.preview, {
          adds: ["NAME"],
          binds: [{ source: "env:API_TOKEN", target: "TOKEN", expiresInSeconds: 5 }]
        })
        assert.strictEqual(plan.timeoutMillis, 5000)
        assert.isFalse(plan.sessionCacheable)
        assert.deepInclude(plan.subject, { kind: "command", parts: [], blocked: false })
      })
    )
  )

  it.live("binds an answer to text, folder, variables, input and options", () =>
    withTerminal((scene) =>
      Effect.sync(() => {
        scene.put("ws/sub/x", "")
        const base = { command: "rm a", env: { A: "1" }, stdin: "x" }
        const shape = (more: object): string => JSON.stringify(planned(scene, { ...base, ...more }).approvalShape)
        const shapes = [
          {},
          { command: "rm  a" },
          { cwd: "sub" },
          { env: { A: "2" } },
          { env: { B: "1" } },
          { stdin: "y" },
          { timeout_seconds: 31 }
        ].map(shape)
        assert.strictEqual(new Set(shapes).size, shapes.length)
        assert.strictEqual(shape({}), shape({ cwd: "./" }))
      })
    )
  )
})

describe("running a command", () => {
  it.live("tells exit status and signal apart", () =>
    withTerminal((scene) =>
      Effect.gen(function* () {
        const good = yield* run(scene, { command: "echo out; echo err >&2" })
        assert.deepInclude(good.outcome, { status: "succeeded" })
        assert.deepInclude(good.outcome.output.data, { exit_code: 0, signal: null, stdout: "out\n", stderr: "err\n" })
        const bad = yield* run(scene, { command: "exit 3" })
        assert.deepInclude(bad.outcome, { status: "failed", message: "the command ended with exit status 3" })
        assert.deepInclude(bad.outcome.output.operator?.data, {
          exit_code: 3,
          signal: null,
          process_spawned: true,
          error_tag: null
        })
        const killed = yield* run(scene, { command: "kill -KILL $$" })
        assert.deepInclude(killed.outcome.output.data, { exit_code: null, signal: "KILL" })
        assert.match(killed.outcome.output.text, /^signal KILL/)
      })
    )
  )

  it.live("gives the command what was planned, and none of the host's variables", () =>
    withTerminal((scene) =>
      Effect.gen(function* () {
        scene.put("ws/sub/x", "")
        const { outcome, told } = yield* run(scene, {
          command: "pwd; cat; env | sort",
          cwd: "sub",
          stdin: "typed\n",
          env: { ADDED: "yes" }
        })
        const { text } = outcome.output
        assert.include(text, `${scene.workspace}/sub\ntyped\n`)
        for (const line of [
          "ADDED=yes",
          "GIT_TERMINAL_PROMPT=0",
          "GIT_PAGER=cat",
          "GIT_OPTIONAL_LOCKS=0",
          `HOME=${scene.root}/home`
        ]) {
          assert.include(text, `${line}\n`)
        }
        assert.notInclude(text, "PROVIDER_KEY")
        assert.notInclude(text, "API_TOKEN")
        assert.include(told.live, "typed\n")
      })
    )
  )

  it.live("masks a bound secret in everything that is kept or shown", () =>
    withTerminal((scene) =>
      Effect.gen(function* () {
        const secrets = new Map([["TOKEN", Redacted.make("tok-1234567890")]])
        const command =
          'printf %s "$TOKEN" | cut -c1-6 | tr -d "\\n"; sleep 0.05; printf %s "$TOKEN" | cut -c7-; printf "%s" "$TOKEN" >&2'
        const { outcome, told } = yield* run(scene, { command }, secrets)
        const everything = JSON.stringify(outcome) + told.live
        assert.notInclude(everything, "tok-1234567890")
        assert.include(everything, "<redacted:TOKEN>")
        const [artifact] = outcome.output.artifacts
        assert.isDefined(artifact)
        const kept = join(scene.root, "host", "artifacts", artifact.id, artifact.name)
        assert.notInclude(fs.readFileSync(kept, "utf8"), "tok-1234567890")
      })
    )
  )

  it.live("says where the rest of a long output is", () =>
    withTerminal((scene) =>
      Effect.gen(function* () {
        const { outcome, told } = yield* run(scene, { command: "seq 1 100000" })
        assert.match(
          outcome.output.text,
          /stdout \(the end of 588895 characters, 588895 bytes; all of it is artifact artifact_[0-9a-f]{32}\):/
        )
        assert.isBelow(outcome.output.text.length, 12_300)
        assert.isAtMost(told.live.length, 320_000)
      })
    )
  )

  it.live("ends the tree when it is interrupted, and tells what it had said", () =>
    withTerminal((scene) =>
      Effect.gen(function* () {
        const call = planCall(scene.entry, { command: "echo before; sleep 60 & setsid sleep 60 & wait" }, scene.turn)
        const began = performance.now()
        yield* Effect.timeout(Effect.scoped(call.run), 300).pipe(Effect.flip)
        assert.isBelow(performance.now() - began, 2500)
        assert.isNull(call.told.unconfirmed)
        assert.deepInclude(call.told.output?.data, { stdout: "before\n", signal: "TERM" })
        assert.deepInclude(call.told.output?.operator?.data, { confirmed_gone: true })
      })
    )
  )

  it.live("is interrupted itself when the host shuts down", () =>
    withTerminal((scene) =>
      Effect.gen(function* () {
        const { shutdown } = yield* Processes
        const call = planCall(scene.entry, { command: "echo before; sleep 60" }, scene.turn)
        const exit = yield* Effect.scoped(call.run).pipe(
          Effect.exit,
          Effect.zipLeft(Effect.zipRight(Effect.sleep(200), shutdown), { concurrent: true })
        )
        assert.isTrue(exit._tag === "Failure" && exit.cause._tag === "Interrupt")
        assert.deepInclude(call.told.output?.data, { stdout: "before\n" })
        const late = yield* Effect.flip(Effect.scoped(planCall(scene.entry, { command: "ls" }, scene.turn).run))
        assert.deepInclude(late, { reason: "shutdown", mayHaveHappened: false })
      })
    )
  )

  it.live("does not run in a folder that took the place of the approved one", () =>
    withTerminal((scene) =>
      Effect.gen(function* () {
        scene.put("ws/sub/x", "")
        const call = planCall(scene.entry, { command: "touch ran", cwd: "sub" }, scene.turn)
        fs.renameSync(join(scene.workspace, "sub"), join(scene.workspace, "old"))
        fs.mkdirSync(join(scene.workspace, "sub"))
        const error = yield* Effect.flip(Effect.scoped(call.run))
        assert.deepInclude(error, { reason: "cwd", mayHaveHappened: false })
        assert.deepStrictEqual(fs.readdirSync(join(scene.workspace, "sub")), [])
      })
    )
  )

  it.live("is held to the owner's limits", () =>
    withTerminal(
      (scene) =>
        Effect.gen(function* () {
          const { outcome } = yield* run(scene, { command: "ulimit -n" })
          assert.deepInclude(outcome.output.data, { stdout: "40\n" })
        }),
      { limits: { openFiles: 40 } }
    )
  )

  it.live("becomes a task where somebody keeps tasks", () => {
    const started: Array<string> = []
    const tasks = Layer.succeed(TaskStarter, {
      start: ({ spawn, summary, timeoutMillis }) =>
        Effect.sync(() => {
          started.push(`${summary} ${timeoutMillis} ${spawn.args.join(" ")}`)
          return { taskId: TaskId("task_1") }
        })
    })
    return withTerminal(
      (scene) =>
        Effect.gen(function* () {
          const { outcome } = yield* run(scene, { command: "sleep 5", background: true })
          assert.deepStrictEqual(outcome.output.data, { task_id: "task_1" })
          assert.deepStrictEqual(started, ["sleep 5 30000 -c -- sleep 5"])
        }),
      {},
      Effect.provide(terminalEntry, tasks)
    )
  })
})
