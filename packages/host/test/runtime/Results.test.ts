import { BindingError } from "@gatehouse/core/EffectError"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import { CallId, CatalogId } from "@gatehouse/core/Identifiers"
import { stages } from "@gatehouse/core/Stage"
import { statuses } from "@gatehouse/core/Status"
import { exitStatus } from "@gatehouse/host/cli/ExitStatus"
import { toToolResult } from "@gatehouse/host/runtime/ToolResult"
import { unboundCall } from "@gatehouse/host/runtime/UnboundCall"
import { assert, describe, it } from "vitest"

const refused: EffectResult = unboundCall(
  { callId: CallId("call_1"), tool: "nope", catalog: CatalogId("catalog") },
  "not_found",
  new BindingError({ reason: "unknown_name", message: "no such tool", remedy: "look at the names" })
)

describe("a call that no request could be made for", () => {
  it("says so in all eight stages, and started nothing", () => {
    assert.deepStrictEqual(
      refused.stages.map(({ stage }) => stage),
      [...stages]
    )
    assert.deepStrictEqual([refused.stages[0]?.verdict, refused.stages[1]?.verdict], ["refused", "skipped"])
    assert.isFalse(refused.executionStarted)
    assert.isNull(refused.provenance)
  })
})

describe("the plain tool result", () => {
  it("is the model's view and nothing else, with the typed ending where it did not succeed", () => {
    assert.deepStrictEqual(toToolResult(refused), {
      content: [{ type: "text", text: refused.views.model.text }],
      structuredContent: {
        status: "not_found",
        executionStarted: false,
        mayHaveHappened: false,
        error: { tag: "BindingError", stage: "binding", message: "no such tool", remedy: "look at the names" }
      },
      isError: true
    })
  })
  it("carries structured content of a success only where it is an object", () => {
    const views = { ...refused.views, model: { text: "done", data: { count: 1 } } }
    const succeeded: EffectResult = { ...refused, status: "succeeded", error: null, views }
    assert.deepStrictEqual(toToolResult(succeeded), {
      content: [{ type: "text", text: "done" }],
      structuredContent: { count: 1 },
      isError: false
    })
    const listed: EffectResult = { ...succeeded, views: { ...views, model: { text: "done", data: [1] } } }
    assert.notProperty(toToolResult(listed), "structuredContent")
  })
})

describe("the exit status", () => {
  it("has one number for each status, as the README lists them", () => {
    assert.deepStrictEqual(
      statuses.map((status) => [status, exitStatus[status]]),
      [
        ["succeeded", 0],
        ["denied", 3],
        ["invalid", 2],
        ["not_found", 4],
        ["failed", 1],
        ["timed_out", 5],
        ["cancelled", 6],
        ["indeterminate", 7]
      ]
    )
  })
})
