/** What children do not get from the host, and why: for `gatehouse doctor` and for people who miss a variable. */
import { controllingReason, namesSecret } from "./ControllingNames.ts"
import { foldEnvironmentName, homeNames, inheritedNames, isEnvironmentName, isOwnName } from "./EnvironmentNames.ts"
import type { EnvironmentSettings } from "./EnvironmentSettings.ts"
import type { EnvironmentHost } from "./HostEnvironment.ts"

export interface LeftOutVariable {
  readonly name: string
  readonly why: string
  /** Whether the host's owner can list it under `environment.inherit`. */
  readonly canBeListed: boolean
}

/**
 * The names that the host has and its children lack, in order, each with a reason. No value is read.
 *
 * @example
 * describeLeftOut({ hostEnvironment: { SSH_AUTH_SOCK: "/run/a" }, platform: "posix" }, defaultEnvironmentSettings)
 * // [{ name: "SSH_AUTH_SOCK", why: "lets a child use keys that it cannot see", canBeListed: true }]
 */
export const describeLeftOut = (
  { hostEnvironment, platform }: EnvironmentHost,
  settings: EnvironmentSettings
): ReadonlyArray<LeftOutVariable> => {
  const fold = (name: string): string => foldEnvironmentName(name, platform)
  const passed = new Set([...inheritedNames[platform], ...settings.inherit].map(fold))
  const homes = new Set(homeNames[platform])
  return Object.keys(hostEnvironment)
    .filter((name) => !passed.has(fold(name)) && !(settings.home === "host" && homes.has(fold(name))))
    .sort()
    .map((name) => ({
      name,
      why: homes.has(fold(name))
        ? "is the private home instead (environment.home: host gives the host's)"
        : reasonOf(name),
      canBeListed: !homes.has(fold(name)) && isEnvironmentName(name) && !isOwnName(name)
    }))
}

const reasonOf = (name: string): string => {
  if (agentNames.has(name.toUpperCase())) return "lets a child use keys that it cannot see"
  if (namesSecret(name)) return "looks like a secret by its name; bind it for one call with secret_bindings instead"
  const controlling = controllingReason(name)
  return controlling === null ? "is not on the list" : `is not on the list, and ${controlling}`
}

/** ssh-agent(1), gpg-agent(1): sockets to keys. */
const agentNames: ReadonlySet<string> = new Set(["SSH_AUTH_SOCK", "GPG_AGENT_INFO"])
