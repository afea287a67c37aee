/** `read_file`: a part of a text file. */
import { textOutput } from "@gatehouse/core/AdapterOutcome"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { cutText } from "../../text/TextCut.ts"
import { builtinEntry } from "../BuiltinTool.ts"
import { filePlan, type PathJudge, type PlannedPath, planPath, stillAsPlanned } from "./FilePlan.ts"
import { fileError } from "./FileProblem.ts"
import { withOpenedFile } from "./OpenedFile.boundary.ts"
import { PathArgument } from "./PathArgument.ts"
import { readSlice } from "./TextSlice.boundary.ts"

/** Characters (UTF-16 units) of one answer, by default and at most. */
export const readLimit = 20_000
/** Bytes of a file that is read at all: to count its characters it is read to the end. */
export const readableBytes = 64 * 1024 * 1024

const Arguments = Schema.Struct({
  path: PathArgument,
  offset: Schema.optionalWith(
    Schema.Number.pipe(Schema.int(), Schema.between(0, Number.MAX_SAFE_INTEGER)).annotations({
      description: "Character to begin at, counted from 0. An earlier answer says where to go on."
    }),
    { default: () => 0 }
  ),
  limit: Schema.optionalWith(
    Schema.Number.pipe(Schema.int(), Schema.between(1, readLimit)).annotations({
      description: `Characters to read, ${readLimit} by default and at most.`
    }),
    { default: () => readLimit }
  )
})

interface Prepared extends PlannedPath {
  readonly offset: number
  readonly limit: number
}

export const readFileEntry = (workspaces: PathJudge): SourceEntry =>
  builtinEntry<typeof Arguments.Type, typeof Arguments.Encoded, Prepared>({
    name: "read_file",
    description: `Reads a text file, ${readLimit} characters at a time; offset continues.`,
    arguments: Arguments,
    capability: "fs.read",
    toolset: "coding",
    risk: "low",
    policy: "auto",
    readOnly: true,
    plan: ({ limit, offset, path }, turn) => {
      const planned = planPath(workspaces, path, turn, "read")
      if (planned instanceof PlanRefused) return planned
      return filePlan({
        action: "read",
        use: "read",
        prepared: { ...planned, offset, limit },
        risk: "low",
        preview: { path: planned.shown, offset, limit }
      })
    },
    run: Effect.fnUntraced(function* ({ call, prepared }) {
      const { offset, shown, verdict } = prepared
      const isPlanned = stillAsPlanned(workspaces, prepared, call.turn, "read")
      // The note on what is left counts within the limit.
      const length = Math.min(prepared.limit, readLimit - noteReserve)
      const read = yield* Effect.promise((signal) =>
        withOpenedFile(verdict.resolved, isPlanned, async (file, size) =>
          size > readableBytes ? "too_large" : ((await readSlice(file, offset, prepared.limit, signal)) ?? "binary")
        )
      )
      if (typeof read === "string") return yield* fileError(shown, read)
      const whole = offset + read.text.length >= read.totalCharacters
      const text = whole ? read.text : cutText(read.text, length)
      const next = whole ? null : offset + text.length
      return {
        status: "succeeded" as const,
        output: textOutput(`${text}${note(offset, next, read.totalCharacters)}`, {
          path: shown,
          offset,
          characters: text.length,
          total_characters: read.totalCharacters,
          next_offset: next,
          encoding: read.encoding,
          damaged: read.damaged
        })
      }
    })
  })

/** Room for the longest note. */
const noteReserve = 120

const note = (offset: number, next: number | null, total: number): string => {
  if (next !== null) return `\n… characters ${offset} to ${next} of ${total}; go on with offset ${next}`
  if (total === 0) return "(the file is empty)"
  return offset >= total ? `(nothing at offset ${offset}: the file has ${total} characters)` : ""
}
