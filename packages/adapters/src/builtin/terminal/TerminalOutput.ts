/** How the end of a command reads: for a model what it needs to go on, for a person also what ran and where. */
import type { AdapterOutput, ArtifactReference } from "@gatehouse/core/AdapterOutcome"
import type { Json } from "@gatehouse/core/Json"
import type { ProcessError } from "@gatehouse/process/ProcessError"
import type { ProcessExit, StreamTail } from "@gatehouse/process/Processes"
import type { PreparedCommand } from "./TerminalPlan.ts"

/** A command that ran, whether to its own end or not. `error` is what went wrong beside it. */
export const ranOutput = (
  prepared: PreparedCommand,
  exit: ProcessExit,
  error: ProcessError | null = null
): AdapterOutput => {
  const notes = notesOf(exit)
  const text = [
    ending(exit),
    ...(error === null ? [] : [`failed: ${error.message}`]),
    ...streamText("stdout", exit.stdout, exit.artifacts),
    ...streamText("stderr", exit.stderr, exit.artifacts),
    ...notes
  ].join("\n")
  const data = {
    exit_code: exit.exitCode,
    signal: exit.signal,
    stdout: exit.stdout.text,
    stderr: exit.stderr.text,
    stats: { stdout: statsOf(exit.stdout), stderr: statsOf(exit.stderr) },
    artifact: artifactsOf(exit.artifacts)
  }
  return {
    text,
    data: { ...data, notes },
    operator: {
      text: `${commandLine(prepared)}\n${text}`,
      data: {
        command: prepared.command,
        cwd: prepared.cwd.resolved,
        ...data,
        process_spawned: true,
        error_tag: error?.reason ?? null,
        confirmed_gone: exit.confirmedGone,
        survivors: exit.survivors.map(({ name, pid }) => ({ name, pid })),
        unsupported: exit.unsupported,
        sandbox: exit.sandbox
      }
    },
    artifacts: exit.artifacts
  }
}

/** A command that did not start. */
export const unstartedOutput = (prepared: PreparedCommand, error: ProcessError): AdapterOutput => ({
  text: `the command was not started: ${error.message}`,
  data: { process_spawned: error.spawned, error_tag: error.reason },
  operator: {
    text: `${commandLine(prepared)}\nnot started: ${error.message}`,
    data: {
      command: prepared.command,
      cwd: prepared.cwd.resolved,
      exit_code: null,
      signal: null,
      process_spawned: error.spawned,
      error_tag: error.reason
    }
  },
  artifacts: []
})

/** One line about a command that did not do what was asked. */
export const failureMessage = (exit: ProcessExit): string => `the command ended with ${ending(exit)}`

const ending = ({ exitCode, signal }: ProcessExit): string => {
  if (signal !== null) return `signal ${signal}`
  return exitCode === null ? "an end that nobody saw" : `exit status ${exitCode}`
}

const commandLine = ({ command, shownCwd }: PreparedCommand): string => `$ ${command}\n(in ${shownCwd})`

const streamText = (
  name: "stdout" | "stderr",
  tail: StreamTail,
  artifacts: ReadonlyArray<ArtifactReference>
): ReadonlyArray<string> => {
  if (tail.bytes === 0) return []
  const whole = artifacts.find((artifact) => artifact.name === `${name}.log`)
  const rest = whole === undefined ? "" : `; all of it is artifact ${whole.id}`
  const cut = tail.truncated ? ` (the end of ${tail.chars} characters, ${tail.bytes} bytes${rest})` : ""
  return [`${name}${cut}:`, tail.text]
}

/** What is not as it should be, in words. */
const notesOf = (exit: ProcessExit): Array<string> => {
  const notes: Array<string> = []
  if (exit.survivors.length > 0) {
    const names = exit.survivors.map(({ name, pid }) => `${name} (${pid})`).join(", ")
    notes.push(`still running, could not be ended: ${names}`)
  } else if (!exit.confirmedGone) {
    notes.push("a process that the host cannot see left the command's tree and may still run")
  }
  notes.push(...exit.unsupported)
  return notes
}

const statsOf = ({ bytes, chars, truncated }: StreamTail): Json => ({ bytes, chars, truncated })

const artifactsOf = (artifacts: ReadonlyArray<ArtifactReference>): Json =>
  artifacts.length === 0 ? null : artifacts.map(({ bytes, id, name, sha256 }) => ({ bytes, id, name, sha256 }))
