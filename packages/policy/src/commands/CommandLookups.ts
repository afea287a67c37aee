/** What the review may look up: pure reads, nothing else. */
import { absolutePath } from "./CommandPlaces.ts"

export interface ProgramPlace {
  /** Absolute, as the child would start it. */
  readonly path: string
  /** Why it is not trusted, in words; null where only the system's or the host's own user can have put it there. */
  readonly doubt: string | null
}

export interface CommandLookups {
  /** Where the child finds a bare name; null where it does not. */
  readonly program: (name: string, searchPath: string, workspace: string | null) => ProgramPlace | null
  /** The text of a file; null where there is none, where it is no regular file, or where it is too large to be read. */
  readonly read: (path: string) => string | null
  readonly exists: (path: string) => boolean
  /** An absolute path, dots and links resolved as far as it exists. */
  readonly resolve: (path: string) => string
}

/** Looks up nothing: the text alone is judged. */
export const noLookups: CommandLookups = {
  program: () => null,
  read: () => null,
  exists: () => false,
  resolve: (path) => absolutePath(path, "/")
}
