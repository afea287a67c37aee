/** `gatehouse check call` says what `gatehouse call` does: the same verdicts and rules, stage by stage. */

import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { SessionId } from "@gatehouse/core/Identifiers"
import { explanationAnswer } from "@gatehouse/host/check/Call"
import { renderExplanation } from "@gatehouse/host/cli/render/Explanation"
import { dryHostLayer } from "@gatehouse/host/explain/DryHost"
import { Explainer } from "@gatehouse/host/explain/Explainer"
import { executeCall } from "@gatehouse/host/runtime/ExecuteCall"
import { decodeSettings } from "@gatehouse/host/settings/ReadHostSettings.boundary"
import { Turns } from "@gatehouse/host/turns/Turns"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  admitTestTurn,
  generousCore,
  hostOver,
  type TestHost,
  type TestHostOptions,
  testPlace
} from "../support/TestHost.ts"

const settings = `approval:
  tools: { patch: deny }
  risks: { critical: deny }
standing_answers:
  - principal: local
    source: builtin
    tool: terminal
    when: { kind: command, commands: [{ words: [touch], more: true }], covers: [[[touch, a]]], leaves: [[[rm, a]]] }
    reason: touching harms nobody
    until: 2999-12-31
  - principal: local
    source: builtin
    tool: write_file
    answer: deny
    when: { kind: path, pattern: "secret/**", covers: [secret/a], leaves: [a] }
    reason: kept from models
    until: 2999-12-31
`
const core = {
  "agent.yaml": generousCore
    .replace("    network.fetch: {scope: workspace}\n", "    note.write: {scope: workspace}\n")
    .concat("approval:\n  tools:\n    list_files: prompt\n"),
  "agent/tools/note/tool.yaml":
    "description: Notes.\ncapability: note.write\ninput_schema: { type: object, properties: { text: { type: string } }, required: [text] }\n",
  "agent/tools/note/module.mjs": "export const execute = () => 'noted'\n",
  "agent/tools/lost/tool.yaml": "description: Needs what nobody grants.\ncapability: lost.cause\n",
  "agent/tools/lost/module.mjs": "export const execute = () => 'never'\n"
}
const options: TestHostOptions = {
  core,
  settings,
  answers: null,
  workspace: { "README.md": "# Readme\n", ".env": "TOKEN=abc\n", "sub/a.txt": "a" }
}

/** The dry host over the same place, its settings and its variables. */
const dryOver = (place: TestHost) =>
  Layer.unwrapEffect(
    Effect.map(decodeSettings(settings), (placed) =>
      dryHostLayer(join(place.root, "no-home"), {
        settings: placed,
        environment: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
        platform: "posix",
        userHome: join(place.root, "person")
      })
    )
  )

const admitDryTurn = Effect.fnUntraced(function* (place: TestHost) {
  const { local } = yield* Principals
  const core = yield* Effect.flatMap(AgentCores, (cores) => cores.load(place.core))
  return yield* Effect.flatMap(Turns, (turns) =>
    turns.admit({
      principal: local,
      session: SessionId("session_1"),
      core,
      workspace: place.workspace,
      deadline: null,
      route: "interactive",
      cancellation: place.stop.signal
    })
  )
})

const calls: ReadonlyArray<readonly [string, unknown, "run" | "ask" | "refuse"]> = [
  ["read_file", { path: "README.md" }, "run"],
  ["read_file", { path: ".env" }, "ask"],
  ["read_file", { path: "/dev/zero" }, "refuse"],
  ["read_file", { path: "missing.txt" }, "run"],
  ["read_file", { path: 5 }, "refuse"],
  ["read_file", {}, "refuse"],
  ["list_files", {}, "ask"],
  ["write_file", { path: "new.txt", content: "x" }, "ask"],
  ["write_file", { path: "../out.txt", content: "x" }, "refuse"],
  ["write_file", { path: "secret/a.txt", content: "x" }, "refuse"],
  ["patch", { path: "README.md", old: "a", new: "b" }, "refuse"],
  ["terminal", { command: "ls" }, "run"],
  ["terminal", { command: "touch made.txt" }, "run"],
  ["terminal", { command: "touch made.txt", env: { A: "1" } }, "ask"],
  ["terminal", { command: "touch made.txt", cwd: "sub" }, "ask"],
  ["terminal", { command: "npm test" }, "ask"],
  ["terminal", { command: "rm -rf /" }, "refuse"],
  ["terminal", { command: "ls", cwd: ".." }, "refuse"],
  ["terminal", { command: "ls", secret_bindings: [{ source: "env:A", target: "A" }] }, "refuse"],
  ["web_extract", { url: "https://example.com/" }, "refuse"],
  ["note", { text: "x" }, "ask"],
  ["note", {}, "refuse"],
  ["lost", {}, "refuse"],
  ["nothing_of_that_name", {}, "refuse"]
]

describe("gatehouse check call", () => {
  it.live("agrees with the call that is made, stage by stage, and in the words of each", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const place = yield* testPlace(options)
        const explained = yield* Effect.scoped(
          Effect.gen(function* () {
            const { explain } = yield* Explainer
            const turn = yield* admitDryTurn(place)
            return yield* Effect.forEach(calls, ([tool, args]) => explain(turn, tool, args))
          })
        ).pipe(Effect.provide(dryOver(place)))
        const made = yield* Effect.scoped(
          Effect.gen(function* () {
            const turn = yield* admitTestTurn(place)
            return yield* Effect.forEach(calls, ([tool, args]) => executeCall(turn, tool, args))
          })
        ).pipe(Effect.provide(hostOver(place, options)))
        for (const [index, [tool, args, expected]] of calls.entries()) {
          const name = `${tool} ${JSON.stringify(args)}`
          const [explanation, result] = [explained[index], made[index]]
          assert.strictEqual(explanation?.decision, expected, name)
          const real = result?.stages.slice(0, 5).map(({ rule, stage, verdict }) => ({ rule, stage, verdict }))
          const said = explanation?.stages.map(({ rule, stage, verdict }) =>
            // Where a person would be asked, the call found nobody.
            verdict === "asks"
              ? { rule: `${rule} asks, and nobody can be asked here`, stage, verdict: "refused" }
              : { rule, stage, verdict }
          )
          assert.deepStrictEqual(said, real, name)
          if (expected === "refuse") assert.strictEqual(explanation?.status, result?.status, name)
          const answer = explanationAnswer(explanation ?? assert.fail(name), "local")
          assert.notInclude(renderExplanation(null, answer, { colours: false, columns: 100 }), "undefined", name)
          assert.notInclude(JSON.stringify(answer), "TOKEN=abc", name)
        }
      })
    )
  )
})
