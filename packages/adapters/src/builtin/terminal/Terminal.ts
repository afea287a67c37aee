/** `terminal`: a command line for `/bin/sh`, reviewed before and owned while it runs. */
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import { Home } from "@gatehouse/core/Home"
import { CommandReview } from "@gatehouse/policy/commands/CommandReview"
import { EnvironmentPolicy } from "@gatehouse/policy/environment/EnvironmentPolicy"
import { Workspaces } from "@gatehouse/policy/paths/Workspaces"
import { Redactor } from "@gatehouse/policy/redaction/Redactor"
import { Processes } from "@gatehouse/process/Processes"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { builtinEntry } from "../BuiltinTool.ts"
import { CommandSettings } from "./CommandSettings.ts"
import { TaskStarter } from "./TaskStarter.ts"
import { TerminalArguments } from "./TerminalArguments.ts"
import { type PreparedCommand, planTerminal } from "./TerminalPlan.ts"
import { runTerminal } from "./TerminalRun.ts"

/** What an entry for commands needs. With a {@link TaskStarter} at hand, `background: true` is taken as well. */
export type TerminalRequirements = Processes | CommandReview | EnvironmentPolicy | Workspaces | Redactor | Home

/** The entry `terminal`, under the limits and the sandbox that {@link CommandSettings} names for a turn. */
export const terminalEntry: Effect.Effect<SourceEntry, never, TerminalRequirements> = Effect.gen(function* () {
  const tasks = Option.getOrNull(yield* Effect.serviceOption(TaskStarter))
  const services = {
    processes: yield* Processes,
    review: yield* CommandReview,
    environment: yield* EnvironmentPolicy,
    workspaces: yield* Workspaces,
    redactor: yield* Redactor,
    key: (yield* Home).key,
    tasks,
    hasTasks: tasks !== null,
    settings: yield* CommandSettings
  }
  return builtinEntry<TerminalArguments, typeof TerminalArguments.Encoded, PreparedCommand>({
    name: "terminal",
    description:
      "Runs a command line in the workspace and answers its exit status and the end of its output. All of its processes end with it.",
    arguments: TerminalArguments,
    capability: "terminal.exec",
    toolset: "coding",
    risk: "medium",
    policy: "auto",
    readOnly: false,
    plan: (args, turn) => planTerminal(services, args, turn),
    run: (authorized) => runTerminal(services, authorized)
  })
})
