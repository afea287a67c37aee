/**
 * An answer that the owner of a host gives in advance, in the host's own settings and never in a core. It answers like
 * a person and is recorded as such; what it can never answer is in `StandingAnswers.ts`.
 */
import type { Json } from "@gatehouse/core/Json"
import * as Schema from "effect/Schema"

const JsonValue: Schema.Schema<Json> = Schema.suspend(() =>
  Schema.Union(
    Schema.Null,
    Schema.Boolean,
    Schema.JsonNumber,
    Schema.String,
    Schema.Array(JsonValue),
    Schema.Record({ key: Schema.String, value: JsonValue })
  )
)

/** A file. `*` and `?` stay within one component, `**` goes through any; relative to the workspace, or absolute. */
const PathCondition = Schema.Struct({
  kind: Schema.Literal("path"),
  pattern: Schema.NonEmptyString,
  covers: Schema.NonEmptyArray(Schema.NonEmptyString),
  leaves: Schema.NonEmptyArray(Schema.NonEmptyString)
})

const Words = Schema.NonEmptyArray(Schema.String)

/** Simple commands by their words: all of them, or with `more` the program and its leading words. */
const CommandCondition = Schema.Struct({
  kind: Schema.Literal("command"),
  commands: Schema.NonEmptyArray(
    Schema.Struct({ words: Words, more: Schema.optionalWith(Schema.Boolean, { default: () => false }) })
  ),
  covers: Schema.NonEmptyArray(Schema.NonEmptyArray(Words)),
  leaves: Schema.NonEmptyArray(Schema.NonEmptyArray(Words))
})

/** A tool of a server, under the server's own name for it, whose arguments fit a JSON Schema (2020-12). */
const McpCondition = Schema.Struct({
  kind: Schema.Literal("mcp"),
  server: Schema.NonEmptyString,
  arguments: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  covers: Schema.NonEmptyArray(JsonValue),
  leaves: Schema.NonEmptyArray(JsonValue)
})

const Target = Schema.Struct({ action: Schema.NonEmptyString, target: Schema.String })

/** Anything else: exactly this action on this target, as the question names them. */
const TargetCondition = Schema.Struct({
  kind: Schema.Literal("target"),
  ...Target.fields,
  covers: Schema.NonEmptyArray(Target),
  leaves: Schema.NonEmptyArray(Target)
})

export const StandingCondition = Schema.Union(PathCondition, CommandCondition, McpCondition, TargetCondition)
export type StandingCondition = typeof StandingCondition.Type

/**
 * `covers` and `leaves` are examples of what the condition covers and what it does not, at least one of each; they are
 * checked when the settings load. `until` is the last day (UTC). `definition` is what `gatehouse approvals standing add`
 * writes for a tool that the host does not bring along itself: a changed definition is asked about anew.
 *
 * @example
 * // standing_answers:
 * //   - principal: local
 * //     source: builtin
 * //     tool: terminal
 * //     when:
 * //       kind: command
 * //       commands: [{ words: [npm, test] }]
 * //       covers: [[[npm, test]]]
 * //       leaves: [[[npm, test, --watch]], [[npm, test], [rm, a.txt]]]
 * //     reason: tests write nothing outside coverage/
 * //     until: 2026-12-31
 */
export const StandingAnswer = Schema.Struct({
  answer: Schema.optionalWith(Schema.Literal("allow", "deny"), { default: () => "allow" as const }),
  principal: Schema.NonEmptyString,
  source: Schema.NonEmptyString,
  /** The tool's name; for a tool of a server, the server's own name for it. */
  tool: Schema.NonEmptyString,
  when: StandingCondition,
  definition: Schema.optional(Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/))),
  /** Shown with every call that it answers. */
  reason: Schema.NonEmptyTrimmedString.pipe(Schema.maxLength(500)),
  until: Schema.String.pipe(
    Schema.filter((text) => lastMoment(text) !== null || "must be a day of the calendar as YYYY-MM-DD")
  )
})
export type StandingAnswer = typeof StandingAnswer.Type

/** The end of a day (UTC) in milliseconds since the epoch; null for what is no day of the calendar. */
export const lastMoment = (day: string): number | null => {
  const begins = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN
  // The parser takes 2026-02-30 for the 2nd of March; a day is one that says itself again.
  if (Number.isNaN(begins) || !new Date(begins).toISOString().startsWith(day)) return null
  return begins + 86_400_000
}
