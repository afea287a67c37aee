import { earliest } from "@gatehouse/host/runtime/Deadline"
import { assert, it } from "vitest"

it("names whose deadline is the first, and the call's own where they are equal", () => {
  assert.deepStrictEqual(earliest(1_000, 500, null, null), { deadline: 1_500, deadlineBy: "call" })
  assert.deepStrictEqual(earliest(1_000, 500, 1_400, null), { deadline: 1_400, deadlineBy: "turn" })
  assert.deepStrictEqual(earliest(1_000, 500, 1_400, 1_399), { deadline: 1_399, deadlineBy: "secret" })
  assert.deepStrictEqual(earliest(1_000, 500, 1_500, 1_500), { deadline: 1_500, deadlineBy: "call" })
})
