/** `tools_list`: what this turn's catalog holds, from the very entries that are called. */
import { textOutput } from "@gatehouse/core/AdapterOutcome"
import { boundedText } from "@gatehouse/core/BoundedText"
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { builtinEntry } from "../BuiltinTool.ts"

/** The entries of the catalog that the turn is bound to. */
export type CatalogLookup = (turn: TurnContext) => ReadonlyArray<EffectEntry>

/** Tools of one answer. */
const pageSize = 100
/** Characters of a description in the text; the data have all of it. */
const descriptionCharacters = 160

const Arguments = Schema.Struct({
  query: Schema.optionalWith(
    Schema.String.pipe(Schema.maxLength(200)).annotations({
      description: "Only tools whose name or description holds this text."
    }),
    { default: () => "" }
  ),
  offset: Schema.optionalWith(
    Schema.Number.pipe(Schema.int(), Schema.between(0, 1_000_000)).annotations({
      description: `Tool to begin at; an answer has ${pageSize} at most.`
    }),
    { default: () => 0 }
  )
})

export const toolsListEntry = (lookup: CatalogLookup): SourceEntry =>
  builtinEntry<typeof Arguments.Type, typeof Arguments.Encoded, typeof Arguments.Type>({
    name: "tools_list",
    description: "Lists the tools of this turn with schema, capability, risk and approval policy.",
    arguments: Arguments,
    capability: null,
    toolset: "control",
    risk: "low",
    policy: "auto",
    readOnly: true,
    plan: (args) => ({
      action: "list",
      target: "tools of this turn",
      risk: "low",
      policy: "auto",
      because: [],
      readOnly: true,
      preview: { query: args.query },
      subject: { kind: "other" },
      approvalShape: {},
      sessionCacheable: true,
      secrets: [],
      writeScope: null,
      timeoutMillis: null,
      prepared: args
    }),
    run: ({ call, prepared }) =>
      Effect.sync(() => {
        const wanted = prepared.query.toLowerCase()
        const found = lookup(call.turn).filter((entry) =>
          `${entry.name}\n${entry.description}`.toLowerCase().includes(wanted)
        )
        const page = found.slice(prepared.offset, prepared.offset + pageSize)
        const next = prepared.offset + page.length < found.length ? prepared.offset + page.length : null
        const lines = page.map(
          (entry) =>
            `${entry.name} (${entry.policy.effective}, ${entry.risk}, ${entry.capability ?? "no capability"}): ${boundedText(
              entry.description.replaceAll(/\s+/g, " "),
              descriptionCharacters
            )}`
        )
        const rest = next === null ? [] : [`… ${found.length - next} more; go on with offset ${next}`]
        return {
          status: "succeeded" as const,
          output: textOutput(lines.length === 0 ? "no tool fits" : [...lines, ...rest].join("\n"), {
            tools: page.map((entry) => ({
              name: entry.name,
              description: entry.description,
              source: entry.source,
              provenance: entry.provenance,
              input_schema: entry.inputSchema,
              capability: entry.capability,
              risk: entry.risk,
              approval_policy: entry.policy.effective,
              decided_by: entry.policy.decidedBy
            })),
            total: found.length,
            next_offset: next
          })
        }
      })
  })
