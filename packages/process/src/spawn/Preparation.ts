/** What becomes of a command line before it is started: limits inside, the sandbox around them. */
import * as Either from "effect/Either"
import { ProcessError } from "../ProcessError.ts"
import type { ProcessExit, ResourceLimits, SpawnOptions } from "../Processes.ts"
import type { SandboxTool } from "../sandbox/Sandbox.ts"
import { findProgram, leastNiceness } from "./ChildProcess.boundary.ts"
import { type Invocation, type LimitTools, limited, stricterLimits } from "./Limits.ts"
import { startError } from "./StartErrors.ts"

export interface Prepared {
  readonly invocation: Invocation
  readonly unsupported: ReadonlyArray<string>
  readonly sandbox: ProcessExit["sandbox"]
}

const systemPath = "/usr/bin:/bin"

/** `hidden` is the home of Gatehouse, which no sandboxed command may see. */
export const makePreparation = (sandbox: SandboxTool, hidden: string, hostLimits: ResourceLimits) => {
  let tools: LimitTools | null = null
  const limitTools = (): LimitTools =>
    (tools ??= {
      prlimit: findProgram("prlimit", systemPath),
      nice: findProgram("nice", systemPath),
      leastNiceness: leastNiceness()
    })

  return (options: SpawnOptions): Either.Either<Prepared, ProcessError> => {
    const limits = stricterLimits(hostLimits, options.limits)
    const plain = { command: options.command, args: options.args }
    const bounded =
      Object.keys(limits).length === 0 ? { ...plain, unsupported: [] } : limited(plain, limits, limitTools())
    const { unsupported, ...invocation } = bounded
    const isWrapped = invocation.command !== options.command || options.sandbox !== "none"
    // The system reports a missing program of a bare command line only.
    if (isWrapped && findProgram(options.command, options.environment["PATH"] ?? systemPath) === null) {
      return Either.left(startError("ENOENT"))
    }
    if (options.sandbox === "none") return Either.right({ invocation, unsupported, sandbox: "none" })
    const probe = sandbox.probe()
    if (!probe.works) {
      return Either.left(
        new ProcessError({
          reason: "sandbox",
          message: `the sandbox "${options.sandbox}" was asked for and is not to be had: ${probe.why}`,
          remedy: probe.remedy,
          spawned: false,
          exit: null
        })
      )
    }
    const wrapped = sandbox.wrap({
      invocation,
      cwd: options.cwd,
      workspace: options.workspace ?? options.cwd,
      hidden: [hidden],
      home: options.environment["HOME"] ?? null
    })
    return Either.right({ invocation: wrapped, unsupported, sandbox: sandbox.name })
  }
}
