import type { Views } from "@gatehouse/core/View"

export const sameView = (text: string): Views => ({
  model: { text },
  operator: { text },
  event: { text },
  durable: { text },
  debug: { text }
})
