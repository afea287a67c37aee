/** What is wrong with a file of an agent core: where, which field, and what to write instead. */

/** The closed list of what can be wrong; the codes of `test/vectors/manifest-validation.json`. */
export const faultCodes = [
  "yaml_syntax",
  "duplicate_key",
  "unknown_field",
  "missing_field",
  "invalid_type",
  "invalid_value",
  "out_of_range",
  "unknown_toolset"
] as const
export type FaultCode = (typeof faultCodes)[number]

export interface ManifestFault {
  /** Path in the core, with slashes: `agent/tools/note/tool.yaml`. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** Dotted, from the file's root; the empty text is the whole file. */
  readonly field: string
  readonly code: FaultCode
  /** The nearest known name, where one is near. */
  readonly suggestion: string | null
  /** The problem and the remedy. Names fields and shapes, never a value. */
  readonly message: string
}

/**
 * One line for people.
 *
 * @example
 * renderFault(fault) // "agent.yaml:6 tools.metadata.terminal.aproval_policy: is no field here; did you mean …?"
 */
export const renderFault = (fault: ManifestFault): string =>
  `${fault.file}:${fault.line} ${fault.field === "" ? "" : `${visible(fault.field)}: `}${fault.message}`

/** `text` with control, format and surrogate characters written as `\u{…}`, so that no name acts on a terminal. */
export const visible = (text: string): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)

/** The order in which faults are told: as they stand in the files. */
export const byPlace = (left: ManifestFault, right: ManifestFault): number =>
  left.file === right.file ? left.line - right.line : left.file < right.file ? -1 : 1
