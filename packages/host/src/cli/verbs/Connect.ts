/** `gatehouse connect CLIENT`: puts the endpoint into a client's configuration, after showing what changes. */

import * as Terminal from "@effect/platform/Terminal"
import { unifiedDiff } from "@gatehouse/adapters/builtin/files/UnifiedDiff"
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { withEndpoint } from "../../clients/ClientConfig.ts"
import { type ClientId, type ClientProfile, clientProfiles, type Reach } from "../../clients/ClientProfiles.ts"
import { readConfig, replaceConfig } from "../../clients/ConfigFile.boundary.ts"
import { alreadyShown, CommandFailed } from "../ExitStatus.ts"
import { homeFolder, type Places } from "../GlobalOptions.ts"
import { Invocation } from "../Invocation.ts"
import { loadCore, workspaceOf } from "../LocalHost.ts"
import { storeFailed } from "../LocalStore.ts"
import { Output } from "../Output.ts"

export interface ConnectArguments extends Places {
  readonly client: ClientId
  readonly yes: boolean
  readonly dryRun: boolean
  readonly json: boolean
}

export const runConnect = Effect.fn("gatehouse connect")(function* (args: ConnectArguments) {
  const output = yield* Output
  const invocation = yield* Invocation
  const profile: ClientProfile = clientProfiles[args.client]
  const file = profile.file(invocation)
  const before = yield* Effect.mapError(readConfig(file), storeFailed)
  const { others, text: after } = yield* Effect.mapError(
    withEndpoint(profile, before, yield* startedHere(args)),
    (why) =>
      new CommandFailed({ status: "invalid", message: `${file}: ${why}`, remedy: "mend it first; nothing was written" })
  )
  const lines = unifiedDiff(before, after).lines
  const report = (state: "unchanged" | "shown" | "written", backup: string | null) =>
    args.json
      ? output.result(JSON.stringify({ client: args.client, file, state, diff: lines, backup, others }))
      : Effect.void
  if (after === before) {
    yield* report("unchanged", null)
    return yield* args.json ? Effect.void : output.result(`${file} has the endpoint already`)
  }
  yield* output.note(`${file}\n${lines.map((line) => `  ${line}`).join("\n")}`)
  if (args.dryRun) return yield* report("shown", null)
  if (!args.yes && !(yield* agreed)) {
    yield* output.note("nothing was written")
    return yield* alreadyShown("denied")
  }
  const backup = yield* Effect.mapError(replaceConfig(file, before, after), storeFailed)
  yield* report("written", backup)
  if (args.json) return
  yield* output.result(`wrote ${file}${backup === null ? "" : `; what was there is in ${backup}`}`)
  if (others.length > 0)
    yield* output.note(
      `${profile.title} still reaches ${others.join(", ")} without Gatehouse${profile.format === "json" ? `; \`gatehouse import ${file}\` takes servers over` : ""}`
    )
})

/** The client starts this very program, over the core and the workspace that are meant here. */
const startedHere = Effect.fnUntraced(function* (places: Places) {
  const invocation = yield* Invocation
  const core = yield* Effect.provide(loadCore(places), AgentCores.layer)
  const workspace = yield* workspaceOf(places, core, invocation.cwd)
  const [command = "gatehouse", ...program] = invocation.program
  const home = Option.isSome(places.home) ? ["--home", homeFolder(places.home, invocation)] : []
  const reach: Reach = {
    kind: "stdio",
    command,
    args: [...program, "serve", "--core", core.root, "--workspace", workspace, ...home]
  }
  return reach
})

/** Asks where somebody can be asked; elsewhere `--yes` says so. */
const agreed = Effect.gen(function* () {
  const output = yield* Output
  if (!output.interactive)
    return yield* new CommandFailed({
      status: "invalid",
      message: "nobody can be asked here",
      remedy: "add --yes, or --dry-run"
    })
  const terminal = yield* Terminal.Terminal
  yield* output.note("Write this? [y/N]")
  const line = yield* Effect.orElseSucceed(terminal.readLine, () => "")
  return /^y(es)?$/i.test(line.trim())
})
