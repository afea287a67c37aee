/** A stretch of a text that is a secret, in UTF-16 units. */
export interface Finding {
  readonly start: number
  readonly end: number
  /** Whether its value is a secret wherever else it stands in the same call. */
  readonly spreads: boolean
  /** What the stretch says beside itself: the password inside Basic credentials. */
  readonly within?: ReadonlyArray<string>
}

/** Told of every stretch found; stretches may overlap. */
export type Report = (finding: Finding) => void
