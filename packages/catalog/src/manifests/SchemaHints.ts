/**
 * What a schema says for {@link file://./SchemaFaults.ts} beside its shape: the code of the fault and the words for
 * what is expected. They are annotations, so that one schema is the source of reading, of messages and of the JSON
 * Schema that editors use.
 */
import * as Schema from "effect/Schema"
import type { FaultCode } from "./ManifestFault.ts"

/** Annotation: the code of the fault when this part of a schema refuses. Default: `invalid_value`. */
export const FaultCodeHint: unique symbol = Symbol.for("@gatehouse/catalog/FaultCodeHint")

/** Annotation: what has to stand there, as the end of "must be …". */
export const ExpectedHint: unique symbol = Symbol.for("@gatehouse/catalog/ExpectedHint")

export interface Hints {
  /** The end of "must be …": `a whole number from 1 to 90`. */
  readonly expected: string
  readonly code?: FaultCode
  /** Keywords for the generated JSON Schema. */
  readonly jsonSchema?: object
}

/** Annotations of a refinement. */
export const hints = ({ code, expected, jsonSchema }: Hints) => ({
  [ExpectedHint]: expected,
  [FaultCodeHint]: code ?? "invalid_value",
  jsonSchema: jsonSchema ?? {}
})

/** A field that may be left out, with what it then is; both stand in the JSON Schema. */
export const optional = <A, I>(schema: Schema.Schema<A, I>, fallback: NoInfer<A>, description: string) =>
  Schema.optionalWith(schema.annotations({ description, default: fallback }), { default: () => fallback, exact: true })

/** A field that may be left out and then says nothing. */
export const unset = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  Schema.optionalWith(schema.annotations({ description }), { exact: true })

/** One problem of a name or of a pair of fields, found by {@link judged}. */
export interface Judgement {
  readonly path: ReadonlyArray<string>
  readonly message: string
}

/** `schema`, and a judgement of the whole value that can name parts of it. */
export const judged = <A, I>(
  schema: Schema.Schema<A, I>,
  judge: (value: A) => ReadonlyArray<Judgement>,
  options: { readonly code?: FaultCode; readonly jsonSchema?: object } = {}
) => schema.pipe(Schema.filter((value) => [...judge(value)], hints({ expected: "a valid block", ...options })))
