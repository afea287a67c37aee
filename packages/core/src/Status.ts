/** How a call ended. `cancelled` and `timed_out` are said only where cleanup was confirmed. */
export const statuses = [
  "succeeded",
  "denied",
  "invalid",
  "not_found",
  "failed",
  "timed_out",
  "cancelled",
  "indeterminate"
] as const
export type Status = (typeof statuses)[number]
