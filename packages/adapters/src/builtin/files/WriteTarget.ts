/** What a change of a file is planned against, and how the change is shown and made. */
import { type AdapterOutcome, textOutput } from "@gatehouse/core/AdapterOutcome"
import type { Authorized } from "@gatehouse/core/Authorized"
import type { AdapterError } from "@gatehouse/core/EffectError"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import type { Json } from "@gatehouse/core/Json"
import * as Effect from "effect/Effect"
import { type PlannedContent, writeAtomically } from "./AtomicWrite.boundary.ts"
import { type PathJudge, type PlannedPath, stillAsPlanned } from "./FilePlan.ts"
import { describeProblem, type FileProblem, fileError, remedyOf } from "./FileProblem.ts"
import { diffSize, type UnifiedDiff } from "./UnifiedDiff.ts"

/** A change that `run` makes as it was planned. */
export interface PlannedChange extends PlannedPath {
  readonly content: Uint8Array
  readonly replaces: PlannedContent | null
  /** Null where nothing can be shown line by line. */
  readonly diff: UnifiedDiff | null
  /** A fault that is told only after the approval: before, it would betray what a delicate file holds. */
  readonly fault: AdapterError | null
}

/** Lines of a diff that a preview shows. */
const previewLines = 45
/** Characters of a diff that the operator sees afterwards. */
const operatorCharacters = 12_000

/** Why a change cannot be planned. */
export const refusedChange = (shown: string, problem: FileProblem): PlanRefused =>
  new PlanRefused("invalid", `file.${problem}`, `path: ${describeProblem(shown, problem)}; ${remedyOf(problem)}`)

/**
 * The lines that may be shown of a change. What a delicate file holds by now is shown to nobody, so there only what is
 * added is.
 */
export const shownDiff = (change: Pick<PlannedChange, "diff" | "verdict">): ReadonlyArray<string> => {
  if (change.diff === null) return []
  return change.verdict.sensitive ? change.diff.lines.filter((line) => line.startsWith("+")) : change.diff.lines
}

export const previewOf = (change: PlannedChange): Json => {
  const lines = shownDiff(change)
  const more = lines.length - previewLines
  return {
    path: change.shown,
    change: change.replaces === null ? "new file" : "replaces the file",
    bytes: change.content.byteLength,
    ...(change.diff === null ? {} : { lines: diffSize(change.diff) }),
    diff: more > 0 ? [...lines.slice(0, previewLines), `… ${more} more lines`] : lines
  }
}

/** Makes the change, if everything is still as it was planned. */
export const runChange =
  (workspaces: PathJudge) =>
  <Prepared extends PlannedChange>({
    call,
    prepared
  }: Authorized<Prepared>): Effect.Effect<AdapterOutcome, AdapterError> =>
    Effect.uninterruptible(
      Effect.gen(function* () {
        const { shown, verdict } = prepared
        if (prepared.fault !== null) return yield* prepared.fault
        const isPlanned = stillAsPlanned(workspaces, prepared, call.turn, "write")
        if (!isPlanned(verdict.identity)) return yield* fileError(shown, "changed")
        const problem = yield* Effect.promise(() =>
          writeAtomically({
            place: verdict.resolved,
            content: prepared.content,
            replaces: prepared.replaces,
            isPlannedFolder: (folder, identity) => {
              const now = workspaces.judge(folder, call.turn.workspace)
              return now.resolved === folder && now.identity === identity && now.write !== "refuse"
            }
          })
        )
        if (problem !== null) return yield* fileError(shown, problem)
        const outcome = changed(prepared)
        call.witness.output(outcome.output)
        return outcome
      })
    )

const changed = (change: PlannedChange): AdapterOutcome => {
  const lines = shownDiff(change)
  const size = change.diff === null ? "" : `, ${diffSize(change.diff)}`
  const text = `${change.replaces === null ? "made" : "changed"} ${change.shown} (${change.content.byteLength} bytes${size})`
  const data = {
    path: change.shown,
    created: change.replaces === null,
    bytes: change.content.byteLength,
    lines_added: change.diff?.added ?? null,
    lines_removed: change.diff?.removed ?? null
  }
  const diff = [`--- ${change.replaces === null ? "/dev/null" : change.shown}`, `+++ ${change.shown}`, ...lines].join(
    "\n"
  )
  const shownText = diff.length > operatorCharacters ? `${diff.slice(0, operatorCharacters)}\n… the diff goes on` : diff
  return {
    status: "succeeded",
    output: { ...textOutput(text, data), operator: { text: `${text}\n${shownText}`, data } }
  }
}
