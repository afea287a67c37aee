import { assert, describe, it } from "@effect/vitest"
import { readManifest } from "@gatehouse/catalog/manifests/Manifest"
import * as Either from "effect/Either"
import { kinds, loadCases } from "../../../test/vectors/run.mjs"

const vectors = kinds["manifest-validation"]

describe("manifest-validation.json", () => {
  for (const vector of loadCases("manifest-validation")) {
    it(`${vector.id} ${vector.kind}`, () => {
      const begin = process.cpuUsage()
      const read = readManifest(vector.input.file, vector.input.yaml)
      const { user } = process.cpuUsage(begin)
      assert.isNotNull(read)
      const output = Either.match(read, {
        onLeft: ([first]) => ({ accepted: false, ...first }),
        onRight: ({ value }) => ({ accepted: true, values: value })
      })
      assert.deepStrictEqual(vectors.compare(vector, output), [])
      assert.isBelow(user, vectors.micros)
    })
  }
})
