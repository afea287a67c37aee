/**
 * Reads the text of a Git configuration file. Source: git-config(1), "Configuration file": sections, subsections,
 * values with quotes and escapes, comments, continued lines, includes.
 */

/** `section.name`, or `section.subsection.name`: section and name in lower case, the subsection as it is written. */
export interface GitSetting {
  readonly key: string
  readonly value: string
}

/**
 * @example
 * gitSettings('[diff "pdf"]\n\ttextconv = pdftotext') // [{ key: "diff.pdf.textconv", value: "pdftotext" }]
 */
export const gitSettings = (text: string): ReadonlyArray<GitSetting> => {
  const found: Array<GitSetting> = []
  let section = ""
  for (const line of text.replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    let rest = line.trim()
    const header = /^\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(rest)
    if (header !== null) {
      section = sectionOf(header[1] ?? "", header[2])
      rest = rest.slice(header[0].length).trim()
    }
    if (rest === "" || rest.startsWith("#") || rest.startsWith(";")) continue
    const equals = rest.indexOf("=")
    const name = (equals < 0 ? rest.replace(/[#;].*$/, "") : rest.slice(0, equals)).trim().toLowerCase()
    if (name !== "")
      found.push({ key: `${section}.${name}`, value: equals < 0 ? "true" : valueOf(rest.slice(equals + 1)) })
  }
  return found
}

const sectionOf = (name: string, subsection: string | undefined): string => {
  if (subsection !== undefined) return `${name.toLowerCase()}.${subsection.replace(/\\(.)/g, "$1")}`
  const [first = "", ...rest] = name.split(".")
  return [first.toLowerCase(), ...rest].join(".")
}

/** Without quotes, escapes, a trailing comment and blanks at the ends. */
const valueOf = (text: string): string => {
  let value = ""
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === "\\") value += text[++at] ?? ""
    else if (character === '"') quoted = !quoted
    else if (!quoted && (character === "#" || character === ";")) break
    else value += character
  }
  return value.trim()
}
