/**
 * What a sed script does besides printing: the files that it reads and writes, and the commands that it starts.
 * Sources: POSIX.1-2017 sed; GNU sed manual, "sed scripts" (commands `e`, `F`, `z`, `R`, `W`, flags `e` and `w` of `s`).
 */

export type SedEffect =
  | { readonly kind: "runs" }
  | { readonly kind: "reads" | "writes"; readonly file: string }
  | { readonly kind: "unknown"; readonly what: string }

/**
 * @example
 * sedEffects("10,20p")       // []
 * sedEffects("/x/w out.txt") // [{ kind: "writes", file: "out.txt" }]
 */
export const sedEffects = (script: string): ReadonlyArray<SedEffect> => {
  const reader = new SedReader(script, true)
  reader.commands()
  if (!script.includes("[")) return reader.effects
  // Old programs end a pattern at a delimiter inside brackets: what such a one would do counts as well.
  const other = new SedReader(script, false)
  other.commands()
  return [...reader.effects, ...other.effects.filter((effect) => effect.kind !== "unknown")]
}

class SedReader {
  readonly effects: Array<SedEffect> = []
  readonly #text: string
  readonly #brackets: boolean
  #at = 0

  constructor(text: string, brackets: boolean) {
    this.#text = text
    this.#brackets = brackets
  }

  commands(): void {
    while (this.#at < this.#text.length) {
      const before = this.#at
      if (!this.#command()) return
      if (this.#at === before) return this.#unknown("a script that is not understood")
    }
  }

  /** One command with its addresses. False where the rest cannot be understood. */
  #command(): boolean {
    this.#skip(/[\s;}]*/y)
    if (this.#at >= this.#text.length) return true
    if (!this.#address()) return false
    this.#skip(/[\s!]*/y)
    const name = this.#text[this.#at++] ?? ""
    switch (name) {
      case "#":
      case "a":
      case "i":
      case "c":
        return this.#textLine(name)
      case ":":
      case "b":
      case "t":
      case "T":
        this.#skip(/[^;\n}]*/y)
        return true
      case "r":
      case "R":
        return this.#file("reads")
      case "w":
      case "W":
        return this.#file("writes")
      case "s":
        return this.#substitute()
      case "y":
        return this.#delimited(false) !== null || this.#unfinished()
      case "e":
        this.effects.push({ kind: "runs" })
        this.#skip(/[^\n]*/y)
        return true
      case "q":
      case "Q":
      case "l":
      case "L":
        this.#skip(/\s*\d*/y)
        return true
      case "v":
        this.#skip(/[^\n;]*/y)
        return true
      default:
        if (name !== "" && "{}=dDFgGhHnNpPxz".includes(name)) return true
        this.#unknown(`the command ${JSON.stringify(name)}`)
        return false
    }
  }

  /** Up to two addresses: lines, `$`, patterns, steps, offsets. */
  #address(): boolean {
    for (let count = 0; count < 2; count++) {
      const start = this.#text[this.#at] ?? ""
      if (start === "/" || start === "\\") {
        if (start === "\\") this.#at++
        if (this.#upTo(this.#text[this.#at++] ?? "", this.#brackets) === null) return this.#unfinished()
        this.#skip(/[IM]*/y)
      } else this.#skip(/[$+~]?\d*(?:~\d+)?/y)
      this.#skip(/\s*/y)
      if (this.#text[this.#at] !== ",") return true
      this.#at++
      this.#skip(/\s*/y)
    }
    return true
  }

  /** `s/…/…/flags`. */
  #substitute(): boolean {
    if (this.#delimited(this.#brackets) === null) return this.#unfinished()
    for (;;) {
      const flag = this.#text[this.#at] ?? ""
      if (flag === "e") this.effects.push({ kind: "runs" })
      else if (flag === "w") {
        this.#at++
        return this.#file("writes")
      } else if (flag === "" || !/[gpiImM\d]/.test(flag)) return true
      this.#at++
    }
  }

  /** Two parts between three equal delimiters; null where one is missing. */
  #delimited(brackets: boolean): true | null {
    const delimiter = this.#text[this.#at++] ?? ""
    if (delimiter === "" || delimiter === "\n" || delimiter === "\\") return null
    return this.#upTo(delimiter, brackets) === null ? null : this.#upTo(delimiter, false)
  }

  /** Up to the delimiter; with `brackets`, one inside them belongs to the pattern. Null where none comes. */
  #upTo(delimiter: string, brackets: boolean): true | null {
    if (delimiter === "" || delimiter === "\n") return null
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]
      if (character === "\\") this.#at++
      else if (character === delimiter) {
        this.#at++
        return true
      } else if (brackets && character === "[") {
        this.#skip(/\[\^?\]?(?:\[[:.=][^\]]*\]|[^\]])*/y)
        // Whether `[\]` is closed, sed programs do not agree.
        if (this.#at >= this.#text.length || this.#text[this.#at - 1] === "\\") return null
      }
    }
    return null
  }

  #file(kind: "reads" | "writes"): boolean {
    this.#skip(/[ \t]*/y)
    const file = this.#skip(/[^\n]*/y)
    if (file === "") this.#unknown("a file without a name")
    else this.effects.push({ kind, file })
    return true
  }

  /** The text of `a`, `i`, `c`, and a comment: to the end of the line; a backslash goes on with the next one. */
  #textLine(name: string): boolean {
    this.#skip(name === "#" ? /[^\n]*/y : /(?:[^\\\n]|\\[^])*/y)
    return true
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ""
    this.#at += found.length
    return found
  }

  #unfinished(): false {
    this.#unknown("a pattern without an end")
    return false
  }

  #unknown(what: string): void {
    this.effects.push({ kind: "unknown", what })
  }
}
