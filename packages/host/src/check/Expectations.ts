/**
 * Files of cases with what each must answer: a team's tests of its policy. YAML is read strictly, every fault with its
 * line; JSON in the form of `test/vectors`, whose cases hold more fields. Pure.
 */
import { renderFault } from "@gatehouse/catalog/manifests/ManifestFault"
import { readYamlFile, strictly } from "@gatehouse/catalog/manifests/YamlFile"
import { freezeJson, type Json } from "@gatehouse/core/Json"
import { getLefts, getRights } from "effect/Array"
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { type CheckKindName, checkKindNames } from "./CheckKinds.boundary.ts"

/** The kinds that a case may be of. */
export type ExpectedKind = CheckKindName | "call"

export const expectedKinds: ReadonlyArray<ExpectedKind> = [...checkKindNames, "call"]

const isExpectedKind = (name: unknown): name is ExpectedKind => expectedKinds.some((kind) => kind === name)

export interface ExpectedCase {
  /** `file:line` of the case, or the file alone where lines are not known. */
  readonly place: string
  readonly id: string
  /** Null where the file does not say: then it is of the kind that was asked for. */
  readonly kind: ExpectedKind | null
  readonly input: unknown
  readonly expect: Json
}

/** What is wrong with a file, one fault a line, each with its place. */
export type ExpectationFaults = ReadonlyArray<string>

/**
 * The cases of the file named `file`. In YAML a list of cases with their `kind`, or a map from kinds to lists of cases;
 * each case has `id`, `input`, `expect` and perhaps a `note`.
 *
 * @example
 * // command:
 * //   - id: tests-ask
 * //     input: { command: npm test }
 * //     expect: { decision: prompt }
 */
export const readExpectations = (
  file: string,
  text: string
): Either.Either<ReadonlyArray<ExpectedCase>, ExpectationFaults> =>
  Either.flatMap(isJson(file, text) ? readJsonCases(file, text) : readYamlCases(file, text), uniquely)

const isJson = (file: string, text: string): boolean => /\.json$/i.test(file) || (file === "-" && /^\s*[[{]/.test(text))

const fields = {
  id: Schema.NonEmptyTrimmedString,
  input: Schema.Unknown,
  expect: Schema.Unknown,
  note: Schema.optional(Schema.String)
}
const Kind = Schema.Literal(...checkKindNames, "call")
const CaseList = Schema.Array(Schema.Struct({ ...fields, kind: Schema.optional(Kind) }))
const OfKind = Schema.optional(Schema.Array(Schema.Struct(fields)))
const CasesByKind = Schema.Struct({
  approval: OfKind,
  call: OfKind,
  capability: OfKind,
  command: OfKind,
  env: OfKind,
  manifest: OfKind,
  path: OfKind,
  redact: OfKind,
  "tool-name": OfKind,
  url: OfKind
} satisfies Record<ExpectedKind, typeof OfKind>)

const decodeList = Schema.decodeUnknownEither(CaseList, strictly)
const decodeMap = Schema.decodeUnknownEither(CasesByKind, strictly)

/** A case as it was read, and where in the file. */
interface ReadCase {
  readonly path: ReadonlyArray<string>
  readonly kind: ExpectedKind | null
  readonly id: string
  readonly input: unknown
  readonly expect: unknown
}

const readYamlCases = (file: string, text: string): Either.Either<ReadonlyArray<ExpectedCase>, ExpectationFaults> =>
  readYamlFile(file, text, decodeYaml).pipe(
    Either.mapLeft((faults) => faults.map(renderFault)),
    Either.flatMap(({ lineOf, value }) => placed(value, (path) => `${file}:${lineOf(path)}`))
  )

const decodeYaml = (input: unknown): Either.Either<ReadonlyArray<ReadCase>, ParseResult.ParseError> =>
  Array.isArray(input)
    ? Either.map(decodeList(input), (cases) =>
        cases.map(({ kind = null, ...one }, index) => ({ ...one, kind, path: [`${index}`] }))
      )
    : Either.map(decodeMap(input), (byKind) =>
        expectedKinds.flatMap((kind) =>
          (byKind[kind] ?? []).map((one, index) => ({ ...one, kind, path: [kind, `${index}`] }))
        )
      )

const readJsonCases = (file: string, text: string): Either.Either<ReadonlyArray<ExpectedCase>, ExpectationFaults> =>
  Either.flatMap(
    Either.try({
      try: (): unknown => JSON.parse(text),
      catch: (error) => [`${file}: is no JSON: ${error instanceof Error ? error.message : "unknown fault"}`]
    }),
    (value) => {
      const cases = (Array.isArray(value) ? value : [value]).map((one: unknown, index) => {
        const id = fieldOf(one, "id")
        const kind = fieldOf(one, "kind")
        return {
          path: [`${index}`],
          // In the files of `test/vectors` the word is the family of a case.
          kind: isExpectedKind(kind) ? kind : null,
          id: typeof id === "string" ? id : `${index}`,
          input: fieldOf(one, "input"),
          expect: fieldOf(one, "expect")
        }
      })
      return placed(cases, () => file)
    }
  )

/** Keeps what a case expects as plain JSON. */
const placed = (
  cases: ReadonlyArray<ReadCase>,
  placeOf: (path: ReadonlyArray<string>) => string
): Either.Either<ReadonlyArray<ExpectedCase>, ExpectationFaults> => {
  const read = cases.map(({ expect, id, input, kind, path }) =>
    Either.mapBoth(expect === undefined ? Either.left({ path: "", reason: "is missing" }) : freezeJson(expect), {
      onLeft: (refused) =>
        `${placeOf([...path, "expect"])} ${id}: expect${refused.path === "" ? "" : `.${refused.path}`} ${refused.reason}`,
      onRight: (frozen): ExpectedCase => ({ place: placeOf(path), id, kind, input, expect: frozen })
    })
  )
  const faults = getLefts(read)
  return faults.length > 0 ? Either.left(faults) : Either.right(getRights(read))
}

/** Two cases of one name would be one line of a report. */
const uniquely = (
  cases: ReadonlyArray<ExpectedCase>
): Either.Either<ReadonlyArray<ExpectedCase>, ExpectationFaults> => {
  const seen = new Map<string, ExpectedCase>()
  const faults = cases.flatMap((one) => {
    const name = `${one.kind ?? ""} ${one.id}`
    const other = seen.get(name)
    seen.set(name, one)
    return other === undefined ? [] : [`${one.place} ${one.id}: has the id of the case at ${other.place}; rename it`]
  })
  return faults.length > 0 ? Either.left(faults) : Either.right(cases)
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined
