import * as Schema from "effect/Schema"

/** The argument `path` of every file tool. */
export const PathArgument = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(8192)).annotations({
  description: "Path of the file, relative to the workspace or absolute."
})
