/** Pins in a private file of the home, written whole or not at all. */

import { randomBytes } from "node:crypto"
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Fingerprint } from "@gatehouse/core/Fingerprint"
import { freezeJson, isJsonObject } from "@gatehouse/core/Json"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Pin, ServerPins } from "./Pins.ts"

const PinSchema = Schema.Struct({
  fingerprint: Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/)),
  definition: Schema.optional(Schema.Unknown)
})
const FileSchema = Schema.parseJson(
  Schema.Struct({
    version: Schema.Literal(1),
    servers: Schema.Record({ key: Schema.String, value: Schema.Record({ key: Schema.String, value: PinSchema }) })
  })
)
const decode = Schema.decodeUnknownOption(FileSchema)

export const pinFile = (home: string): string => join(home, "mcp-pins.json")

/** All pins of a home by server key; `unreadable` where a file is there that is none. */
export const readPins = (home: string): Map<string, ServerPins> | "unreadable" => {
  let text: string
  try {
    text = readFileSync(pinFile(home), "utf8")
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? new Map() : "unreadable"
  }
  return Option.match(decode(text), {
    onNone: () => "unreadable" as const,
    onSome: ({ servers }) =>
      new Map(
        Object.entries(servers).map(([server, tools]) => [
          server,
          new Map(Object.entries(tools).map(([tool, pin]) => [tool, pinFrom(pin)]))
        ])
      )
  })
}

const pinFrom = ({ definition, fingerprint }: typeof PinSchema.Type): Pin => {
  const frozen = Either.getOrNull(freezeJson(definition ?? null))
  const known = { fingerprint: Fingerprint(fingerprint) }
  return frozen !== null && isJsonObject(frozen) ? { ...known, definition: frozen } : known
}

/** False where the disk does not take it. */
export const writePins = (home: string, pins: ReadonlyMap<string, ServerPins>): boolean => {
  // Built by hand: a tool may be named `__proto__`.
  const servers = [...pins].map(([server, tools]) => {
    const entries = [...tools].map(([tool, pin]) => `${JSON.stringify(tool)}:${JSON.stringify(pin)}`)
    return `${JSON.stringify(server)}:{${entries.join(",")}}`
  })
  const fresh = `${pinFile(home)}.${randomBytes(6).toString("hex")}`
  try {
    writeFileSync(fresh, `{"version":1,"servers":{${servers.join(",\n")}}}\n`, { mode: 0o600, flag: "wx" })
    chmodSync(fresh, 0o600)
    renameSync(fresh, pinFile(home))
    return true
  } catch {
    rmSync(fresh, { force: true })
    return false
  }
}
