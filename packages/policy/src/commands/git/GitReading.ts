/** What the reading subcommands of git have in common: their operands, and the settings that make them start programs. */
import type { Argument } from "../Argument.ts"
import type { Judge, Line, Notes, OptionGroup, Subcommand } from "../Program.ts"
import { indexHook } from "./RepositorySettings.ts"

/** Which settings of a repository a subcommand would act on. Source: git-config(1), gitattributes(5). */
export type SettingKind = "index" | "diff" | "textconv" | "pager" | "signature" | "content"

/** A subcommand that only reads, as long as its words and the repository's settings allow it. */
export const reading = (
  options: ReadonlyArray<OptionGroup>,
  settings: ReadonlyArray<SettingKind>,
  judge?: Judge
): Subcommand => ({
  does: "reads",
  because: "reads the repository",
  options,
  grammar: { digits: true },
  judge: (line, notes) => {
    judgeSettings(line, settings, notes)
    judgeFormats(line, notes)
    if (judge === undefined) for (const operand of line.operands) judgeOperand(operand, notes)
    else judge(line, notes)
  }
})

/** A revision, a path, or both: `HEAD~1`, `src`, `main:config/app.yaml`, `:(top)docs`. */
export const judgeOperand = (operand: Argument, notes: Notes): void => {
  const text = operand.value
  if (/^:[!^]/.test(text)) return
  const magic = /^:\([^)]*\)/.exec(text)?.[0]
  const colon = text.indexOf(":")
  if (magic !== undefined) judgePath(operand, text.slice(magic.length), notes)
  else if (text.startsWith(":/")) judgePath(operand, text.slice(2).replace(/^\/+/, ""), notes)
  else if (colon >= 0) judgePath(operand, text.slice(colon + 1).replace(/^\d:/, ""), notes)
  // Two revisions with dots between are no path that leads upwards.
  else if (!/^\.{2,3}[^./]|[^./]\.{2,3}$/.test(text)) judgePath(operand, text, notes)
}

const judgePath = (operand: Argument, path: string, notes: Notes): void => {
  if (path === "") return
  notes.reads({ ...operand, value: path })
  if (/[*?[]/.test(path)) notes.selects({ ...operand, value: path })
}

/** `%G…` and `%(signature…)` have a signature verified by a program. */
const judgeFormats = (line: Line, notes: Notes): void => {
  for (const { name, value } of line.uses) {
    if (
      /^--(?:format|pretty)$/.test(name) &&
      value !== null &&
      /%G|%\((?:signature|trailers:.*key=.*%G)/.test(value.value)
    ) {
      notes.find("runs", "git: this format has signatures verified by a program", value)
    }
  }
}

const judgeSettings = (line: Line, kinds: ReadonlyArray<SettingKind>, notes: Notes): void => {
  if (kinds.length === 0) return
  const label = line.subcommand?.value ?? ""
  const found = notes.repositorySettings(
    (key, value) => kinds.some((kind) => settings[kind](key, value, label)) || everywhere.has(key)
  )
  if (found.length > 0) {
    notes.find(
      "runs",
      `git ${label}: the repository's own settings choose programs or places: ${found.slice(0, 5).join(", ")}`,
      line.name
    )
  }
}

const isOff = (value: string): boolean => /^(?:false|no|off|0|)$/i.test(value)
const isSwitch = (value: string): boolean => /^(?:true|yes|on|1|false|no|off|0|)$/i.test(value)

/** Matter to every subcommand: another work tree, a program that lists the references of other repositories. */
const everywhere = new Set(["core.worktree", "core.alternaterefscommand"])

const settings: Readonly<Record<SettingKind, (key: string, value: string, subcommand: string) => boolean>> = {
  index: (key, value) =>
    (key === "core.fsmonitor" && !isOff(value)) ||
    key === "core.hookspath" ||
    key === indexHook ||
    /^filter\..*\.(?:clean|process)$/.test(key),
  diff: (key) => key === "diff.external" || /^diff\..*\.command$/.test(key),
  textconv: (key) => /^diff\..*\.textconv$/.test(key),
  pager: (key, value, subcommand) => key === "core.pager" || (key === `pager.${subcommand}` && !isSwitch(value)),
  // Formats with names of their own may hold %G, which has a program look at signatures.
  signature: (key, value) => (key === "log.showsignature" && !isOff(value)) || /^gpg\.(?:.*\.)?program$/.test(key),
  // A partial clone fetches what it lacks at the moment that something reads it.
  content: (key, value) => (/^remote\..*\.promisor$/.test(key) && !isOff(value)) || key === "extensions.partialclone"
}
