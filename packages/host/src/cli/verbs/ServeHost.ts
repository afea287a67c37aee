/** The host behind the endpoint: built when a client first asks for something, over the places that were named. */
import { localName, Principals } from "@gatehouse/control-plane/principals/Principals"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ClientSurfaces } from "../../endpoint/ClientSurfaces.ts"
import { makeEndpointSession } from "../../endpoint/EndpointSession.ts"
import type { ClientConnection } from "../../endpoint/protocol/ClientConnection.ts"
import { SessionQuestions } from "../../endpoint/SessionQuestions.ts"
import { readHostSettings } from "../../settings/ReadHostSettings.boundary.ts"
import { homeFolder, type Places } from "../GlobalOptions.ts"
import { Invocation } from "../Invocation.ts"
import { loadCore, localHostLayer, workspaceOf } from "../LocalHost.ts"

/** Milliseconds that a question waits for `gatehouse approvals`: within the minute that most clients wait for a call. */
const questionMillis = 50_000

/** Milliseconds that the question waits whether a server may be opened: nobody's call waits for it. */
const openingQuestionMillis = 10 * 60_000

/** Opens sessions over one host; both last as long as their scopes. */
export const makeServeHost = Effect.fnUntraced(function* (places: Places) {
  const invocation = yield* Invocation
  const surfaces = new ClientSurfaces()
  const layer = localHostLayer(places, { live: surfaces.live, questionMillis, openingQuestionMillis })
  const host = yield* Layer.build(Layer.provideMerge(layer, surfaces.prompterLayer))
  const core = yield* Effect.provide(loadCore(places), host)
  const workspace = yield* workspaceOf(places, core, invocation.cwd)
  const { settings } = yield* readHostSettings(homeFolder(places.home, invocation))
  const questions = { elicitation: settings.endpoint.elicitation, command: approvalsCommand(places) }
  const principals = yield* Effect.provide(Principals, host)
  return {
    local: principals.local,
    /** The principal that a token speaks for. */
    principal: (name: string) => (name === localName ? Effect.succeed(principals.local) : principals.user(name)),
    openSession: (connection: ClientConnection, principal: PrincipalScope) =>
      makeEndpointSession({
        principal,
        name: connection.client().name || "mcp client",
        coreRoot: core.root,
        workspace,
        surfaces,
        questions: new SessionQuestions(questions, connection.face),
        listChanged: () => connection.notify("notifications/tools/list_changed")
      }).pipe(Effect.provide(host))
  }
})

/** What a person types to answer a question of this home. */
const approvalsCommand = ({ home }: Places): string =>
  Option.match(home, {
    onNone: () => "gatehouse approvals",
    onSome: (folder) =>
      `gatehouse --home ${/^[\w./~-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`} approvals`
  })
