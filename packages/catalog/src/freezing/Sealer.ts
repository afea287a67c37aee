/**
 * One pass over the JSON values of a definition: frozen where they stand, all the way down, and their bytes for the
 * fingerprint. They are not copied: a source gives its definitions away with the entry, and a copy of 10,000 of them
 * costs more than everything else together.
 */
import type { DigestBytes } from "./DigestBytes.ts"

/** What one definition may hold. A schema beyond it is no use to a model, and a cost to every turn. */
export const definitionBounds = { depth: 64, size: 512 * 1024, count: 20_000 } as const

const { count: countLimit, depth: depthLimit, size: sizeLimit } = definitionBounds

export class Sealer {
  /** Why the value is no JSON within {@link definitionBounds}; null where it is. */
  private refusal: string | null = null
  private count = 0
  private size = 0
  private readonly bytes: DigestBytes

  constructor(bytes: DigestBytes) {
    this.bytes = bytes
  }

  /** Freezes `input` and writes its bytes behind those that are there; or answers why it cannot be used. */
  seal(input: unknown): string | null {
    this.refusal = null
    this.count = 0
    this.size = 0
    this.visit(input, 0)
    return this.refusal
  }

  private visit(value: unknown, depth: number): void {
    this.count += 1
    if (this.count > countLimit) return this.refuse(`holds more than ${countLimit} values`)
    switch (typeof value) {
      case "string":
        this.size += value.length
        if (this.size > sizeLimit) return this.refuse(`holds more than ${sizeLimit} characters`)
        return this.bytes.text(value)
      case "number":
        if (!Number.isFinite(value)) return this.refuse(`holds ${value}, which JSON does not have`)
        return this.bytes.number(value)
      case "boolean":
        return this.bytes.boolean(value)
      case "object":
        return value === null ? this.bytes.null() : this.container(value, depth)
      default:
        return this.refuse(`holds a ${typeof value}, which JSON does not have`)
    }
  }

  private container(value: object, depth: number): void {
    if (depth >= depthLimit) return this.refuse(`is nested deeper than ${depthLimit} levels`)
    if (Array.isArray(value)) this.array(value, depth)
    else this.object(value, depth)
    Object.freeze(value)
  }

  private array(value: ReadonlyArray<unknown>, depth: number): void {
    this.bytes.array(value.length)
    for (let index = 0; index < value.length && this.refusal === null; index++) this.visit(value[index], depth + 1)
  }

  private object(value: object, depth: number): void {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) return this.refuse("holds an object that is not plain")
    const names = inOrder(Object.keys(value))
    this.bytes.object(names.length)
    for (let index = 0; index < names.length && this.refusal === null; index++) {
      const name = names[index] ?? ""
      if (name === "__proto__") return this.refuse("holds a field named __proto__")
      this.size += name.length
      if (this.size > sizeLimit) return this.refuse(`holds more than ${sizeLimit} characters`)
      this.bytes.text(name)
      this.visit((value as Readonly<Record<string, unknown>>)[name], depth + 1)
    }
  }

  private refuse(reason: string): void {
    this.refusal ??= reason
  }
}

/** Sorts names in place: insertion beats the general sort by far where there are ten or fewer. */
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
