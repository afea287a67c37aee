/** `list_files`: the names in a folder. */

import { join } from "node:path"
import { textOutput } from "@gatehouse/core/AdapterOutcome"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { builtinEntry } from "../BuiltinTool.ts"
import { filePlan, type PathJudge, type PlannedPath, planPath, shownPath, stillAsPlanned } from "./FilePlan.ts"
import { fileError } from "./FileProblem.ts"
import { type ListedName, listFolder } from "./FolderNames.boundary.ts"

/** Names of one answer. */
const nameLimit = 500
const depthLimit = 6

const Arguments = Schema.Struct({
  path: Schema.optionalWith(
    Schema.String.pipe(Schema.minLength(1), Schema.maxLength(8192)).annotations({
      description: "Folder to list, relative to the workspace or absolute; the workspace by default."
    }),
    { default: () => "." }
  ),
  depth: Schema.optionalWith(
    Schema.Number.pipe(Schema.int(), Schema.between(1, depthLimit)).annotations({
      description: `How many levels of folders to go down, 1 by default and ${depthLimit} at most.`
    }),
    { default: () => 1 }
  )
})

interface Prepared extends PlannedPath {
  readonly depth: number
}

export const listFilesEntry = (workspaces: PathJudge): SourceEntry =>
  builtinEntry<typeof Arguments.Type, typeof Arguments.Encoded, Prepared>({
    name: "list_files",
    description: `Lists the names in a folder, ${nameLimit} at most. Links and delicate folders are named and not entered.`,
    arguments: Arguments,
    capability: "fs.read",
    toolset: "coding",
    risk: "low",
    policy: "auto",
    readOnly: true,
    plan: ({ depth, path }, turn) => {
      const planned = planPath(workspaces, path, turn, "read")
      if (planned instanceof PlanRefused) return planned
      const prepared = { ...planned, depth }
      return filePlan({ action: "list", use: "read", prepared, risk: "low", preview: { path: planned.shown, depth } })
    },
    run: Effect.fnUntraced(function* ({ call, prepared }) {
      const isPlanned = stillAsPlanned(workspaces, prepared, call.turn, "read")
      const first = yield* listFolder(prepared.verdict.resolved, isPlanned)
      if (typeof first === "string") return yield* fileError(prepared.shown, first)
      const listing = yield* descend(workspaces, prepared, call.turn, first)
      const more = listing.truncated ? `\n… more names than ${nameLimit}; list a folder below, or search_files` : ""
      const text = listing.names.map((name) => name.shown).join("\n")
      return {
        status: "succeeded" as const,
        output: textOutput(text === "" ? `(${prepared.shown} is empty)` : `${text}${more}`, {
          path: prepared.shown,
          entries: listing.names.map(({ shown, type }) => ({ path: shown, type })),
          truncated: listing.truncated
        })
      }
    })
  })

interface Listing {
  readonly names: ReadonlyArray<{ readonly shown: string; readonly type: ListedName["type"] }>
  readonly truncated: boolean
}

/** Level by level, so that what is near comes first. */
const descend = Effect.fnUntraced(function* (
  workspaces: PathJudge,
  prepared: Prepared,
  turn: TurnContext,
  first: ReadonlyArray<ListedName>
) {
  const names: Array<Listing["names"][number]> = []
  let level: ReadonlyArray<readonly [folder: string, names: ReadonlyArray<ListedName>]> = [
    [prepared.verdict.resolved, first]
  ]
  for (let depth = 1; level.length > 0; depth++) {
    const next: Array<readonly [string, ReadonlyArray<ListedName>]> = []
    for (const [folder, listed] of level) {
      for (const { name, type } of listed) {
        const place = join(folder, name)
        if (names.length === nameLimit) return { names, truncated: true }
        names.push({ shown: shownPath(place, turn.workspace) + (type === "folder" ? "/" : ""), type })
        if (type !== "folder" || depth >= prepared.depth) continue
        const verdict = workspaces.judge(place, turn.workspace)
        const allowed = verdict.read === "auto" || (!verdict.sensitive && prepared.verdict.read === "prompt")
        if (!allowed || verdict.resolved !== place) continue
        const below = yield* listFolder(place, (identity) => identity === verdict.identity)
        if (typeof below !== "string") next.push([place, below])
      }
    }
    level = next
  }
  return { names, truncated: false } satisfies Listing
})
