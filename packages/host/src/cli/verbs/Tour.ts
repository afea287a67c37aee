/** `gatehouse tour`: what Gatehouse does, shown with real effects of each source on a throw-away core. */
import { type ApprovalPrompt, ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { executeCall } from "../../runtime/ExecuteCall.ts"
import { tourFiles } from "../../tour/TourCore.ts"
import { tourPlace } from "../../tour/TourPlace.boundary.ts"
import { type TourStep, tourSteps } from "../../tour/TourSteps.ts"
import type { Turn } from "../../turns/Turns.ts"
import { alreadyShown } from "../ExitStatus.ts"
import { admitLocalTurn, localHostLayer } from "../LocalHost.ts"
import { Output } from "../Output.ts"
import { renderQuestion } from "../render/Question.ts"
import { renderStages } from "../render/Result.ts"

export const runTour = Effect.fn("gatehouse tour")(function* () {
  const output = yield* Output
  const started = yield* Clock.currentTimeMillis
  const wrong = yield* Effect.scoped(
    Effect.gen(function* () {
      const place = yield* tourPlace(tourFiles)
      const places = {
        core: Option.some(place.core),
        workspace: Option.some(place.workspace),
        home: Option.some(place.home)
      }
      const asked: Array<ApprovalPrompt> = []
      const script = { answer: "deny" }
      const prompter = Layer.succeed(ApprovalPrompter, {
        surface: "tour",
        available: true,
        ask: (prompt) =>
          Effect.sync(() => {
            asked.push(prompt)
            return script.answer
          })
      })
      yield* output.result("Gatehouse decides what a model's request may do. Seven requests, and what became of them:")
      return yield* Effect.scoped(
        Effect.flatMap(admitLocalTurn(places), (turn) =>
          Effect.forEach(tourSteps, (step, index) => {
            asked.length = 0
            script.answer = step.answer
            return showStep(turn, step, index + 1, asked, place.moduleImported)
          })
        )
      ).pipe(Effect.provide(Layer.provideMerge(localHostLayer(places), prompter)))
    })
  )
  const seconds = ((yield* Clock.currentTimeMillis) - started) / 1000
  const failures = wrong.filter((isWrong) => isWrong).length
  yield* output.result(
    failures === 0
      ? `\nAll as promised, in ${seconds.toFixed(1)} s. Nothing is left behind.\nNext: gatehouse init my-agent, then gatehouse catalog --core my-agent`
      : `\n${failures} of ${wrong.length} did not end as promised`
  )
  if (failures > 0) yield* alreadyShown("failed")
})

/** Runs and prints one step; answers whether it ended otherwise than promised. */
const showStep = Effect.fnUntraced(function* (
  turn: Turn,
  step: TourStep,
  number: number,
  asked: ReadonlyArray<ApprovalPrompt>,
  moduleImported: () => boolean
) {
  const output = yield* Output
  const result = yield* executeCall(turn, step.tool, step.args)
  const right = result.status === step.expected && moduleImported() === step.imported
  const heading = `\n${number}. ${step.title}`
  yield* output.result(output.colours ? `\u001b[1m${heading}\u001b[0m` : heading)
  yield* output.result(`   ${step.tool} ${JSON.stringify(step.args)}`)
  for (const prompt of asked)
    yield* output.result(`${renderQuestion(prompt, output).trimStart()}\n  answered: ${step.answer}`)
  yield* output.result(renderStages(result.stages, output))
  const ending = result.error === null ? "" : `: ${result.error.message}`
  yield* output.result(`   ${right ? "=>" : "WRONG:"} ${result.status}${ending}\n   ${step.shows}`)
  return !right
})
