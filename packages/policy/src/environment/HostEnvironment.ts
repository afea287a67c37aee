/** The host's own variables, looked at by name. */
import { type EnvironmentPlatform, foldEnvironmentName } from "./EnvironmentNames.ts"

export type HostEnvironment = Readonly<Record<string, string | undefined>>

/** What building an environment needs to know about the host. */
export interface EnvironmentHost {
  readonly hostEnvironment: HostEnvironment
  readonly platform: EnvironmentPlatform
}

/** Whether the host has `name`; its value is not read. */
export const hostHas = ({ hostEnvironment, platform }: EnvironmentHost, name: string): boolean =>
  Object.hasOwn(hostEnvironment, name) ||
  (platform === "windows" && Object.keys(hostEnvironment).some((own) => sameName(own, name, platform)))

/** The value of `name`, or null where the host has none. */
export const hostValue = ({ hostEnvironment, platform }: EnvironmentHost, name: string): string | null => {
  if (Object.hasOwn(hostEnvironment, name)) return hostEnvironment[name] ?? null
  if (platform !== "windows") return null
  const spelt = Object.keys(hostEnvironment).find((own) => sameName(own, name, platform))
  return spelt === undefined ? null : (hostEnvironment[spelt] ?? null)
}

const sameName = (left: string, right: string, platform: EnvironmentPlatform): boolean =>
  foldEnvironmentName(left, platform) === foldEnvironmentName(right, platform)
