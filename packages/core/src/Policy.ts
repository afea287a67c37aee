/** What has to happen before an effect runs: `auto < prompt < deny`. */
export const policies = ["auto", "prompt", "deny"] as const
export type Policy = (typeof policies)[number]

/** The stricter of both: merging settings never loosens any of them. */
export const stricter = (left: Policy, right: Policy): Policy =>
  policies.indexOf(left) >= policies.indexOf(right) ? left : right
