/** What somebody threw, in one bounded line. Reading it may run foreign code, which may throw again. */
import { cutText } from "../text/TextCut.ts"

/** Characters of a message. */
const messageLimit = 500

export const thrownText = (error: unknown): string => {
  try {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : `threw ${kindOf(error)}`
    return cutText(text.replaceAll(/\s+/g, " ").trim(), messageLimit)
  } catch {
    return "threw something that cannot be read"
  }
}

const kindOf = (value: unknown): string => {
  if (typeof value === "string") return value
  if (typeof value === "object" && value !== null && "_tag" in value && typeof value._tag === "string") {
    const message = "message" in value && typeof value.message === "string" ? `: ${value.message}` : ""
    return `${value._tag}${message}`
  }
  return value === null ? "null" : `a value of type ${typeof value}`
}
