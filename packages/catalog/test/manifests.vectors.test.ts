import { assert, describe, it } from "@effect/vitest"
import { readManifest } from "@gatehouse/catalog/manifests/Manifest"
import * as Either from "effect/Either"
import { kinds, loadCases } from "../../../test/vectors/run.mjs"

const vectors = kinds["manifest-validation"]

describe("manifest-validation.json", () => {
  for (const vector of loadCases("manifest-validation")) {
    it(`${vector.id} ${vector.kind}`, () => {
      const begin = performance.now()
      const read = readManifest(vector.input.file, vector.input.yaml)
      const micros = (performance.now() - begin) * 1000
      assert.isNotNull(read)
      const output = Either.match(read, {
        onLeft: ([first]) => ({ accepted: false, ...first }),
        onRight: ({ value }) => ({ accepted: true, values: value })
      })
      assert.deepStrictEqual(vectors.compare(vector, output), [])
      assert.isBelow(micros, vectors.micros)
    })
  }
})
