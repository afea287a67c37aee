/** What somebody threw, in one bounded line. Reading it may run foreign code, which may throw again. */
import { cutText } from "../text/TextCut.ts"

/** Characters of a message. */
const messageLimit = 500

export const thrownText = (error: unknown): string => {
  try {
    return cutText(described(error).replaceAll(/\s+/g, " ").trim(), messageLimit)
  } catch {
    return "threw something that cannot be read"
  }
}

/** `error instanceof kind`, also where the answer would run foreign code that throws. */
export const thrownIs = <A>(error: unknown, kind: abstract new (...args: Array<never>) => A): error is A => {
  try {
    return error instanceof kind
  } catch {
    return false
  }
}

const described = (value: unknown): string => {
  if (value instanceof Error) return `${value.name}: ${value.message}`
  if (typeof value === "string") return value
  if (typeof value === "object" && value !== null && "_tag" in value && typeof value._tag === "string") {
    return "message" in value && typeof value.message === "string" ? `${value._tag}: ${value.message}` : value._tag
  }
  return value === null ? "threw null" : `threw a value of type ${typeof value}`
}
