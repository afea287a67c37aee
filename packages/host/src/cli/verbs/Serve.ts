/** `gatehouse serve`: the governed MCP endpoint for any MCP client. */
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { endpointHandlers } from "../../endpoint/EndpointHandlers.boundary.ts"
import { makeEndpointSession } from "../../endpoint/EndpointSession.ts"
import { serveStdio } from "../../endpoint/sdk/StdioEndpoint.boundary.ts"
import { toolPage } from "../../endpoint/ToolPages.ts"
import { toToolResult } from "../../runtime/ToolResult.ts"
import { version } from "../../Version.ts"
import { CommandFailed } from "../ExitStatus.ts"
import type { Places } from "../GlobalOptions.ts"
import { Invocation } from "../Invocation.ts"
import { loadCore, localHostLayer, workspaceOf } from "../LocalHost.ts"

/** Milliseconds that a question waits for `gatehouse approvals`: within the minute that most clients wait for a call. */
const questionMillis = 50_000

/** Serves one client on standard input and output. Nothing of the home is touched before the client asks for something. */
export const runServe = Effect.fn("gatehouse serve")(function* (places: Places) {
  const invocation = yield* Invocation
  const scope = yield* Effect.scope
  const session = yield* Effect.cached(
    Effect.gen(function* () {
      const layer = Layer.provideMerge(localHostLayer(places, { questionMillis }), ApprovalPrompter.layerElsewhere)
      const host = yield* Layer.buildWithScope(layer, scope)
      return yield* openSession(places).pipe(Effect.provide(host), Effect.provideService(Scope.Scope, scope))
    })
  )
  const handlers = yield* endpointHandlers({
    listTools: (cursor) =>
      Effect.flatMap(session, ({ list }) => list).pipe(
        Effect.flatMap(({ entries }) =>
          Either.mapLeft(toolPage(entries, cursor), (message) => ({ message, remedy: "list from the start" }))
        )
      ),
    callTool: (name, args) => Effect.flatMap(session, ({ call }) => Effect.map(call(name, args), toToolResult))
  })
  yield* serveStdio(handlers, version, invocation.stop)
}, Effect.scoped)

/** One session of the local owner, over the core and the workspace that were named. */
const openSession = Effect.fnUntraced(function* (places: Places) {
  const invocation = yield* Invocation
  const core = yield* loadCore(places)
  const workspace = yield* workspaceOf(places, core, invocation.cwd)
  const principals = yield* Principals
  return yield* Effect.mapError(
    makeEndpointSession({
      principal: principals.local,
      name: "mcp client",
      coreRoot: core.root,
      workspace,
      route: "interactive"
    }),
    ({ message, remedy }) => new CommandFailed({ status: "failed", message, remedy })
  )
})
