/** `write_file`: a whole file, new or in place of an old one. */
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import * as Schema from "effect/Schema"
import { builtinEntry } from "../BuiltinTool.ts"
import { filePlan, type PathJudge, planPath } from "./FilePlan.ts"
import { readWhole } from "./OpenedFile.boundary.ts"
import { PathArgument } from "./PathArgument.ts"
import { textOf } from "./TextFile.ts"
import { unifiedDiff } from "./UnifiedDiff.ts"
import { type PlannedChange, previewOf, refusedChange, runChange } from "./WriteTarget.ts"

/** Bytes of an old file up to which it is compared with the new one. */
const comparedBytes = 2 * 1024 * 1024

const Arguments = Schema.Struct({
  path: PathArgument,
  content: Schema.String.annotations({ description: "The whole new content, written as UTF-8 exactly as given." })
})

export const writeFileEntry = (workspaces: PathJudge): SourceEntry =>
  builtinEntry<typeof Arguments.Type, typeof Arguments.Encoded, PlannedChange>({
    name: "write_file",
    description:
      "Writes a whole text file inside the workspace; missing folders are made. To change a part, use patch.",
    arguments: Arguments,
    capability: "fs.write",
    toolset: "coding",
    risk: "medium",
    policy: "prompt",
    readOnly: false,
    plan: ({ content, path }, turn) => {
      const planned = planPath(workspaces, path, turn, "write")
      if (planned instanceof PlanRefused) return planned
      const { shown, verdict } = planned
      if (verdict.type === "directory") return refusedChange(shown, "folder")
      if (/\p{Surrogate}/u.test(content)) {
        return new PlanRefused("invalid", "content", "content: holds half of a character; give well-formed text")
      }
      const old = verdict.exists ? readWhole(verdict.resolved, comparedBytes) : null
      if (typeof old === "string") return refusedChange(shown, old)
      const before = old === null ? "" : old.bytes === null ? null : textOf(old.bytes)
      const change: PlannedChange = {
        ...planned,
        content: Buffer.from(content, "utf8"),
        replaces: old,
        diff: before === null || content.length > comparedBytes ? null : unifiedDiff(before, content),
        fault: null
      }
      return filePlan({ action: "write", use: "write", prepared: change, risk: "medium", preview: previewOf(change) })
    },
    run: runChange(workspaces)
  })
