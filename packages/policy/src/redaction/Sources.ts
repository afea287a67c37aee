/** What a host knows to be secret before it looks at a payload. */
import { secretsWithin } from "./exact/SecretForms.ts"
import type { Sensitivity } from "./FieldNames.ts"
import type { SecretSources } from "./Redactor.ts"
import type { Names } from "./text/Names.ts"
import { findInUrls } from "./text/Urls.ts"
import { isPlaceholder, looksRandom } from "./text/ValueLooks.ts"

/** Secrets of bindings, environment and headers; values too short to be searched for may be among them. */
export const secretsOfSources = (sources: Partial<SecretSources>, names: Names): ReadonlySet<string> => {
  const secrets = new Set<string>()
  const learn = (value: string): void => {
    for (const secret of secretsWithin(value)) secrets.add(secret)
  }
  for (const value of sources.bindings?.values() ?? []) learn(value)
  for (const secret of secretsOfEnvironment(sources.environment ?? {}, names)) secrets.add(secret)
  for (const secret of secretsOfNamed(sources.headers ?? {}, names)) secrets.add(secret)
  return secrets
}

const isSecretValue = (sensitivity: Sensitivity, value: string): boolean =>
  sensitivity === "secret" ||
  (sensitivity === "counted" && !/^[\d.,_]+$/.test(value)) ||
  (sensitivity === "likely" && looksRandom(value, 12))

/** What schemes with parameters hold: `Token token=x`, `Digest response="x"`; short words of theirs are no secrets. */
const parametersOf = (value: string): ReadonlyArray<string> =>
  [...value.matchAll(/=\s*"?([^\s",;]+)/g)].map((match) => match[1] ?? "").filter((found) => looksRandom(found, 12))

/** Those of an environment. A shell's `PWD` is the current folder (POSIX.1-2024, 8.3) and no password. */
export const secretsOfEnvironment = (
  environment: Readonly<Record<string, string | undefined>>,
  names: Names
): ReadonlySet<string> => {
  const { PWD: folder, ...others } = environment
  return secretsOfNamed(folder?.startsWith("/") === true ? others : environment, names)
}

/** Values of telling names, and passwords in the URLs of the others. */
const secretsOfNamed = (values: Readonly<Record<string, string | undefined>>, names: Names): ReadonlySet<string> => {
  const secrets = new Set<string>()
  const learn = (value: string): void => {
    if (!isPlaceholder(value)) for (const secret of secretsWithin(value)) secrets.add(secret)
  }
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === "") continue
    if (isSecretValue(names.sensitivity(name), value)) {
      learn(value)
      if (/cookie/i.test(name)) for (const match of value.matchAll(/=([^;\s]+)/g)) learn(match[1] ?? "")
      if (/authorization/i.test(name)) for (const parameter of parametersOf(value)) learn(parameter)
    } else if (value.includes("://")) {
      findInUrls(value, names, ({ start, end }) => learn(value.slice(start, end)))
    }
  }
  return secrets
}
