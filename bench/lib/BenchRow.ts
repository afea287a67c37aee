/** One figure: a ratio against a peer of the same run, or a size, with its limit. */
export interface BenchRow {
  readonly name: string
  readonly value: number
  readonly limit: number
  /** True where the figure must not fall below its limit. */
  readonly atLeast?: boolean
  readonly unit: string
}
