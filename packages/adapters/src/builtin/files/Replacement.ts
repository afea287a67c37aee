/** The exact replacement of a piece of text. Pure. */
import * as Either from "effect/Either"

export interface Replaced {
  readonly text: string
  readonly count: number
}

export type ReplacementFault =
  | { readonly kind: "not_found" }
  | { readonly kind: "ambiguous"; readonly count: number }
  | { readonly kind: "nothing_changes" }

/**
 * `text` with `old` replaced by `replacement`: the one place where it stands, or with `all` every place.
 *
 * Line ends are those of the file: where it has CRLF and `old` was given with LF, it is found all the same, and what is
 * put in gets the line ends of the lines around it.
 */
export const replaceExactly = (
  text: string,
  old: string,
  replacement: string,
  all: boolean
): Either.Either<Replaced, ReplacementFault> => {
  const wanted = [old, toCrlf(old), toLf(old)].find((candidate) => text.includes(candidate))
  if (wanted === undefined || wanted === "") return Either.left({ kind: "not_found" })
  const places = placesOf(text, wanted)
  if (places.length > 1 && !all) return Either.left({ kind: "ambiguous", count: places.length })
  let result = ""
  let end = 0
  for (const place of places) {
    result += text.slice(end, place) + withLineEndsAt(text, place, replacement)
    end = place + wanted.length
  }
  result += text.slice(end)
  return result === text
    ? Either.left({ kind: "nothing_changes" })
    : Either.right({ text: result, count: places.length })
}

const placesOf = (text: string, wanted: string): ReadonlyArray<number> => {
  const places: Array<number> = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) places.push(at)
  return places
}

/** `replacement` with the line end that the line at `place` has, or the one before it where it is the last. */
const withLineEndsAt = (text: string, place: number, replacement: string): string => {
  const next = text.indexOf("\n", place)
  const end = next === -1 ? text.lastIndexOf("\n", place) : next
  if (end === -1) return replacement
  return text[end - 1] === "\r" ? toCrlf(replacement) : toLf(replacement)
}

const toLf = (text: string): string => text.replaceAll("\r\n", "\n")

const toCrlf = (text: string): string => toLf(text).replaceAll("\n", "\r\n")
