/** One entry of `tools/list`, judged by itself: a bad one costs nobody else anything. Pure. */
import { visible } from "@gatehouse/catalog/manifests/ManifestFault"
import { boundedText } from "@gatehouse/core/BoundedText"
import type { JsonObject } from "@gatehouse/core/Json"
import * as Either from "effect/Either"
import { isRecord } from "../protocol/JsonRpc.ts"
import { judgeSchema } from "./JudgeSchema.ts"
import type { ListedTool, RefusedTool, ToolNote } from "./ListedTool.ts"

/** UTF-16 units of a tool's own name; names of any length below are shown under a short one. */
const nameLimit = 1_024

/** UTF-16 units of a description: what a model reads of a tool before it calls it. */
export const descriptionLimit = 8_192

export interface JudgedTool {
  readonly tool: ListedTool
  readonly notes: ReadonlyArray<ToolNote>
}

/** The tool of one entry, or why there is none. */
export const judgeTool = (entry: unknown): Either.Either<JudgedTool, RefusedTool> => {
  if (!isRecord(entry)) return refused("(an entry)", "is no object")
  const { description, execution, inputSchema, name, outputSchema } = entry
  if (typeof name !== "string")
    return refused("(an entry)", name === undefined ? "has no name" : "has a name that is no text")
  const shown = shownName(name)
  const fault = nameFault(name)
  if (fault !== null) return refused(shown, fault)
  if (description !== undefined && typeof description !== "string")
    return refused(shown, "has a description that is no text")
  if (isRecord(execution) && execution["taskSupport"] === "required") {
    return refused(shown, "can be called as a task only (taskSupport: required), which this host does not do")
  }
  const input = judgeSchema(inputSchema)
  if (Either.isLeft(input)) return refused(shown, `its input schema ${input.left}`)
  const output = outputSchema === undefined ? Either.right(null) : judgeSchema(outputSchema)
  if (Either.isLeft(output)) return refused(shown, `its output schema ${output.left}`)
  const whole = shownDescription(description ?? "")
  return Either.right({
    tool: {
      name,
      description: boundedText(whole, descriptionLimit),
      inputSchema: input.right,
      outputSchema: output.right,
      claims: claimsOf(entry)
    },
    notes:
      whole.length > descriptionLimit
        ? [{ tool: shown, note: `its description was cut from ${whole.length} to ${descriptionLimit} characters` }]
        : []
  })
}

/** A name for people: what cannot be seen is written out, and what is long is cut. */
export const shownName = (name: string): string => boundedText(visible(name), 128)

const nameFault = (name: string): string | null => {
  if (name.trim() === "") return "has an empty name"
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return "has a name with characters that cannot be seen"
  return name.length > nameLimit ? `has a name of ${name.length} characters` : null
}

/** Without what would act on a terminal or hide from a reader; line breaks and tabs stay. */
const shownDescription = (text: string): string => text.replace(/[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu, " ")

const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const

/** The annotations that MCP knows, and the title: claims of the server. */
const claimsOf = ({ annotations, title }: Readonly<Record<string, unknown>>): JsonObject => {
  const claimed: Record<string, string | boolean> = {}
  const own = isRecord(annotations) ? annotations : {}
  for (const hint of hints) if (typeof own[hint] === "boolean") claimed[hint] = own[hint]
  const heading = typeof title === "string" ? title : own["title"]
  if (typeof heading === "string" && heading !== "") claimed["title"] = boundedText(shownDescription(heading), 200)
  return claimed
}

const refused = (tool: string, reason: string): Either.Either<never, RefusedTool> => Either.left({ tool, reason })
