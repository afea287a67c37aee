/** `gatehouse call TOOL [JSON|-]`: one effect through all eight stages. */

import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import { type ViewName, viewNames } from "@gatehouse/core/View"
import { ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import { inertJson } from "@gatehouse/policy/redaction/TerminalText"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { executeCall } from "../../runtime/ExecuteCall.ts"
import { rememberCall } from "../../sessions/RememberCall.ts"
import { callInput } from "../CallInput.ts"
import { alreadyShown } from "../ExitStatus.ts"
import { homeFolder, type Places } from "../GlobalOptions.ts"
import { readInput } from "../Input.boundary.ts"
import { Invocation } from "../Invocation.ts"
import { admitLocalTurn, localHostLayer } from "../LocalHost.ts"
import { Output } from "../Output.ts"
import { awaitRunningTasks } from "../RunningTasks.ts"
import { renderResult } from "../render/Result.ts"
import { StandingKeeper } from "../StandingKeeper.ts"
import { terminalPrompterLayer } from "../TerminalPrompter.ts"

export interface CallArguments extends Places {
  readonly tool: string
  /** JSON, or `-` for standard input. */
  readonly args: string
  readonly approve: Option.Option<"ask" | "once" | "session" | "never">
  readonly view: ViewName | "all"
  readonly json: boolean
}

export const runCall = Effect.fn("gatehouse call")(function* (args: CallArguments) {
  const output = yield* Output
  const given = yield* callInput(args.args === "-" ? yield* readInput("-") : args.args)
  const root = homeFolder(args.home, yield* Invocation)
  const approve = Option.getOrElse(args.approve, () => (output.interactive ? ("ask" as const) : ("never" as const)))
  const live = output.interactive && !args.json ? output.live : undefined
  const host = localHostLayer(args, live === undefined ? {} : { live: (_call, stream, text) => live(stream, text) })
  const views = args.view === "all" ? viewNames : [args.view]
  const show = (result: EffectResult) =>
    output.result(args.json ? inertJson(publicForm(result, views)) : renderResult(result, views, output))
  const result = yield* Effect.scoped(
    Effect.gen(function* () {
      const turn = yield* admitLocalTurn(args)
      const settled = yield* executeCall(turn, args.tool, given)
      yield* show(settled)
      yield* rememberCall(yield* Sessions, turn.context, settled)
      return settled
    })
  ).pipe(Effect.zipLeft(awaitRunningTasks), Effect.provide(Layer.provideMerge(host, prompterFor(approve, root))))
  if (result.status !== "succeeded") yield* alreadyShown(result.status)
})

const prompterFor = (approve: "ask" | "once" | "session" | "never", root: string) => {
  switch (approve) {
    case "ask":
      return Layer.provide(terminalPrompterLayer, StandingKeeper.layer(root))
    case "once":
      return ApprovalPrompter.layerScripted(["allow", "allow", "allow", "allow", "allow", "allow", "allow", "allow"])
    case "session":
      return ApprovalPrompter.layerScripted(["always_allow_for_session"])
    case "never":
      return ApprovalPrompter.layerNever
  }
}

/** The one object of `call --json` (design, "The command line"). */
const publicForm = (result: EffectResult, views: ReadonlyArray<ViewName>) => ({
  callId: result.callId,
  tool: result.tool,
  catalog: result.catalog,
  status: result.status,
  executionStarted: result.executionStarted,
  mayHaveHappened: result.mayHaveHappened,
  error:
    result.error === null
      ? null
      : {
          tag: result.error._tag,
          stage: result.error.stage,
          message: result.error.message,
          remedy: result.error.remedy
        },
  stages: result.stages,
  views: Object.fromEntries(views.map((name) => [name, result.views[name]]))
})
