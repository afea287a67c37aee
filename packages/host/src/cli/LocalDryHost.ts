/** A dry host for one command: the places that were named, and nothing made, started, written or sent. */
import { localName, Principals } from "@gatehouse/control-plane/principals/Principals"
import { Entropy, makeIdentifier, SessionId } from "@gatehouse/core/Identifiers"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { dryHostLayer } from "../explain/DryHost.ts"
import { readHostSettings } from "../settings/ReadHostSettings.boundary.ts"
import { Turns } from "../turns/Turns.ts"
import { CommandFailed } from "./ExitStatus.ts"
import { homeFolder, type Places } from "./GlobalOptions.ts"
import { Invocation } from "./Invocation.ts"
import { loadCore, workspaceOf } from "./LocalHost.ts"

/** The dry host under the settings of the home that was named, if there are any. */
export const localDryHostLayer = (places: Pick<Places, "home">) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const invocation = yield* Invocation
      const root = homeFolder(places.home, invocation)
      const settings = yield* Effect.mapError(readHostSettings(root), invalid)
      return Layer.mapError(
        dryHostLayer(root, {
          settings,
          environment: invocation.environment,
          platform: "posix",
          userHome: invocation.userHome
        }),
        invalid
      )
    })
  )

/** A turn of nobody's session, as the principal of that name would get it. */
export const admitDryTurn = Effect.fnUntraced(function* (places: Places, principal: string) {
  const invocation = yield* Invocation
  const core = yield* loadCore(places)
  const workspace = yield* workspaceOf(places, core, invocation.cwd)
  const principals = yield* Principals
  const scope = principal === localName ? principals.local : yield* Effect.mapError(principals.user(principal), invalid)
  const turns = yield* Turns
  return yield* Effect.mapError(
    turns.admit({
      principal: scope,
      session: SessionId(makeIdentifier("session", yield* Entropy)),
      core,
      workspace,
      deadline: null,
      route: "interactive",
      cancellation: invocation.stop
    }),
    invalid
  )
})

const invalid = ({ message, remedy }: { readonly message: string; readonly remedy: string }): CommandFailed =>
  new CommandFailed({ status: "invalid", message, remedy })
