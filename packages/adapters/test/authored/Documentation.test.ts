import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { makeArgumentSchemas } from "@gatehouse/adapters/arguments/ArgumentSchemas"
import { AuthoredSource } from "@gatehouse/adapters/authored/AuthoredSource"
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { planCall, turnIn } from "../support/CallEntry.ts"
import { makeScene } from "../support/Scene.ts"

const page = readFileSync(new URL("../../../../docs/authored-tools.md", import.meta.url), "utf8")
const block = (language: string): string => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(page)?.[1] ?? ""

describe("docs/authored-tools.md", () => {
  it.scoped("shows a tool that works as it stands", () =>
    Effect.gen(function* () {
      const { put, root, workspace } = yield* makeScene
      put("core/agent.yaml", "agent:\n  id: docs\n")
      put("core/agent/tools/note/tool.yaml", block("yaml"))
      put("core/agent/tools/note/module.ts", block("ts"))
      const core = yield* Effect.flatMap(AgentCores, (cores) => cores.load(join(root, "core")))
      const turn = turnIn(workspace, { coreRoot: core.root, coreRevision: core.revision })
      const source = yield* AuthoredSource
      const { entries } = yield* source.entries(turn, { pass: () => Effect.dieMessage("not needed") })
      const [entry] = entries
      if (entry === undefined) return yield* Effect.dieMessage("the page shows no tool")
      assert.isNull(makeArgumentSchemas().validate(entry.inputSchema, { text: "milk" }))
      const call = planCall(entry, { text: "milk" }, turn)
      const outcome = yield* call.run
      assert.strictEqual(outcome.output.text, "opening the notes\nnoted")
      assert.deepStrictEqual(outcome.output.data, { characters: 4, archived: true })
      assert.strictEqual(readFileSync(join(workspace, "notes.md"), "utf8"), "- milk\n")
    }).pipe(Effect.provide(Layer.merge(AgentCores.layer, Layer.provide(AuthoredSource.layer, AgentCores.layer))))
  )
})
