/** How grave an effect is: `low < medium < high < critical`. */
export const risks = ["low", "medium", "high", "critical"] as const
export type Risk = (typeof risks)[number]

/** The graver of both: a whole is as grave as its gravest part. */
export const graver = (left: Risk, right: Risk): Risk => (risks.indexOf(left) >= risks.indexOf(right) ? left : right)
