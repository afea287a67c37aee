/** Whether an answer holds what a case expects, by the rules of `test/vectors/README.md`. Pure. */
import { isJsonObject, type Json } from "@gatehouse/core/Json"

/**
 * The places where `answer` differs from `expected`, empty where it agrees. Objects are compared field by field and may
 * hold more; a list where the answer has one value means that any of the listed values is right.
 *
 * @example
 * disagreements({ decision: ["prompt", "block"] }, { decision: "prompt", risk: "high" }) // []
 */
export const disagreements = (expected: Json, answer: Json | undefined, path = ""): ReadonlyArray<string> => {
  if (Array.isArray(expected)) return listDisagreements(expected, answer, path)
  if (isJsonObject(expected)) {
    if (!isJsonObject(answer)) return [difference(path, expected, answer)]
    return Object.entries(expected).flatMap(([field, value]) =>
      disagreements(
        value,
        Object.hasOwn(answer, field) ? answer[field] : undefined,
        path === "" ? field : `${path}.${field}`
      )
    )
  }
  return expected === answer ? [] : [difference(path, expected, answer)]
}

const listDisagreements = (
  expected: ReadonlyArray<Json>,
  answer: Json | undefined,
  path: string
): ReadonlyArray<string> => {
  const agrees = Array.isArray(answer)
    ? answer.length === expected.length &&
      expected.every((value, index) => disagreements(value, answer[index]).length === 0)
    : expected.some((value) => disagreements(value, answer).length === 0)
  return agrees ? [] : [difference(path, expected, answer)]
}

const difference = (path: string, expected: Json, answer: Json | undefined): string =>
  `${path === "" ? "the answer" : path}: expected ${shown(expected)}, got ${shown(answer)}`

const shown = (value: Json | undefined): string => {
  const text = value === undefined ? "nothing" : JSON.stringify(value)
  return text.length > 160 ? `${text.slice(0, 157)}...` : text
}
