/** One thing that `gatehouse doctor` looked at. */

export interface Finding {
  /** `node`, `home`, `settings`, `core`, `store`, `processes`, `sandbox`, `environment`. */
  readonly subject: string
  /** `error` is what keeps Gatehouse from working; `warning` what a person should know. */
  readonly state: "ok" | "warning" | "error"
  readonly detail: string
  /** How to mend it; the empty text where nothing needs mending. */
  readonly remedy: string
}

export const ok = (subject: string, detail: string): Finding => ({ subject, state: "ok", detail, remedy: "" })

export const warning = (subject: string, detail: string, remedy: string): Finding => ({
  subject,
  state: "warning",
  detail,
  remedy
})

export const error = (subject: string, detail: string, remedy: string): Finding => ({
  subject,
  state: "error",
  detail,
  remedy
})
