import { assert, describe, it } from "@effect/vitest"
import type { NamingInput, ServerTools } from "@gatehouse/catalog/names/ToolNames"
import { nameTools } from "@gatehouse/catalog/names/ToolNames"
import { kinds, loadCases } from "../../../test/vectors/run.mjs"

const answer = (input: Partial<NamingInput>) => {
  const naming = nameTools({ servers: [], builtin: [], authored: [], ...input })
  return naming.outcome === "collision"
    ? naming
    : {
        ...naming,
        names: Object.fromEntries(naming.names.map(({ name, server, tool }) => [`${server}/${tool}`, name]))
      }
}

const reversed = (servers: ReadonlyArray<ServerTools>) =>
  [...servers].reverse().map((server) => ({ ...server, tools: [...server.tools].reverse() }))

describe("tool-names.json", () => {
  for (const vector of loadCases("tool-names")) {
    it(`${vector.id} ${vector.kind}`, () => {
      const turned = answer({ ...vector.input, servers: reversed(vector.input.servers) })
      assert.deepStrictEqual(kinds["tool-names"].compare(vector, answer(vector.input), turned), [])
    })
  }
})
