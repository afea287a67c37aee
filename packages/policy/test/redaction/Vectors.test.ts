import { assert, describe, it } from "@effect/vitest"
import type { Json } from "@gatehouse/core/Json"
import { redactionFailedText, viewNames } from "@gatehouse/core/View"
import { payloadViews } from "@gatehouse/policy/redaction/PayloadViews"
import type { CallToRender, SecretSources } from "@gatehouse/policy/redaction/Redactor"
import type { FaultStage } from "@gatehouse/policy/redaction/RedactorLive"
import { kinds, loadCases } from "../../../../test/vectors/run.mjs"
import { redactorOf } from "./cases.ts"

interface RedactionInput {
  readonly args?: unknown
  readonly result?: unknown
  readonly error?: unknown
  readonly bindings?: ReadonlyArray<{ readonly name: string; readonly value: string }>
  readonly env?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly stream?: { readonly chunks?: ReadonlyArray<string>; readonly text?: string; readonly split_bytes?: number }
  readonly fault?: { readonly stage: string }
}
interface RedactionCase {
  readonly id: string
  readonly kind: string
  readonly input: RedactionInput
  readonly expect: unknown
}

// The file's form is checked by the runner itself; its own types are plain JavaScript.
const cases = loadCases("redaction") as ReadonlyArray<RedactionCase>

const sourcesOf = (input: RedactionInput): SecretSources => ({
  bindings: new Map((input.bindings ?? []).map(({ name, value }) => [name, value])),
  environment: input.env ?? {},
  headers: input.headers ?? {}
})

const streamOf = (input: RedactionInput): ReadonlyArray<Uint8Array> | undefined => {
  const { stream } = input
  if (stream === undefined) return undefined
  if (stream.chunks !== undefined) return stream.chunks.map((chunk) => Buffer.from(chunk, "utf8"))
  const bytes = Buffer.from(stream.text ?? "", "utf8")
  const size = stream.split_bytes ?? bytes.length
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size)
  )
}

const payloadOf = (input: RedactionInput) => {
  const stream = streamOf(input)
  const payload = { args: input.args, result: input.result, error: input.error }
  return stream === undefined ? payload : { ...payload, stream: Buffer.concat(stream).toString("utf8") }
}

/** Where a redactor is made to fail; the two that are not here are a slow clock and a value that holds itself. */
const faults = new Map<string, FaultStage>([
  ["serialize", "serialize"],
  ["toString", "copy"],
  ["error-with-secret", "mask"],
  ["render", "render"],
  ["render:model", "render:model"],
  ["render:operator", "render:operator"],
  ["render:event", "render:event"],
  ["render:durable", "render:durable"],
  ["render:debug", "render:debug"]
])

/** The payload as a call that failed at `stage` in the redactor. */
const failingViews = (input: RedactionInput, stage: string): Readonly<Record<string, Json>> => {
  const fault = faults.get(stage)
  let ticks = 0
  const redactor = redactorOf(fault === undefined ? {} : { faults: { stage: fault } }, () => {
    ticks += stage === "timeout" ? 1_000 : 0
    return ticks
  })
  const data: Record<string, unknown> = { ...input }
  if (stage === "cycle") data["self"] = data
  const rendered = redactor.render(callOf(input, data), sourcesOf(input))
  const failed = stage === "cycle" ? true : rendered.ok === false
  assert.isTrue(failed, "the fault was not seen")
  return Object.fromEntries(
    viewNames.map((name) => {
      const view = rendered.views[name]
      return [name, view.data === undefined && view.text === redactionFailedText ? view.text : { ...view }]
    })
  )
}

const callOf = (input: RedactionInput, data: unknown): CallToRender => ({
  tool: "demo",
  action: "demo",
  target: "demo",
  status: "succeeded",
  executionStarted: true,
  mayHaveHappened: true,
  arguments: input.args,
  text: JSON.stringify(input.result ?? null),
  data,
  operatorText: null,
  operatorData: null,
  artifacts: [],
  error: null,
  stages: [],
  displayPolicy: "full",
  modelOutputPolicy: "content"
})

describe("redaction vectors", () => {
  const redactor = redactorOf()
  for (const test of cases.filter(({ input }) => input.fault === undefined)) {
    it(test.id, () => {
      const payload = redactor.redact(payloadOf(test.input), sourcesOf(test.input))
      assert.deepStrictEqual(kinds.redaction.compare(test, { views: payloadViews(payload) }), [])
    })
  }

  for (const test of cases.filter(({ input }) => input.stream !== undefined && input.bindings !== undefined)) {
    it(`${test.id} as a stream of bytes`, () => {
      const mask = redactor.streamMask(sourcesOf(test.input).bindings)
      const out = (streamOf(test.input) ?? []).map((chunk) => mask.push(chunk))
      const stream = Buffer.concat([...out, mask.end()]).toString("utf8")
      const views = Object.fromEntries(viewNames.map((name) => [name, { stream }]))
      assert.deepStrictEqual(kinds.redaction.compare(test, { views }), [])
    })
  }

  for (const test of cases.filter(({ input }) => input.fault !== undefined)) {
    it(`${test.id}: ${test.input.fault?.stage}`, () => {
      const stage = test.input.fault?.stage ?? ""
      const answer = { views: failingViews(test.input, stage), status: "failed", execution_started: true }
      assert.deepStrictEqual(kinds.redaction.compare(test, answer), [])
    })
  }
})
