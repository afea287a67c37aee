/**
 * Replaces what may be a secret in a declaration by a reference to a variable. Which texts those are is guessed on the
 * safe side: a variable too many costs an owner one line, a secret in a file under Git costs more.
 */
import type { Json, JsonObject } from "@gatehouse/core/Json"
import { isJsonObject } from "@gatehouse/core/Json"

/** A place whose value was taken out, and the variable that now stands there. */
export interface HiddenSecret {
  readonly field: string
  readonly variable: string
}

export interface HiddenFields {
  readonly fields: JsonObject
  readonly where: ReadonlyArray<HiddenSecret>
  /** All variables that the fields refer to, those included that they referred to before. */
  readonly variables: ReadonlyArray<string>
}

/** The fields of a declaration of `server` without secrets. */
export const hideSecrets = (server: string, fields: JsonObject): HiddenFields => {
  const where: Array<HiddenSecret> = []
  const hide = (field: string, name: string): string => {
    const variable = variableNamed(server, name)
    where.push({ field, variable })
    return `\${${variable}}`
  }
  const named = (block: string, isSecret: (name: string, value: string) => boolean): JsonObject => {
    const values = fields[block]
    if (!isJsonObject(values)) return values === undefined ? {} : { [block]: values }
    const entries = Object.entries(values).map(([name, value]): readonly [string, Json] => {
      const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value
      if (typeof text !== "string") return [name, text]
      const plain = translated(text)
      return [name, isSecret(name, plain) ? withScheme(plain, hide(`${block}.${name}`, name)) : plain]
    })
    return { [block]: Object.fromEntries(entries) }
  }

  const result: JsonObject = {
    ...fields,
    ...named("env", (name, value) => !refers(value) && (secretName.test(name) || secretShape(value))),
    ...named("headers", (name, value) => !refers(value) && !plainHeader.test(name)),
    ...(Array.isArray(fields["args"]) ? { args: hideArguments(fields["args"], hide) } : {}),
    ...(typeof fields["url"] === "string" ? { url: hideInUrl(translated(fields["url"]), hide) } : {})
  }
  return { fields: result, where, variables: referred(result) }
}

const secretName = /key|token|secret|passw|credential|auth|cookie|private|dsn|connection|pat$/i

/** Headers whose values are no secrets. */
const plainHeader = /^(accept(-.*)?|content-type|user-agent|mcp-protocol-version)$/i

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

const refers = (text: string): boolean => text.search(reference) >= 0

/** VS Code writes `${env:NAME}` and `${input:name}`. */
const translated = (text: string): string =>
  text.replace(/\$\{(?:env|input):([^}]+)\}/g, (_, name: string) => `\${${upper(name)}}`)

/** A long run of letters and digits mixed, as tokens are; no path, no sentence, no name. */
const secretShape = (text: string): boolean =>
  /(?:^|[=:\s])[A-Za-z0-9_\-+/=.]{20,}$/.test(text) &&
  /[0-9]/.test(text) &&
  /[A-Za-z]/.test(text) &&
  !/^[./~]|:\/\//.test(text)

/** `Bearer abc` keeps its first word. */
const withScheme = (text: string, variable: string): string => {
  const [, scheme] = /^(Bearer|Basic|Token)\s+\S/i.exec(text) ?? []
  return scheme === undefined ? variable : `${scheme} ${variable}`
}

/** `--token x`, `--token=x`, and whatever has the shape of a token. */
const hideArguments = (args: ReadonlyArray<Json>, hide: (field: string, name: string) => string): ReadonlyArray<Json> =>
  args.map((arg, index) => {
    if (typeof arg !== "string") return arg
    const text = translated(arg)
    if (refers(text)) return text
    const field = `args.${index}`
    const before = args[index - 1]
    const [, option, value] = /^(--?[A-Za-z][\w-]*)=(.+)$/s.exec(text) ?? []
    if (option !== undefined && value !== undefined) {
      return secretName.test(option) || secretShape(value) ? `${option}=${hide(field, option)}` : text
    }
    const isValue =
      typeof before === "string" && /^--?[A-Za-z]/.test(before) && !before.includes("=") && !text.startsWith("-")
    if (isValue && secretName.test(before)) return hide(field, before)
    return secretShape(text) && !text.includes("/") && !text.startsWith("@") ? hide(field, `ARG_${index}`) : text
  })

/** Query values that look secret become references. Credentials before the host are refused by the manifest itself. */
const hideInUrl = (text: string, hide: (field: string, name: string) => string): string =>
  text.replace(/([?&])([^=&#]+)=([^&#]*)/g, (whole, sign: string, name: string, value: string) =>
    !refers(value) && (secretName.test(name) || secretShape(value)) ? `${sign}${name}=${hide("url", name)}` : whole
  )

const variableNamed = (server: string, name: string): string => {
  const variable = upper(name.replace(/^-+/, ""))
  const prefix = upper(server)
  return variable.startsWith(prefix) ? variable : `${prefix}_${variable}`
}

/** Letters, digits and underscores, no digit first. */
const upper = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^(?=[0-9])/, "_")

const referred = (value: Json): ReadonlyArray<string> =>
  [...JSON.stringify(value).matchAll(reference)].flatMap(([, name]) => (name === undefined ? [] : [name]))
