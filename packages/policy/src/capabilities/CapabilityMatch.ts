/** Whether a set of grants covers a required capability. Pure; cases in `test/vectors/capability-match.json`. */

/**
 * What a look-up may use: `default` the core's grants; `gate` these and what is granted to exactly this component;
 * `inside` as `gate`, and what the component's own manifest declares; `exact-default` the core's grants by whole
 * name only (secrets).
 */
export type CapabilityLookup = "default" | "gate" | "inside" | "exact-default"

export interface CapabilityQuestion {
  readonly required: string
  readonly lookup: CapabilityLookup
  readonly grants: ReadonlyArray<string>
  readonly component?: string
  readonly componentGrants?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly componentDeclares?: Readonly<Record<string, ReadonlyArray<string>>>
}

export interface CapabilityAnswer {
  readonly granted: boolean
  /** The grant that matched, as it was written; null where none did. */
  readonly by: string | null
}
