/** Reads one YAML file against its schema: what it says with the place of every field, or all that is wrong with it. */
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import type { ManifestFault } from "./ManifestFault.ts"
import { byPlace, visible } from "./ManifestFault.ts"
import type { FieldFault } from "./SchemaFaults.ts"
import { schemaFaults } from "./SchemaFaults.ts"
import { readYaml } from "./YamlText.ts"

/** A manifest with its place in the core, so that a decision can name the line that it rests on. */
export interface ReadManifest<A> {
  readonly file: string
  readonly value: A
  /** The place of a field for people: `agent.yaml:12 approval.tools.write_file`. */
  readonly origin: (path: ReadonlyArray<string>) => string
  /** The line of a field, or of the nearest thing around it. */
  readonly lineOf: (path: ReadonlyArray<string>) => number
}

/** What reading a file gives. */
export type Reading<A> = Either.Either<ReadManifest<A>, ReadonlyArray<ManifestFault>>

/** How the schema of a file decodes it: every fault at once, unknown fields refused. */
export const strictly = { errors: "all", onExcessProperty: "error" } as const

/**
 * Reads `text`, the contents of `file` (as people should see its name), with the decoder of its schema.
 *
 * @example
 * readYamlFile("settings.yaml", text, Schema.decodeUnknownEither(HostSettings, strictly))
 */
export const readYamlFile = <A>(
  file: string,
  text: string,
  decode: (input: unknown) => Either.Either<A, ParseResult.ParseError>
): Reading<A> => {
  const yaml = readYaml(text)
  if (Either.isLeft(yaml)) {
    return Either.left(
      yaml.left.map(({ code, line, message, path }) => ({
        file,
        line,
        field: dotted(path),
        code,
        suggestion: null,
        message
      }))
    )
  }
  const { lineOf, value } = yaml.right
  const placed = (fault: FieldFault): ManifestFault => ({
    file,
    line: lineOf(fault.path),
    field: dotted(fault.path),
    code: fault.code,
    suggestion: fault.suggestion,
    message: fault.message
  })
  return Either.mapBoth(decode(value), {
    onLeft: ({ issue }) => schemaFaults(issue).map(placed).sort(byPlace),
    onRight: (decoded) => ({
      file,
      value: decoded,
      origin: (path: ReadonlyArray<string>) => `${file}:${lineOf(path)} ${visible(dotted(path))}`,
      lineOf
    })
  })
}

const dotted = (path: ReadonlyArray<PropertyKey>): string => path.map(String).join(".")
