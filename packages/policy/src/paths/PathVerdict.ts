/** What the judgement of a path says. */

export type ReadVerdict = "auto" | "prompt" | "refuse"
/** `allow`: the path is no obstacle; the tool's own policy still counts. */
export type WriteVerdict = "allow" | "prompt" | "refuse"

export interface PathVerdict {
  /** Absolute, every link followed, the last component included; the place that is read or written. */
  readonly resolved: string
  readonly insideWorkspace: boolean
  readonly sensitive: boolean
  readonly read: ReadVerdict
  readonly write: WriteVerdict
  /** The path itself is at fault (spelling, length, a loop of links), not the place that it leads to. */
  readonly malformed: boolean
  /** What the verdict rests on, in words: `outside the workspace`, `holds credentials (.ssh)`. */
  readonly rule: string
  readonly exists: boolean
  readonly type: "file" | "directory" | "special" | "missing"
  /** Device and number of what stands there; null where nothing does. What is opened later must be this. */
  readonly identity: string | null
}
