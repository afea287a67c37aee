/** What a schema refused, told as faults of a manifest. The one place that reads Effect's parse issues. */
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as SchemaAST from "effect/SchemaAST"
import type { FaultCode } from "./ManifestFault.ts"
import { nearestName } from "./NearestName.ts"
import { ExpectedHint, FaultCodeHint } from "./SchemaHints.ts"

/** A fault before its file and line are known. */
export interface FieldFault {
  readonly path: ReadonlyArray<PropertyKey>
  readonly code: FaultCode
  readonly suggestion: string | null
  readonly message: string
}

/** All faults in `issue`, in the order of the schema's own walk. */
export const schemaFaults = (issue: ParseResult.ParseIssue): ReadonlyArray<FieldFault> => told(issue, [], [])

/** All of `issue` in one line for people, for input that is no file: `servers.0.id: must be a text; it is a number`. */
export const renderIssue = (issue: ParseResult.ParseIssue): string =>
  schemaFaults(issue)
    .map(({ message, path }) => (path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`))
    .join("\n")

const told = (
  issue: ParseResult.ParseIssue,
  path: ReadonlyArray<PropertyKey>,
  known: ReadonlyArray<string>
): ReadonlyArray<FieldFault> => {
  switch (issue._tag) {
    case "Pointer":
      return told(issue.issue, [...path, ...(typeof issue.path === "object" ? issue.path : [issue.path])], known)
    case "Composite":
      return SchemaAST.isUnion(issue.ast) ? toldUnion(issue, issue.ast, path) : toldParts(issue, path)
    case "Refinement":
      return issue.kind === "From" || issue.issue._tag !== "Type"
        ? told(issue.issue, path, known)
        : [refused(issue.issue, issue.ast, path)]
    case "Transformation":
      return told(issue.issue, path, known)
    case "Unexpected":
      return [unknownField(path, known)]
    case "Missing":
      return [{ path, code: "missing_field", suggestion: null, message: "is missing; it is required here" }]
    case "Type":
      return [refused(issue, issue.ast, path)]
    case "Forbidden":
      return [{ path, code: "invalid_value", suggestion: null, message: "cannot be judged here" }]
  }
}

const toldParts = (issue: ParseResult.Composite, path: ReadonlyArray<PropertyKey>): ReadonlyArray<FieldFault> =>
  partsOf(issue).flatMap((part) => told(part, path, fieldNames(issue.ast)))

const partsOf = (issue: ParseResult.Composite): ReadonlyArray<ParseResult.ParseIssue> =>
  "_tag" in issue.issues ? [issue.issues] : issue.issues

/** Alternatives: one fault for a list of words; else what the alternative says that is not just `null`. */
const toldUnion = (
  issue: ParseResult.Composite,
  union: SchemaAST.Union,
  path: ReadonlyArray<PropertyKey>
): ReadonlyArray<FieldFault> => {
  if (union.types.every(SchemaAST.isLiteral)) return [refusedWord(issue.actual, union, union.types, path)]
  const parts = partsOf(issue).filter((part) => !("ast" in part && isAbsence(part.ast)))
  return parts.flatMap((part) => told(part, path, []))
}

/** `null`, or what a field that may be left out is in its stead. */
const isAbsence = (ast: SchemaAST.Annotated): boolean =>
  "_tag" in ast &&
  (ast._tag === "UndefinedKeyword" || (ast._tag === "Literal" && "literal" in ast && ast.literal === null))

const refusedWord = (
  actual: unknown,
  ast: SchemaAST.Annotated,
  words: ReadonlyArray<SchemaAST.Literal>,
  path: ReadonlyArray<PropertyKey>
): FieldFault => {
  const literals = words.map(({ literal }) => literal)
  const names = literals.filter(Predicate.isString)
  const sameType = literals.some((literal) => typeof literal === typeof actual)
  const expected = hint(ast, ExpectedHint) ?? oneOf(literals.map(String))
  return {
    path,
    code: sameType ? (codeOf(ast) ?? "invalid_value") : "invalid_type",
    suggestion: typeof actual === "string" ? nearestName(actual, names) : null,
    message: `must be ${expected}; it is ${shapeOf(actual)}`
  }
}

const refused = (issue: ParseResult.Type, ast: SchemaAST.AST, path: ReadonlyArray<PropertyKey>): FieldFault => {
  if (SchemaAST.isLiteral(ast)) return refusedWord(issue.actual, ast, [ast], path)
  // A judgement speaks for itself; a shape is told from what was expected.
  const message = issue.message ?? `must be ${expectedOf(ast)}; it is ${shapeOf(issue.actual)}`
  const code = SchemaAST.isRefinement(ast) ? (codeOf(ast) ?? "invalid_value") : "invalid_type"
  return { path, code, suggestion: null, message }
}

const unknownField = (path: ReadonlyArray<PropertyKey>, known: ReadonlyArray<string>): FieldFault => {
  const suggestion = nearestName(String(path.at(-1)), known)
  const question = suggestion === null ? "" : ` Did you mean \`${suggestion}\`?`
  return {
    path,
    code: "unknown_field",
    suggestion,
    message: `is no field here.${question} Known are ${known.join(", ")}`
  }
}

const hint = (ast: SchemaAST.Annotated, id: symbol): string | null => {
  const value = ast.annotations[id]
  return typeof value === "string" ? value : null
}

// The annotation is only ever written by `hints` and its neighbours, whose type is the closed list.
const codeOf = (ast: SchemaAST.Annotated): FaultCode | null => hint(ast, FaultCodeHint) as FaultCode | null

const fieldNames = (ast: SchemaAST.Annotated): ReadonlyArray<string> =>
  "_tag" in ast && ast._tag === "TypeLiteral" && "propertySignatures" in ast && Array.isArray(ast.propertySignatures)
    ? ast.propertySignatures.map((signature: SchemaAST.PropertySignature) => String(signature.name))
    : []

const expectedOf = (ast: SchemaAST.AST): string => {
  const expected = hint(ast, ExpectedHint)
  if (expected !== null) return expected
  switch (ast._tag) {
    case "StringKeyword":
      return "a text"
    case "NumberKeyword":
      return "a number"
    case "BooleanKeyword":
      return "`true` or `false`"
    case "TupleType":
      return "a list (`[…]`, or lines that begin with `- `)"
    case "TypeLiteral":
      return "a block of fields"
    case "Refinement":
      return Option.getOrElse(SchemaAST.getDescriptionAnnotation(ast), () => expectedOf(ast.from))
    case "Transformation":
      return expectedOf(ast.from)
    default:
      return "another value"
  }
}

/** What a value looks like, without saying what it is. */
const shapeOf = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return `a list of ${value.length}`
  switch (typeof value) {
    case "string":
      return `a text of ${value.length} characters`
    case "object":
      return "a block of fields"
    case "boolean":
      return "a truth value"
    default:
      return `a ${typeof value}`
  }
}

const oneOf = (words: ReadonlyArray<string>): string =>
  words.length === 1 ? `\`${words[0]}\`` : `one of ${words.map((word) => `\`${word}\``).join(", ")}`
