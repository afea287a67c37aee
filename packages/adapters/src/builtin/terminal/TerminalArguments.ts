/** What a model may say to `terminal`. */
import * as Schema from "effect/Schema"

/** Seconds a command may take where nothing is said, and at most (behaviour A8). */
export const defaultTimeoutSeconds = 30
export const longestTimeoutSeconds = 120

const SecretBinding = Schema.Struct({
  source: Schema.String.annotations({ description: "env:<NAME>, a variable of the host." }),
  target: Schema.optional(
    Schema.String.annotations({ description: "Name of the variable in the command; the source's own by default." })
  ),
  expires_in_seconds: Schema.optional(
    Schema.Number.annotations({ description: "Whole seconds that the value stays bound; the timeout by default." })
  )
})

export const TerminalArguments = Schema.Struct({
  command: Schema.String.pipe(
    Schema.minLength(1),
    // The longest single argument that Linux takes is 128 KiB; the review reads 32 kB of it.
    Schema.maxLength(100_000),
    Schema.filter((text) => !text.includes("\0") || "holds a NUL character", { jsonSchema: {} }),
    // Another command would run than the one that was judged: half a character cannot be handed on as it is.
    Schema.filter((text) => text.isWellFormed() || "holds half of a character", { jsonSchema: {} })
  ).annotations({ description: "Command line for /bin/sh. Standard input is at its end unless stdin is given." }),
  cwd: Schema.optionalWith(
    Schema.String.pipe(Schema.minLength(1), Schema.maxLength(8192)).annotations({
      description:
        "Folder inside the workspace to run in, relative to the workspace or absolute; the workspace by default."
    }),
    { default: () => "." }
  ),
  timeout_seconds: Schema.optionalWith(
    Schema.Number.pipe(Schema.greaterThan(0), Schema.lessThanOrEqualTo(longestTimeoutSeconds)).annotations({
      description: `Seconds until the command is ended; ${defaultTimeoutSeconds} by default, ${longestTimeoutSeconds} at most.`
    }),
    { default: () => defaultTimeoutSeconds }
  ),
  env: Schema.optionalWith(
    Schema.Record({ key: Schema.String, value: Schema.String }).annotations({
      description: "Variables to add for this command; needs an approval."
    }),
    { default: () => ({}) }
  ),
  stdin: Schema.optional(
    Schema.String.pipe(Schema.maxLength(1_000_000)).annotations({ description: "Text for standard input." })
  ),
  secret_bindings: Schema.optionalWith(
    Schema.Array(SecretBinding).annotations({
      description: "Secrets of the host to bind as variables for this command, once; needs an approval."
    }),
    { default: () => [] }
  ),
  background: Schema.optionalWith(
    Schema.Boolean.annotations({ description: "Run as a task and answer at once; false by default." }),
    { default: () => false }
  )
})

export type TerminalArguments = typeof TerminalArguments.Type
