/** What can be wrong with a file at the deed, and how the model is told. */
import { AdapterError } from "@gatehouse/core/EffectError"

export type FileProblem =
  | "missing"
  | "folder"
  | "not_a_folder"
  | "special"
  | "changed"
  | "too_large"
  | "binary"
  | "permission"
  | "disk_full"
  | "read_only"
  | "io"

const explanations: Readonly<Record<FileProblem, readonly [message: string, remedy: string]>> = {
  missing: ["there is nothing at this path", "list its folder with list_files"],
  folder: ["is a folder, not a file", "use list_files for folders"],
  not_a_folder: ["a part of the path is a file, not a folder", "list the folder above with list_files"],
  special: ["is a pipe, a socket or a device, which is never opened", "give the path of an ordinary file"],
  changed: ["is not what it was when the call was planned, so nothing was done", "read it again and repeat the call"],
  too_large: ["is too large to be read here", "search in it with search_files, or read a part with the terminal"],
  binary: ["holds no text", "use a program that knows the format"],
  permission: ["may not be opened by this user", "ask the owner of the machine for access"],
  disk_full: ["there is no room left on the disk; the old content is unchanged", "free some room and repeat the call"],
  read_only: ["is write-protected", "ask the owner of the machine before the protection is lifted"],
  io: ["the file system answered with an error", "look at the disk, then repeat the call"]
}

/** One sentence about `path`. */
export const describeProblem = (path: string, problem: FileProblem): string => `${path}: ${explanations[problem][0]}`

export const remedyOf = (problem: FileProblem): string => explanations[problem][1]

/** A problem that was met while an effect ran; nothing had been changed. */
export const fileError = (path: string, problem: FileProblem): AdapterError =>
  new AdapterError({
    reason: problem,
    message: describeProblem(path, problem),
    remedy: remedyOf(problem),
    mayHaveHappened: false
  })

/** The problem behind an error code of the operating system. */
export const problemOfCode = (code: string): FileProblem => {
  switch (code) {
    case "ENOENT":
      return "missing"
    case "ENOTDIR":
      return "not_a_folder"
    case "EISDIR":
      return "folder"
    // O_NOFOLLOW met a link, or the last component was replaced by one.
    case "ELOOP":
    case "EMLINK":
      return "changed"
    case "ENXIO":
    case "ENODEV":
      return "special"
    case "EACCES":
    case "EPERM":
      return "permission"
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return "disk_full"
    case "EROFS":
    case "ETXTBSY":
      return "read_only"
    default:
      return "io"
  }
}
