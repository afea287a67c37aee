/** `gatehouse doctor --canary`: whether a secret that is planted in a host comes out of it anywhere, tried on this machine. */
import * as Effect from "effect/Effect"
import { type CanaryReport, runCanary } from "../../canary/RunCanary.ts"
import { alreadyShown, CommandFailed } from "../ExitStatus.ts"
import { Invocation } from "../Invocation.ts"
import { Output } from "../Output.ts"

/** Where programs are found where the environment does not say it. */
const usualPath = "/usr/local/bin:/usr/bin:/bin"

export const runCanaryVerb = Effect.fn("gatehouse doctor --canary")(function* (args: { readonly json: boolean }) {
  const { environment } = yield* Invocation
  const report = yield* Effect.mapError(
    runCanary({ path: environment["PATH"] || usualPath }),
    (error) =>
      new CommandFailed({
        status: "failed",
        message: `the canary could not be run: ${error.message}`,
        remedy: "remedy" in error ? error.remedy : ""
      })
  )
  yield* tellReport(report, args.json)
})

/** Shows `report`, and fails where it found something, or where it says less than it should. */
export const tellReport = Effect.fnUntraced(function* (report: CanaryReport, json: boolean) {
  const output = yield* Output
  yield* output.result(json ? JSON.stringify(report, null, 2) : render(report, output.colours))
  if (report.leaks.length > 0 || report.unexpected.length > 0) yield* alreadyShown("failed")
})

const render = ({ calls, leaks, secrets, sinks, unexpected }: CanaryReport, colours: boolean): string => {
  const mark = (sign: string, colour: number): string => (colours ? `\u001b[${colour}m${sign}\u001b[0m` : sign)
  const files = sinks.filter((sink) => sink.startsWith("home/")).length
  return [
    `Planted ${secrets} secrets in a throw-away host, and made ${calls} calls of every source that give them away.`,
    `Searched ${sinks.length} sinks in every standard spelling: ${sinks.length - files} views, records, prompts, logs and faces, ${files} files of the home.`,
    ...leaks.map(({ place, sink, spelling }) => `${mark("✗", 31)} ${sink} shows ${place} (${spelling})`),
    ...unexpected.map(
      ({ expected, message, status, tool }) =>
        `${mark("✗", 31)} ${tool} ended as ${status} and not as ${expected}, so the run says less than it should: ${message}`
    ),
    ...(leaks.length === 0 && unexpected.length === 0 ? [`${mark("✓", 32)} None of them came out anywhere.`] : [])
  ].join("\n")
}
