/** What redaction adds to a result that is sent anyway: ratios against `JSON.stringify` of the same value. */
import { freezeJson, type Json } from "@gatehouse/core/Json"
import { holdsSecret, KnownSecrets } from "@gatehouse/policy/redaction/exact/KnownSecrets"
import type { CallToRender, SecretSources } from "@gatehouse/policy/redaction/Redactor"
import { makeRedactor } from "@gatehouse/policy/redaction/RedactorLive"
import { makeSecretText } from "@gatehouse/policy/redaction/text/SecretText"
import * as Either from "effect/Either"
import type { BenchRow } from "../lib/BenchRow.ts"

/** Short rounds, of which the best counts: on a busy machine one of them runs undisturbed. */
const rounds = 80

export const measure = async (): Promise<ReadonlyArray<BenchRow>> => {
  const result = resultOf(129_000)
  const text = JSON.stringify(result)
  const bytes = Buffer.from(text, "utf8")
  const stringify = best(20, () => JSON.stringify(result).length)
  const encode = best(20, () => Buffer.from(text, "utf8").length)
  const unit = "× JSON.stringify"

  const secretText = makeSecretText({ fieldNames: [], patterns: [] })
  if (secretText.mayHoldSecret(bytes)) throw new Error("the result is not clean: the measurement is wrong")
  const look = best(20, () => secretText.mayHoldSecret(bytes))
  const known = new KnownSecrets()
  const withSecrets = [1, 1_000].map((count) => {
    const set = known.of(secretsOf(count))
    return { count, micros: look + best(20, () => holdsSecret(bytes, [set])) }
  })
  const many = secretsOf(1_000)
  const exact = best(20, () => holdsSecret(bytes, [known.of(many)]))
  const expression = new RegExp([...many].join("|"))
  const combined = best(1, () => expression.test(text), 5)

  const redactor = makeRedactor({ homeKey: new Uint8Array(32), hostEnvironment: {} }, () => 0)
  const call = callOf(result)
  if (!redactor.render(call, noSources).ok) throw new Error("the call was not rendered: the measurement is wrong")
  const views = best(10, () => redactor.render(call, noSources).ok)

  return [
    { name: "redaction of a 129 kB result, nothing found", value: look / stringify, limit: 0.15, unit },
    ...withSecrets.map(({ count, micros }) => ({
      name: `the same with ${count.toLocaleString("en")} known secrets`,
      value: micros / stringify,
      limit: 1.5,
      unit
    })),
    {
      name: "all five views, beyond stringify and encode",
      value: (views - stringify - encode) / stringify,
      limit: 1.8,
      unit
    },
    {
      name: "1,000 known secrets against one regular expression",
      value: combined / exact,
      limit: 300,
      atLeast: true,
      unit: "times as fast"
    }
  ]
}

/** Microseconds of one `work` in the best round. */
const best = (count: number, work: () => unknown, most = rounds): number => {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < most; round++) {
    const begun = performance.now()
    for (let index = 0; index < count; index++) work()
    least = Math.min(least, ((performance.now() - begun) * 1000) / count)
  }
  return least
}

/** A listing as a tool returns it, frozen as every result is. */
const resultOf = (size: number): Json => {
  const rows: Array<unknown> = []
  for (let length = 0; length < size; length += 185) {
    const index = rows.length
    rows.push({
      id: index,
      name: `item number ${index}`,
      path: `packages/core/src/File${index}.ts`,
      description: "Some words about the item, which mean nothing.",
      size: index * 37,
      ok: index % 2 === 0,
      tags: ["alpha", "beta"]
    })
  }
  return Either.getOrThrowWith(freezeJson({ rows }), () => new Error("the result is no JSON"))
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

/** Secrets of 24 to 40 letters and digits; the same ones in every run. */
const secretsOf = (count: number): ReadonlySet<string> => {
  let state = 20_260_101
  const letter = (): string => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return letters.charAt((state >> 8) % letters.length)
  }
  return new Set(
    Array.from({ length: count }, (_, index) => Array.from({ length: 24 + (index % 17) }, letter).join(""))
  )
}

const noSources: SecretSources = { bindings: new Map(), environment: {}, headers: {} }

const callOf = (data: Json): CallToRender => ({
  tool: "list_items",
  action: "list",
  target: "items",
  status: "succeeded",
  executionStarted: true,
  mayHaveHappened: true,
  arguments: { path: "items" },
  text: "700 items",
  data,
  operatorText: null,
  operatorData: null,
  artifacts: [],
  error: null,
  stages: [],
  displayPolicy: "full",
  modelOutputPolicy: "content"
})
