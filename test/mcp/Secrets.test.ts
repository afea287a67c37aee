/** What a server was given comes back nowhere, however it is spelt. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { McpConnections } from "@gatehouse/adapters/mcp/McpConnections"
import * as Effect from "effect/Effect"
import { call, mcpNames, stdioYaml, withDeclarations } from "./Harness.ts"

const canary = "canary-0123456789-xyz"

/** All standard spellings of the value. */
const spellings = [
  canary,
  Buffer.from(canary).toString("base64").replace(/=+$/, ""),
  Buffer.from(canary).toString("base64url"),
  Buffer.from(canary).toString("hex"),
  Array.from(Buffer.from(canary), (byte) => `%${byte.toString(16)}`).join("")
]

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)

for (const [how, env, environment] of [
  ["by reference, under a name that tells nothing", 'env: {SERVICE: "${HOST_THING}"}\n', { HOST_THING: canary }],
  ["as it stands, under a name that tells", `env: {SERVICE_TOKEN: "${canary}"}\n`, {}],
  ["by reference to a name that tells", 'env: {SERVICE: "${MY_TOKEN}"}\n', { MY_TOKEN: canary }]
] as const) {
  describe(`a secret ${how}`, () => {
    it.live("is in no view, no file of the home, and no live text", () => {
      const variable = env.includes("SERVICE_TOKEN") ? "SERVICE_TOKEN" : "SERVICE"
      return withDeclarations(
        { docs: `${stdioYaml({ fixture: "echo-secrets", args: ["--variable", variable] })}${env}` },
        ({ live, person, place, session, turn }) =>
          Effect.gen(function* () {
            const names = mcpNames(turn)
            assert.isAbove(names.length, 12)
            const seen: Array<string> = []
            for (const name of names) {
              const result = yield* call(turn, name)
              seen.push(JSON.stringify(result))
              if (name !== "docs__in_blocks") continue
              const halves = [canary.slice(0, 10), canary.slice(10)]
              assert.isFalse(
                halves.every((half) => result.views.model.text.includes(half)),
                "cut in two blocks"
              )
            }
            seen.push(JSON.stringify(person.asked), live.join(""))
            yield* Effect.flatMap(McpConnections, (connections) => connections.evict(session))
            for (const spelling of spellings) {
              for (const text of seen) assert.notInclude(text, spelling)
              for (const file of filesOf(place.home)) {
                if (file.endsWith("-shm")) continue
                assert.isFalse(readFileSync(file).includes(spelling), `${file} holds ${spelling.slice(0, 6)}…`)
              }
            }
            assert.include(readFileSync(join(place.home, "logs/mcp/docs.log"), "utf8"), "starting with")
          }),
        { environment }
      )
    })
  })
}
