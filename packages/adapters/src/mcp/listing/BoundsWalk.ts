/** Whether a parsed value lies within what a definition may hold, before anything else looks at it. */
import { definitionBounds } from "@gatehouse/catalog/freezing/Sealer"

export class BoundsWalk {
  private count = 0
  private size = 0

  /** What is beyond the bounds; null where nothing is. Goes no deeper than the bound. */
  fault(value: unknown, depth = 0): string | null {
    this.count += 1
    if (this.count > definitionBounds.count) return `holds more than ${definitionBounds.count} values`
    if (typeof value === "string") return this.text(value)
    if (typeof value !== "object" || value === null) return null
    if (depth >= definitionBounds.depth) return `is nested deeper than ${definitionBounds.depth} levels`
    if (Array.isArray(value)) {
      for (const one of value) {
        const fault = this.fault(one, depth + 1)
        if (fault !== null) return fault
      }
      return null
    }
    for (const [name, one] of Object.entries(value)) {
      if (name === "__proto__") return "holds a field named __proto__"
      const fault = this.text(name) ?? this.fault(one, depth + 1)
      if (fault !== null) return fault
    }
    return null
  }

  private text(value: string): string | null {
    this.size += value.length
    return this.size > definitionBounds.size ? `holds more than ${definitionBounds.size} characters` : null
  }
}
