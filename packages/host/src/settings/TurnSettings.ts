/** What a core and the host's owner set together for one turn. Pure: of two limits the tighter one holds. */
import type { CommandSetting } from "@gatehouse/adapters/builtin/terminal/CommandSettings"
import type { AgentCore } from "@gatehouse/catalog/cores/AgentCore"
import type { EgressRules } from "@gatehouse/policy/urls/EgressRules"
import type { HostSettings } from "./HostSettings.ts"

/** The egress rules of `core`, on top of the host's own. An empty allow list says nothing. */
export const coreEgress = ({ manifest: { network }, origin }: AgentCore): ReadonlyArray<EgressRules> =>
  network.allow_hosts.length === 0 && network.deny_hosts.length === 0
    ? []
    : [
        {
          origin: origin(["network"]),
          allow: network.allow_hosts.length === 0 ? null : network.allow_hosts,
          deny: network.deny_hosts
        }
      ]

/** The limits of each command of a turn under `core`. */
export const commandSetting = (core: AgentCore | null, settings: HostSettings): CommandSetting => {
  const own = settings.limits
  const asked = core?.manifest.runtime.limits ?? {}
  const memory = least(own.memory_mib, asked.memory_mib)
  return {
    wallSeconds: least(own.wall_seconds, asked.wall_seconds) ?? null,
    limits: present({
      cpuSeconds: least(own.cpu_seconds, asked.cpu_seconds),
      memoryBytes: memory === undefined ? undefined : memory * 1024 * 1024,
      openFiles: least(own.open_files, asked.open_files),
      niceness: most(own.niceness, asked.niceness)
    }),
    sandbox: settings.sandbox === "workspace" || core?.manifest.runtime.sandbox === "workspace" ? "workspace" : "none"
  }
}

const least = (left: number | null | undefined, right: number | null | undefined): number | undefined =>
  pick(left, right, Math.min)

const most = (left: number | null | undefined, right: number | null | undefined): number | undefined =>
  pick(left, right, Math.max)

/** The one that is set, or of both the one that `choose` takes. */
const pick = (
  left: number | null | undefined,
  right: number | null | undefined,
  choose: (left: number, right: number) => number
): number | undefined => {
  const one = left ?? undefined
  const other = right ?? undefined
  return one === undefined ? other : other === undefined ? one : choose(one, other)
}

/** The fields that are set. */
const present = (fields: Readonly<Record<string, number | undefined>>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  )
