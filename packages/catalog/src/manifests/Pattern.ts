/** Regular expressions that come from files. */
import * as Option from "effect/Option"

/** The expression of `source` with the flag `u`, as JSON Schema asks for; none where it does not compile. */
export const compiled: (source: string) => Option.Option<RegExp> = Option.liftThrowable(
  (source: string) => new RegExp(source, "u")
)
