import type { Json } from "@gatehouse/core/Json"

/** Where arguments do not fit, and how to mend them; never with a value. */
export interface ArgumentFault {
  /** Dotted, from the root (the empty text). */
  readonly path: string
  readonly message: string
}

/** Answers the first fault of a value; null where it fits. */
export type ArgumentCheck = (args: Json) => ArgumentFault | null
