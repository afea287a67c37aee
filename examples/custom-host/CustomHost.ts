/**
 * A host of a platform team: every service of Gatehouse, one of them replaced. Here approvals are answered by the team's
 * own rule in place of a person; the same way goes for each other service.
 */
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import { hostLayer } from "@gatehouse/host/Host"
import { homeLayer } from "@gatehouse/host/home/HostHome.boundary"
import { executeCall } from "@gatehouse/host/runtime/ExecuteCall"
import { readHostSettings } from "@gatehouse/host/settings/ReadHostSettings.boundary"
import { Turns } from "@gatehouse/host/turns/Turns"
import { ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Allows what is of low or medium risk, and nothing else. */
const TeamRule = Layer.succeed(ApprovalPrompter, {
  surface: "team rule",
  available: true,
  ask: ({ risk }) => Effect.succeed(risk === "low" || risk === "medium" ? "allow" : "deny")
})

export interface CustomHostPlaces {
  readonly home: string
  readonly core: string
  readonly workspace: string
}

/** One call in a turn of its own. */
export const callOnce = (places: CustomHostPlaces, tool: string, args: unknown) =>
  Effect.gen(function* () {
    const principals = yield* Principals
    const core = yield* Effect.flatMap(AgentCores, (cores) => cores.load(places.core))
    const session = yield* Effect.flatMap(Sessions, (sessions) =>
      sessions.create(principals.local, { title: "custom host", coreRoot: core.root })
    )
    const turn = yield* Effect.flatMap(Turns, (turns) =>
      turns.admit({
        principal: principals.local,
        session: session.id,
        core,
        workspace: places.workspace,
        deadline: null,
        route: "interactive",
        cancellation: new AbortController().signal
      })
    )
    return yield* executeCall(turn, tool, args)
  }).pipe(Effect.scoped, Effect.provide(hostOf(places)))

const hostOf = ({ home }: CustomHostPlaces) =>
  Effect.map(readHostSettings(home), (settings) =>
    hostLayer({ settings, environment: { PATH: "/usr/bin:/bin" }, platform: "posix", userHome: home })
  ).pipe(Layer.unwrapEffect, Layer.provideMerge(TeamRule), Layer.provide(homeLayer(home)))
