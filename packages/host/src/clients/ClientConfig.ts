/** The text of a client's configuration with the endpoint in it; everything else stays as its owner wrote it. Pure. */
import type { Json, JsonObject } from "@gatehouse/core/Json"
import * as Either from "effect/Either"
import { applyEdits, modify, type ParseError, parse } from "jsonc-parser"
import { type ClientProfile, endpointName, type Reach } from "./ClientProfiles.ts"

export interface ChangedConfig {
  readonly text: string
  /** Servers that the client keeps beside the endpoint, by name. */
  readonly others: ReadonlyArray<string>
}

/** `text` (empty where there is no file) with the endpoint under its name; or why it cannot be edited. */
export const withEndpoint = (
  profile: ClientProfile,
  text: string,
  reach: Reach
): Either.Either<ChangedConfig, string> =>
  profile.format === "json" ? inJson(profile, text, reach) : Either.right(inToml(profile, text, reach))

/** The part that holds the endpoint alone, for pasting. */
export const snippet = (profile: ClientProfile, reach: Reach): string =>
  profile.format === "json"
    ? JSON.stringify(nested([...profile.servers, endpointName], profile.entry(reach)), null, 2)
    : tomlTable(profile, reach)

const inJson = (
  { entry, servers }: ClientProfile,
  text: string,
  reach: Reach
): Either.Either<ChangedConfig, string> => {
  const faults: Array<ParseError> = []
  const held: unknown = parse(text, faults, { allowTrailingComma: true, allowEmptyContent: true })
  if (faults.length > 0) return Either.left("it is no JSON that can be edited")
  if (text.trim() !== "" && !isObject(held)) return Either.left("it holds no object")
  const known = servers.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), held)
  if (known !== undefined && !isObject(known)) return Either.left(`${servers.join(".")}: it is no object`)
  const edits = modify(text, [...servers, endpointName], entry(reach), {
    formattingOptions: { insertSpaces: true, tabSize: 2, eol: "\n" }
  })
  const edited = applyEdits(text, edits)
  return Either.right({
    text: edited.endsWith("\n") ? edited : `${edited}\n`,
    others: Object.keys(known ?? {}).filter((name) => name !== endpointName)
  })
}

/** The endpoint's own table is replaced where it stands, or added at the end; nothing else is touched. */
const inToml = (profile: ClientProfile, text: string, reach: Reach): ChangedConfig => {
  const [root = ""] = profile.servers
  const lines = text.split("\n")
  const tables = lines.flatMap((line, at) => {
    const name = new RegExp(`^\\s*\\[\\s*${root}\\s*\\.\\s*("?)([\\w-]+)\\1\\s*(?:\\..*)?\\]`).exec(line)?.[2]
    return name === undefined ? [] : [{ name, at }]
  })
  const isTable = (line: string): boolean => /^\s*\[/.test(line)
  const kept: Array<string> = []
  let isOwn = false
  for (const [at, line] of lines.entries()) {
    if (isTable(line)) isOwn = tables.some((table) => table.at === at && table.name === endpointName)
    if (!isOwn) kept.push(line)
  }
  const before = kept.join("\n").trimEnd()
  return {
    text: `${before === "" ? "" : `${before}\n\n`}${tomlTable(profile, reach)}\n`,
    others: [...new Set(tables.map(({ name }) => name))].filter((name) => name !== endpointName)
  }
}

/** JSON's texts and lists of texts are TOML's too (basic strings; arrays). */
const tomlTable = ({ entry, servers }: ClientProfile, reach: Reach): string =>
  [
    `[${[...servers, endpointName].join(".")}]`,
    ...Object.entries(entry(reach)).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  ].join("\n")

const nested = (path: ReadonlyArray<string>, value: Json): JsonObject => {
  const [first = "", ...rest] = path
  return { [first]: rest.length === 0 ? value : nested(rest, value) }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
