/**
 * JSON values of a source, copied and frozen within bounds, and a form of them for fingerprints. A catalog of 10,000
 * tools is frozen whenever a part of it changes, so both passes are written for speed: no text is put together by hand
 * (the engine's own `JSON.stringify` is three times as fast), and no pair is made for each value.
 */
import type { Json } from "@gatehouse/core/Json"
import * as Either from "effect/Either"

/** What one definition may hold. A schema beyond it is no use to a model, and a cost to every turn. */
export const definitionBounds = { depth: 64, size: 512 * 1024, count: 20_000 } as const

/**
 * A deeply frozen copy of `input`, fields in their order; or why it is no JSON within {@link definitionBounds}.
 *
 * @example
 * frozenJson({ type: "object" }) // Right({ type: "object" })
 */
export const frozenJson = (input: unknown): Either.Either<Json, string> => {
  const copying = new Copying()
  const copy = copying.visit(input, 0)
  return copying.refusal === null ? Either.right(copy) : Either.left(copying.refusal)
}

const { count: countLimit, depth: depthLimit, size: sizeLimit } = definitionBounds

class Copying {
  /** The first thing that is wrong; what is visited after it does not matter any more. */
  refusal: string | null = null
  #count = 0
  #size = 0

  visit(value: unknown, depth: number): Json {
    this.#count += 1
    if (this.#count > countLimit) return this.#refuse(`holds more than ${countLimit} values`)
    switch (typeof value) {
      case "string":
        this.#size += value.length
        return this.#size > sizeLimit ? this.#refuse(`holds more than ${sizeLimit} characters`) : value
      case "number":
        return Number.isFinite(value) ? value : this.#refuse(`holds ${value}, which JSON does not have`)
      case "boolean":
        return value
      case "object":
        if (value === null) return null
        if (depth >= depthLimit) return this.#refuse(`is nested deeper than ${depthLimit} levels`)
        return Array.isArray(value) ? this.#array(value, depth) : this.#object(value, depth)
      default:
        return this.#refuse(`holds a ${typeof value}, which JSON does not have`)
    }
  }

  #array(value: ReadonlyArray<unknown>, depth: number): Json {
    const copy: Array<Json> = []
    for (let index = 0; index < value.length && this.refusal === null; index++) {
      copy.push(this.visit(value[index], depth + 1))
    }
    return Object.freeze(copy)
  }

  #object(value: object, depth: number): Json {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) return this.#refuse("holds an object that is not plain")
    const copy: Record<string, Json> = {}
    for (const key of Object.keys(value)) {
      if (this.refusal !== null) break
      if (key === "__proto__") return this.#refuse("holds a field named __proto__")
      this.#size += key.length
      // An accessor runs here once, and its answer is what counts from now on.
      copy[key] = this.visit(Reflect.get(value, key), depth + 1)
    }
    return Object.freeze(copy)
  }

  #refuse(reason: string): null {
    this.refusal ??= reason
    return null
  }
}

/**
 * A copy of `value` whose fields are in code unit order, so that `JSON.stringify` writes it as core's `canonicalJson`
 * does. Undefined where the engine would put fields elsewhere: it lists names that are array indices first.
 */
export const inFieldOrder = (value: Json): Json | undefined => {
  const ordering = new Ordering()
  const ordered = ordering.visit(value)
  return ordering.hasIndex ? undefined : ordered
}

class Ordering {
  hasIndex = false

  visit(value: Json): Json {
    if (typeof value !== "object" || value === null) return value
    if (isArray(value)) return value.map((part) => this.visit(part))
    const ordered: Record<string, Json> = {}
    for (const key of inOrder(Object.keys(value))) {
      if (isDigit(key.charCodeAt(0))) this.hasIndex = true
      ordered[key] = this.visit(value[key] ?? null)
    }
    return ordered
  }
}

// `Array.isArray` does not narrow read-only arrays.
const isArray = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Sorts a few names in place: insertion beats the general sort by far where there are ten or fewer. */
const inOrder = (names: Array<string>): ReadonlyArray<string> => {
  if (names.length > 24) return names.sort()
  for (let index = 1; index < names.length; index++) {
    const name = names[index] ?? ""
    let before = index - 1
    for (; before >= 0; before--) {
      const other = names[before] ?? ""
      if (other <= name) break
      names[before + 1] = other
    }
    names[before + 1] = name
  }
  return names
}
