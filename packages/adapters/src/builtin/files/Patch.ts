/** `patch`: one exact replacement in a text file, shown as a diff before and after. */
import { AdapterError } from "@gatehouse/core/EffectError"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { builtinEntry } from "../BuiltinTool.ts"
import { filePlan, type PathJudge, planPath } from "./FilePlan.ts"
import { readWhole } from "./OpenedFile.boundary.ts"
import { PathArgument } from "./PathArgument.ts"
import { type ReplacementFault, replaceExactly } from "./Replacement.ts"
import { textOf } from "./TextFile.ts"
import { unifiedDiff } from "./UnifiedDiff.ts"
import { type PlannedChange, previewOf, refusedChange, runChange } from "./WriteTarget.ts"

/** Bytes of a file that is patched. */
const patchableBytes = 8 * 1024 * 1024

const Arguments = Schema.Struct({
  path: PathArgument,
  old: Schema.String.pipe(Schema.minLength(1)).annotations({
    description: "The exact text to replace, with enough around it to stand in one place only."
  }),
  new: Schema.String.annotations({ description: "What to put in its place; empty removes it." }),
  all: Schema.optionalWith(Schema.Boolean.annotations({ description: "Replace every place, false by default." }), {
    default: () => false
  })
})

export const patchEntry = (workspaces: PathJudge): SourceEntry =>
  builtinEntry<typeof Arguments.Type, typeof Arguments.Encoded, PlannedChange>({
    name: "patch",
    description: "Replaces an exact piece of text in a file of the workspace. Mode and line ends are kept.",
    arguments: Arguments,
    capability: "fs.write",
    toolset: "coding",
    risk: "medium",
    policy: "prompt",
    readOnly: false,
    plan: (args, turn) => {
      const planned = planPath(workspaces, args.path, turn, "write")
      if (planned instanceof PlanRefused) return planned
      const { shown, verdict } = planned
      if (/\p{Surrogate}/u.test(args.new)) {
        return new PlanRefused("invalid", "new", "new: holds half of a character; give well-formed text")
      }
      const old = readWhole(verdict.resolved, patchableBytes)
      if (typeof old === "string") return refusedChange(shown, old)
      if (old.bytes === null) return refusedChange(shown, "too_large")
      const before = textOf(old.bytes)
      if (before === null) return refusedChange(shown, "binary")
      const replaced = replaceExactly(before, args.old, args.new, args.all)
      const base = { ...planned, replaces: old }
      if (Either.isRight(replaced)) {
        const { text } = replaced.right
        const change: PlannedChange = {
          ...base,
          content: Buffer.from(text, "utf8"),
          diff: unifiedDiff(before, text),
          fault: null
        }
        return filePlan({ action: "write", use: "write", prepared: change, risk: "medium", preview: previewOf(change) })
      }
      const message = faultMessage(shown, replaced.left)
      if (!verdict.sensitive) return new PlanRefused("invalid", `patch.${replaced.left.kind}`, message)
      // Whether a delicate file holds a text is told to nobody who was not allowed to change it.
      const fault = new AdapterError({ reason: replaced.left.kind, message, remedy: "", mayHaveHappened: false })
      const unknown: PlannedChange = { ...base, content: old.bytes, diff: null, fault }
      const preview = { path: shown, change: "replaces a piece of the file, if it stands there", new: args.new }
      return filePlan({ action: "write", use: "write", prepared: unknown, risk: "medium", preview })
    },
    run: runChange(workspaces)
  })

const faultMessage = (shown: string, fault: ReplacementFault): string => {
  switch (fault.kind) {
    case "not_found":
      return `old: does not stand in ${shown} exactly like this; read the file and copy the text, blanks included`
    case "ambiguous":
      return `old: stands in ${shown} in ${fault.count} places; give more of the text around it, or set all`
    case "nothing_changes":
      return "new: is what stands there already; give the changed text"
  }
}
