/** The `gatehouse` process: arguments in, exit status out. The only place that knows of `process`. */

import { homedir } from "node:os"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as ValidationError from "@effect/cli/ValidationError"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { CommandFailed, exitStatus } from "./cli/ExitStatus.ts"
import { gatehouse } from "./cli/Gatehouse.ts"
import { hoistGlobalOptions } from "./cli/GlobalOptions.ts"
import { Invocation } from "./cli/Invocation.ts"
import { outputLayer } from "./cli/Output.boundary.ts"
import { Output } from "./cli/Output.ts"
import { withPlainConsole } from "./cli/PlainConsole.boundary.ts"
import { version } from "./Version.ts"

const stop = new AbortController()

/** The first signal lets what is under way settle; a second one does not wait. */
const onSignal = (): void => {
  if (stop.signal.aborted) fiber.unsafeInterruptAsFork(fiber.id())
  stop.abort()
}

const program = Effect.suspend(() =>
  Command.run(gatehouse, { name: "gatehouse", version })([
    ...process.argv.slice(0, 2),
    ...hoistGlobalOptions(process.argv.slice(2))
  ])
).pipe(withPlainConsole(process.stdout.isTTY === true && !process.env["NO_COLOR"]))

const layer = Layer.mergeAll(
  NodeContext.layer,
  outputLayer(process.env),
  Layer.succeed(Invocation, {
    environment: process.env,
    program: [process.execPath, ...process.argv.slice(1, 2)],
    cwd: process.cwd(),
    userHome: homedir(),
    nodeVersion: process.version,
    stop: stop.signal,
    requestStop: onSignal
  }),
  CliConfig.layer({ showBuiltIns: false, finalCheckBuiltIn: false })
)

/** What is left to be said about an ending, and its status. */
const report = (cause: Cause.Cause<unknown>): Effect.Effect<number, never, Output> =>
  Effect.gen(function* () {
    const output = yield* Output
    const failure = Option.getOrNull(Cause.failureOption(cause))
    if (failure instanceof CommandFailed) {
      if (failure.message !== "")
        yield* output.note(`gatehouse: ${failure.message}${failure.remedy === "" ? "" : `\n  ${failure.remedy}`}`)
      return exitStatus[failure.status]
    }
    // The parser has said by itself what is wrong with the words.
    if (failure !== null && ValidationError.isValidationError(failure)) return exitStatus.invalid
    if (Cause.isInterruptedOnly(cause)) return exitStatus.cancelled
    yield* output.note(`gatehouse: internal error, please report it\n${Cause.pretty(cause)}`)
    return exitStatus.failed
  })

const main = Effect.matchCauseEffect(program, {
  onFailure: report,
  onSuccess: () => Effect.succeed<number>(exitStatus.succeeded)
})
const fiber = Effect.runFork(Effect.provide(main, layer))

process.on("SIGINT", onSignal)
process.on("SIGTERM", onSignal)
process.on("SIGHUP", onSignal)

fiber.addObserver((exit) => {
  process.exitCode = Exit.isSuccess(exit) ? exit.value : exitStatus.cancelled
  process.off("SIGINT", onSignal).off("SIGTERM", onSignal).off("SIGHUP", onSignal)
})
