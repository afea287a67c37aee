/**
 * The settings that a repository itself brings along: those decide which programs git runs, and whoever can write the
 * repository can write them. The system's and the user's settings are the host's own.
 *
 * Sources: git-config(1) "FILES" and "Includes", gitrepository-layout(5), git-worktree(1) "CONFIGURATION FILE".
 */
import type { CommandLookups } from "../CommandLookups.ts"
import { absolutePath } from "../CommandPlaces.ts"
import { gitSettings } from "./GitSettings.ts"

/** Files that include one another are followed so deep; git's own limit is 10. */
const includeLimit = 10
/** Files of settings that one question reads. */
const filesLimit = 256
/** Folders above the current one in which a repository is looked for. */
const ancestorsLimit = 64
/** Submodules whose settings are looked at. */
const submodulesLimit = 100

/** Names of the settings that `wanted` takes, of the repositories that git would use in `folders`. */
export const repositorySettings = (
  lookups: CommandLookups,
  folders: ReadonlyArray<string>,
  wanted: (key: string, value: string) => boolean
): ReadonlyArray<string> => {
  const search: Search = { lookups, wanted, found: new Set(), visited: new Set() }
  for (const folder of folders) {
    for (const repository of repositoriesAt(lookups, folder)) {
      const shared = commonFolder(lookups, repository)
      for (const file of [`${shared}/config`, `${shared}/config.worktree`, `${repository}/config.worktree`]) {
        collect(search, file, 0)
      }
      if (lookups.exists(`${shared}/hooks/post-index-change`) && wanted(indexHook, "true")) search.found.add(indexHook)
    }
  }
  return [...search.found]
}

/** Stands among the settings for the hook that runs when a command refreshes the index. */
export const indexHook = "hooks/post-index-change"

interface Search {
  readonly lookups: CommandLookups
  readonly wanted: (key: string, value: string) => boolean
  readonly found: Set<string>
  readonly visited: Set<string>
}

/** The repository that git finds from `folder` upwards, and those of its submodules, which status and diff enter. */
const repositoriesAt = (lookups: CommandLookups, folder: string): ReadonlyArray<string> => {
  let place = folder
  for (let level = 0; level < ancestorsLimit; level++) {
    const repository = repositoryIn(lookups, place)
    if (repository !== null) return [repository, ...submodulesOf(lookups, place)]
    if (place === "/") break
    place = absolutePath("..", place)
  }
  return []
}

/** The folder that holds a repository's data: `.git`, where a `.git` file points to, or a bare repository itself. */
const repositoryIn = (lookups: CommandLookups, folder: string): string | null => {
  if (lookups.read(`${folder}/.git/HEAD`) !== null) return `${folder}/.git`
  const pointer = /^gitdir:\s*(.+?)\s*$/m.exec(lookups.read(`${folder}/.git`) ?? "")?.[1]
  if (pointer !== undefined) return absolutePath(pointer, folder)
  if (lookups.read(`${folder}/HEAD`) !== null && lookups.read(`${folder}/config`) !== null) return folder
  return null
}

const submodulesOf = (lookups: CommandLookups, folder: string): ReadonlyArray<string> => {
  const declared = gitSettings(lookups.read(`${folder}/.gitmodules`) ?? "")
  return declared
    .filter(({ key }) => key.startsWith("submodule.") && key.endsWith(".path"))
    .slice(0, submodulesLimit)
    .flatMap(({ value }) => repositoryIn(lookups, absolutePath(value, folder)) ?? [])
}

/** Where a linked work tree keeps what it shares with the others. */
const commonFolder = (lookups: CommandLookups, repository: string): string => {
  const common = lookups.read(`${repository}/commondir`)?.trim()
  return common === undefined ? repository : absolutePath(common, repository)
}

const collect = (search: Search, file: string, depth: number): void => {
  if (search.visited.has(file)) return
  search.visited.add(file)
  const text = search.lookups.read(file)
  if (text === null || depth > includeLimit || search.visited.size > filesLimit) {
    // What git would read and the review does not is as bad as a setting that matters.
    if (search.lookups.exists(file)) search.found.add(`settings that are not read (${file})`)
    return
  }
  for (const { key, value } of gitSettings(text)) {
    if (search.wanted(key, value)) search.found.add(key)
    // A condition is taken as met: that can only ask too often. `~` is the child's own private home.
    const includes = key === "include.path" || (key.startsWith("includeif.") && key.endsWith(".path"))
    if (includes && !value.startsWith("~")) collect(search, absolutePath(value, absolutePath("..", file)), depth + 1)
  }
}
