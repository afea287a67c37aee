/** What the host's owner and the core of a turn set for every command of it. Each can only tighten. */
import type { TurnContext } from "@gatehouse/core/TurnContext"
import type { ResourceLimits, SpawnOptions } from "@gatehouse/process/Processes"
import * as Context from "effect/Context"

export interface CommandSetting {
  /** Seconds that a command may take, whatever its call asks for; null for no limit beyond the contract's. */
  readonly wallSeconds: number | null
  readonly limits: ResourceLimits
  /** `workspace`: each command runs in the sandbox of that name, or not at all. */
  readonly sandbox: SpawnOptions["sandbox"]
}

/** Nothing beyond the contract. */
export const noCommandSetting: CommandSetting = { wallSeconds: null, limits: {}, sandbox: "none" }

/** Whoever reads settings puts this in place. */
export class CommandSettings extends Context.Reference<CommandSettings>()("@gatehouse/adapters/CommandSettings", {
  defaultValue: (): { readonly of: (turn: TurnContext) => CommandSetting } => ({ of: () => noCommandSetting })
}) {}
