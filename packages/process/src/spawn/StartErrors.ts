/** The words of the system for "it did not start" (errno(3)), as errors that say what to do. */
import { ProcessError, type ProcessFailureReason } from "../ProcessError.ts"

type Explanation = readonly [reason: ProcessFailureReason, message: string, remedy: string]

const tooMuch = "Wait until other commands have ended, or raise the limit"

const explanations: Readonly<Record<string, Explanation>> = {
  CWD: [
    "cwd",
    "cwd: the working directory is not there any more, is no directory, or leads elsewhere",
    "Name a directory that exists"
  ],
  ENOENT: ["not_found", "command: there is no such program", "Install it, or name another one"],
  ENOTDIR: ["not_found", "command: a part of its path is no directory", "Correct the path"],
  EACCES: ["not_executable", "command: the file may not be executed", "Make it executable, or name another one"],
  EPERM: ["not_executable", "command: the system does not permit to execute it", "Name another program"],
  ENOEXEC: ["not_executable", "command: the file is no program of this machine", "Name another program"],
  ELOOP: ["not_found", "command: its path has too many links", "Correct the links"],
  EMFILE: ["resources", "the host has as many open files as it may have", `${tooMuch} of open files (ulimit -n)`],
  ENFILE: ["resources", "the machine has as many open files as it may have", `${tooMuch} of the machine (fs.file-max)`],
  EAGAIN: ["resources", "the machine or the user has as many processes as it may have", `${tooMuch} (ulimit -u)`],
  ENOMEM: ["resources", "the machine has no memory for another process", "Free memory, or lower what the host holds"],
  E2BIG: [
    "spawn",
    "arguments and environment are longer than the system takes",
    "Pass long text through standard input or a file"
  ],
  ERR_INVALID_ARG_VALUE: ["spawn", "command, arguments and environment may not hold a NUL character", "Leave it out"]
}

/** The error for a start that failed with `code`; nothing ran. */
export const startError = (code: string): ProcessError => {
  const [reason, message, remedy] = explanations[code] ?? [
    "spawn" as const,
    `the system did not start the process (${code})`,
    "Look the code up in errno(3)"
  ]
  return new ProcessError({ reason, message, remedy, spawned: false, exit: null })
}
