import { assert, it } from "@effect/vitest"
import { bounded } from "@gatehouse/adapters/builtin/terminal/LiveOutput"

it("passes on what can be followed, and one mark for each gap", () => {
  const seen: Array<string> = []
  let now = 0
  const watch = bounded(
    (stream, text) => void seen.push(`${stream} ${text.length}`),
    () => now
  )
  watch("stdout", "x".repeat(150_000))
  watch("stdout", "x".repeat(100_000))
  watch("stdout", "x".repeat(100_000))
  watch("stderr", "y")
  now = 1000
  watch("stdout", "x".repeat(100_000))
  assert.deepStrictEqual(seen, ["stdout 150000", "stdout 23", "stderr 1", "stdout 100000"])
})
