/** How the end of a background command is kept: its status, its return code, why, and what a model reads of it. Pure. */

import type { TaskEnd } from "@gatehouse/control-plane/tasks/TaskLife"
import { modelSummaryLimit } from "@gatehouse/control-plane/tasks/TaskRows"
import type { StopReason } from "@gatehouse/control-plane/tasks/TaskWorker"
import { boundedText, splitsPair } from "@gatehouse/core/BoundedText"
import type { ProcessError } from "@gatehouse/process/ProcessError"
import type { ProcessExit } from "@gatehouse/process/Processes"

/** Redacts a text that was masked as it came. */
export type SayOf = (text: string) => string

/** Characters of the command in its summary, which the end of its output has to fit into as well. */
const commandLength = 200

/** The end of a command; `why` where somebody ended it. */
export const commandEnd = (
  exit: ProcessExit,
  why: StopReason | null,
  summary: string,
  sayOf: SayOf,
  failure: string | null = null
): TaskEnd => {
  const reason = reasonOf(exit, why, failure)
  return {
    status: statusOf(exit, why, failure),
    summary: sayOf(summaryOf(exit, summary, reason)),
    resultReference: exit.artifacts.length === 0 ? null : exit.artifacts.map(({ id }) => id).join(" "),
    returnCode: exit.exitCode,
    exitReason: reason
  }
}

/** The end of one whose output could not be taken, or whose end could not be seen. */
export const failedEnd = (error: ProcessError, summary: string, sayOf: SayOf): TaskEnd =>
  error.exit === null
    ? {
        status: "indeterminate",
        summary: sayOf(`${boundedText(summary, commandLength)}\n${error.message}`),
        resultReference: null,
        returnCode: null,
        exitReason: error.message
      }
    : commandEnd(error.exit, null, summary, sayOf, error.message)

/** Without the proof that all of it is gone, nobody knows how it ended. */
const statusOf = (exit: ProcessExit, why: StopReason | null, failure: string | null): TaskEnd["status"] => {
  if (!exit.confirmedGone) return "indeterminate"
  if (failure !== null || exit.cause === "failure" || why === "log_lost") return "failed"
  // It had ended by itself when it was to be ended.
  if (exit.cause === "leader") return exit.exitCode === 0 ? "succeeded" : "failed"
  return why === "timed_out" ? "timed_out" : "cancelled"
}

const reasonOf = (exit: ProcessExit, why: StopReason | null, failure: string | null): string => {
  const parts = [failure ?? cutOff(exit, why), ending(exit)]
  if (!exit.confirmedGone) {
    const left = exit.survivors.map(({ name, pid }) => `${name} (${pid})`)
    parts.push(left.length === 0 ? "not every process is known to be gone" : `could not be ended: ${left.join(", ")}`)
  }
  return parts.filter((part) => part !== null).join("; ")
}

const cutOff = (exit: ProcessExit, why: StopReason | null): string | null => {
  if (exit.cause === "leader") return null
  switch (why) {
    case "cancelled":
      return "somebody asked for its end"
    case "timed_out":
      return "its time was over"
    case "log_lost":
      // Whoever kept the log says it.
      return null
    default:
      return exit.cause === "failure" ? "its output could not be taken" : "its host ended"
  }
}

const ending = ({ exitCode, signal }: ProcessExit): string =>
  signal === null ? `exited with ${exitCode ?? "no status"}` : `ended by ${signal}`

/** The command, how it ended, and as much of the end of its output as a model's view has room for. */
const summaryOf = ({ stderr, stdout }: ProcessExit, summary: string, reason: string): string => {
  const head = `${boundedText(summary, commandLength)}\n${reason}\n`
  const said = [stdout.text, stderr.text].filter((text) => text !== "").join(stdout.text.endsWith("\n") ? "" : "\n")
  return head + lastOf(said.trimEnd(), modelSummaryLimit - head.length)
}

const lastOf = (text: string, room: number): string => {
  if (text.length <= room) return text
  const start = text.length - Math.max(0, room - 1)
  return `…${text.slice(splitsPair(text, start) ? start + 1 : start)}`
}
