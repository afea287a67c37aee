/** A dry host for one command: the places that were named, and nothing made, started, written or sent. */
import type { AgentCore } from "@gatehouse/catalog/cores/AgentCore"
import { buildCore } from "@gatehouse/catalog/cores/BuildCore"
import { toolsets } from "@gatehouse/catalog/manifests/AgentManifest"
import { localName, Principals } from "@gatehouse/control-plane/principals/Principals"
import { fingerprint } from "@gatehouse/core/Fingerprint"
import { CoreRevision, Entropy, makeIdentifier, SessionId } from "@gatehouse/core/Identifiers"
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
  return yield* admitOver(core, yield* workspaceOf(places, core, invocation.cwd), principal)
})

/** The same without a core, for what the host itself brings along. */
export const admitDryTurnWithoutCore = Effect.fnUntraced(function* (principal: string) {
  const { cwd } = yield* Invocation
  const core = yield* Effect.orDie(
    buildCore({
      root: cwd,
      revision: CoreRevision("none"),
      paths: new Set(["agent.yaml"]),
      texts: new Map([["agent.yaml", `agent: { id: none }\ntools: { toolsets: [${toolsets.join(", ")}] }\n`]]),
      digestOf: () => fingerprint(null)
    })
  )
  return yield* admitOver(core, cwd, principal)
})

const admitOver = Effect.fnUntraced(function* (core: AgentCore, workspace: string, principal: string) {
  const invocation = yield* Invocation
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
