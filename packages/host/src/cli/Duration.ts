/** Spans of time as they are typed. */

import * as Either from "effect/Either"
import { CommandFailed } from "./ExitStatus.ts"

const unitMillis: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000
}

/**
 * Milliseconds of `text`: a whole number with `s`, `m`, `h`, `d` or `w` behind it.
 *
 * @example
 * parseDuration("--since", "7d") // Either.right(604_800_000)
 */
export const parseDuration = (option: string, text: string): Either.Either<number, CommandFailed> => {
  const [, digits = "", unit = ""] = /^(\d{1,9})([smhdw])$/.exec(text) ?? []
  const millis = Number(digits) * (unitMillis[unit] ?? Number.NaN)
  return digits !== "" && Number.isSafeInteger(millis)
    ? Either.right(millis)
    : Either.left(
        new CommandFailed({
          status: "invalid",
          message: `${option}: ${JSON.stringify(text)} is no span of time`,
          remedy: "write a whole number with s, m, h, d or w behind it, as in 7d"
        })
      )
}
