/** Runs a command as this process: its arguments and signals in, its exit status out. */
import { homedir } from "node:os"
import { keepGuests } from "@gatehouse/adapters/authored/GuestCode.boundary"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { CommandFailed, exitStatus } from "./ExitStatus.ts"
import { Invocation } from "./Invocation.ts"
import { outputLayer } from "./Output.boundary.ts"
import { Output } from "./Output.ts"

/** The first signal lets what is under way settle; a second one does not wait. */
export const runProcess = (program: Effect.Effect<unknown, unknown, Invocation | Output>): void => {
  const cwd = currentFolder()
  if (cwd === null) {
    process.stderr.write("gatehouse: the current folder is not there any more\n  change to one that is\n")
    process.exitCode = exitStatus.invalid
    return
  }
  const stop = new AbortController()
  const onSignal = (): void => {
    if (stop.signal.aborted) fiber.unsafeInterruptAsFork(fiber.id())
    stop.abort()
  }
  const layer = Layer.merge(
    outputLayer(process.env),
    Layer.succeed(Invocation, {
      environment: process.env,
      program: [process.execPath, ...process.argv.slice(1, 2)],
      cwd,
      userHome: homedir(),
      nodeVersion: process.version,
      stop: stop.signal,
      requestStop: onSignal
    })
  )
  const main = Effect.matchCauseEffect(program, {
    onFailure: report,
    onSuccess: () => Effect.succeed<number>(exitStatus.succeeded)
  })
  keepGuests((line) => void process.stderr.write(`${line}\n`), crash)
  const fiber = Effect.runFork(Effect.provide(main, layer))
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal).on("SIGHUP", onSignal).on("exit", onEarlyExit)
  fiber.addObserver((exit) => {
    process.exitCode = Exit.isSuccess(exit) ? exit.value : exitStatus.cancelled
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal).off("SIGHUP", onSignal).off("exit", onEarlyExit)
  })
}

/** Whatever status was asked for, work that was broken off is no success. */
const onEarlyExit = (): void => {
  process.stderr.write("gatehouse: the process was ended while work was under way\n  see gatehouse events and doctor\n")
  process.exitCode = exitStatus.indeterminate
}

/** An error that nobody caught, of the host itself: its places are shown, and not its words, which may hold anything. */
const crash = (error: unknown): void => {
  process.off("exit", onEarlyExit)
  const [kind, stack] = error instanceof Error ? [error.name, error.stack ?? ""] : [typeof error, ""]
  const places = stack.split("\n").filter((line) => line.startsWith("    at "))
  process.stderr.write(["gatehouse: internal error, please report it", kind, ...places, ""].join("\n"))
  process.exit(exitStatus.failed)
}

/** Null where it was removed, or may not be looked at. */
const currentFolder = (): string | null => {
  try {
    return process.cwd()
  } catch {
    return null
  }
}

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
    if (Cause.isInterruptedOnly(cause)) return exitStatus.cancelled
    yield* output.note(`gatehouse: internal error, please report it\n${Cause.pretty(cause)}`)
    return exitStatus.failed
  })
