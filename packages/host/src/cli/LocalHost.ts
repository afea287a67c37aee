/** A host for one command: the places that were named, the home that is there, one session of the local owner. */

import { resolve } from "node:path"
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import { ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type HostOptions, hostLayer } from "../Host.ts"
import { homeLayer } from "../home/HostHome.boundary.ts"
import { coreRedaction } from "../settings/CoreRedaction.ts"
import { readHostSettings } from "../settings/ReadHostSettings.boundary.ts"
import { Turns } from "../turns/Turns.ts"
import { CommandFailed } from "./ExitStatus.ts"
import { homeFolder, type Places } from "./GlobalOptions.ts"
import { Invocation } from "./Invocation.ts"
import { realFolder } from "./RealFolder.boundary.ts"

/** The host over the home that was named. A home that cannot be used ends the command. */
export const localHostLayer = (
  places: Places,
  own: Pick<HostOptions, "live" | "questionMillis" | "openingQuestionMillis"> = {}
) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const invocation = yield* Invocation
      const root = homeFolder(places.home, invocation)
      const home = homeLayer(root)
      const settings = yield* Effect.mapError(readHostSettings(root), invalid)
      const core = yield* Effect.provide(loadCore(places), AgentCores.layer)
      const redaction = yield* Either.mapLeft(coreRedaction(core), (message) => invalid({ message, remedy: "" }))
      return hostLayer({
        settings,
        redaction,
        environment: invocation.environment,
        platform: "posix",
        userHome: invocation.userHome,
        ...own
      }).pipe(
        Layer.provide(home),
        Layer.mapError((error) => failed({ message: error.message, remedy: "remedy" in error ? error.remedy : "" }))
      )
    })
  )

/** A turn of a new session of the local owner, over the core and the workspace that were named. */
export const admitLocalTurn = Effect.fnUntraced(function* (places: Places) {
  const invocation = yield* Invocation
  const core = yield* loadCore(places)
  const workspace = yield* workspaceOf(places, core, invocation.cwd)
  const principals = yield* Principals
  const prompter = yield* ApprovalPrompter
  const sessions = yield* Sessions
  const session = yield* Effect.mapError(
    sessions.create(principals.local, { title: "command line", coreRoot: core.root }),
    failed
  )
  const turns = yield* Turns
  return yield* Effect.mapError(
    turns.admit({
      principal: principals.local,
      session: session.id,
      core,
      workspace,
      deadline: null,
      route: prompter.available ? "interactive" : "none",
      cancellation: invocation.stop
    }),
    invalid
  )
})

/** The core that was named, or the nearest one upwards. */
export const loadCore = Effect.fnUntraced(
  function* (places: Places) {
    const invocation = yield* Invocation
    const cores = yield* AgentCores
    const folder = Option.isSome(places.core)
      ? resolve(invocation.cwd, places.core.value)
      : yield* cores.find(invocation.cwd)
    return yield* cores.load(folder)
  },
  Effect.mapError(
    ({ message, reason, remedy }: { readonly message: string; readonly reason: string; readonly remedy: string }) =>
      new CommandFailed({ status: reason === "missing" ? "not_found" : "invalid", message, remedy })
  )
)

/** The folder that was named, else the core's own setting, else where the command was started. */
export const workspaceOf = (
  places: Places,
  core: { readonly root: string; readonly manifest: { readonly runtime: { readonly workspace: string | null } } },
  cwd: string
) =>
  realFolder(
    Option.isSome(places.workspace)
      ? resolve(cwd, places.workspace.value)
      : core.manifest.runtime.workspace === null
        ? cwd
        : resolve(core.root, core.manifest.runtime.workspace)
  )

interface Told {
  readonly message: string
  readonly remedy: string
}

const failed = ({ message, remedy }: Told): CommandFailed => new CommandFailed({ status: "failed", message, remedy })
const invalid = ({ message, remedy }: Told): CommandFailed => new CommandFailed({ status: "invalid", message, remedy })
