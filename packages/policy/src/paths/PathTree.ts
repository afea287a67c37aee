/** What stands at a path, as data: the judgement of paths asks this and never a file system. */

export type PathNode =
  | {
      readonly type: "file"
      /** Names that the file has (hard links); 1 for most. */
      readonly links: number
      /** Device and number of the file: equal for two names of one file. */
      readonly identity: string
    }
  | { readonly type: "directory"; readonly identity: string }
  | { readonly type: "link"; readonly target: string }
  /** A pipe, a socket, a device: to open it may wait for ever or do something. */
  | { readonly type: "special"; readonly identity: string }
  /** Something is or may be there, and cannot be looked at. */
  | { readonly type: "unreadable" }

export interface PathTree {
  /** The thing at this absolute path, itself not followed; null where nothing is. */
  readonly lookup: (path: string) => PathNode | null
  /** All names of the file at this path, when every one of them can be told; null when not. */
  readonly namesOf: (path: string) => ReadonlyArray<string> | null
}

/** Nothing exists. */
export const emptyTree: PathTree = { lookup: () => null, namesOf: () => null }
