/** What an approver sees of a server that is to be opened: names, shapes and keyed hashes, never a value. Pure. */
import type { McpDeclaration } from "@gatehouse/catalog/cores/AgentCore"
import { keyedFingerprint } from "@gatehouse/core/Fingerprint"
import type { Json, JsonObject } from "@gatehouse/core/Json"

/** Hexadecimal digits of a hash in a preview. */
const hashDigits = 16

/** Of a stdio server: program, options, folder, names of variables. */
export const stdioPreview = ({ manifest, server }: McpDeclaration, key: Uint8Array, cwd: string): JsonObject => ({
  server,
  transport: "stdio",
  command: manifest.command ?? "",
  arguments: manifest.args.map((argument) => argumentPreview(argument, key)),
  cwd,
  env: named(manifest.env)
})

/** Of a server at a URL: origin, names of headers. */
export const httpPreview = (
  { manifest, server }: McpDeclaration,
  key: Uint8Array,
  origin: string | null
): JsonObject => ({
  server,
  transport: "streamable_http",
  origin,
  address: hidden(manifest.url ?? "", key),
  headers: named(manifest.headers)
})

/** A plain list of names would read like a list of arguments, where a telling name hides what follows it. */
const named = (values: Readonly<Record<string, string>>): Json => Object.keys(values).map((name) => ({ name }))

/** `--name` stands as it is, `--name=value` with the value hidden, everything else hidden. */
const argumentPreview = (argument: string, key: Uint8Array): Json => {
  const [, option, value] = /^(--?[A-Za-z0-9][A-Za-z0-9_.-]{0,63})(?:=([^]*))?$/.exec(argument) ?? []
  if (option === undefined) return hidden(argument, key)
  // A short option may carry its value without a sign (`-pSECRET`).
  if (!option.startsWith("--") && option.length > 2)
    return { option: option.slice(0, 2), ...hidden(option.slice(2), key) }
  return value === undefined ? { option } : { option, ...hidden(value, key) }
}

const hidden = (value: string, key: Uint8Array): { readonly characters: number; readonly hash: string } => ({
  characters: value.length,
  hash: keyedFingerprint(key, value).slice(0, hashDigits)
})
