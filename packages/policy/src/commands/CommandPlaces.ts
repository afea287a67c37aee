/** Where a path in a command leads, as far as its text and the links on disk tell. */
import { homeMark } from "./Argument.ts"

/** The folder and the look-ups that paths of one command are judged by. */
export interface PlaceContext {
  /** Absolute; a name that no command can spell where only the text is judged. */
  readonly workspace: string
  /** Follows links of an absolute path; the identity where nothing is looked up. */
  readonly resolve: (path: string) => string
  /** Text alone: whether the place holds credentials or the inside of a repository. */
  readonly isSensitive: (path: string) => boolean
  /** Text alone: why a change at this place decides what runs later, in words; null where it does not. */
  readonly decidesWhatRuns: (path: string) => string | null
}

/** Stands for the workspace where only the text is judged: no path that a command names lies below it. */
export const unnamedWorkspace = "/\uE002workspace"

/** Files that are streams of the command itself, or nothing. */
const streams = new Set(["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"])

export const isStream = (path: string): boolean =>
  path === "-" || streams.has(path) || (path.startsWith("/dev/fd/") && /^\/dev\/fd\/\d$/.test(path))

/** Why a path is more than an ordinary one of the workspace, in words; null where it is ordinary. */
export const oddPlace = (path: string, folder: string, context: PlaceContext): string | null => {
  if (path === "" || isStream(path)) return null
  const absolute = absolutePath(path, folder)
  if (absolute.startsWith(homeMark)) return "is outside the workspace: a home folder"
  const resolved = context.resolve(path.startsWith("/") ? path : `${folder}/${path}`)
  if (!isWithin(resolved, context.workspace)) return "is outside the workspace"
  if (context.isSensitive(absolute) || (resolved !== absolute && context.isSensitive(resolved))) {
    return "holds credentials or the inside of a repository"
  }
  return null
}

/** `path` from `folder` on, dots resolved by text. */
export const absolutePath = (path: string, folder: string): string => {
  const whole = path.startsWith("/") || path.startsWith(homeMark) ? path : `${folder}/${path}`
  return whole.startsWith(homeMark) ? withoutDots(whole.slice(homeMark.length), homeMark) : withoutDots(whole, "")
}

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`)

const plain = /(?:^|\/)\.{1,2}(?:\/|$)|\/\/|.\/$/

const withoutDots = (path: string, root: string): string => {
  if (root === "" && !plain.test(path)) return path
  const parts: Array<string> = []
  let above = false
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue
    if (part !== "..") parts.push(part)
    else if (parts.pop() === undefined) above = true
  }
  // The folder above a home is where homes are.
  return root !== "" && above ? `/home/${parts.join("/")}` : `${root}/${parts.join("/")}`
}
