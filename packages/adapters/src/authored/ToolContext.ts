/**
 * What the module of an authored tool is given. Plain values only: no store, no scope, no lease, nothing that would
 * let a tool act beyond its own process.
 *
 * @example
 * // agent/tools/note/module.ts
 * import type { ToolContext } from "@gatehouse/adapters/authored/ToolContext"
 *
 * export const execute = async (ctx: ToolContext, args: { readonly text: string }) => {
 *   ctx.capability.require("notes.write")
 *   ctx.output("writing the note\n")
 *   return { text: `noted in ${ctx.workspace}`, data: { length: args.text.length } }
 * }
 */
export interface ToolContext {
  readonly turn: { readonly id: string; readonly session: string }
  /** Folder name of the tool. */
  readonly slotId: string
  /** Path of the tool in the core: `agent/tools/<id>`. */
  readonly slotPath: string
  readonly capability: {
    /** Whether the core grants `name` to this tool, or the tool's own `capabilities` list it. */
    readonly can: (name: string) => boolean
    /** Throws where {@link can} says no; the call then fails with the capability named. */
    readonly require: (name: string) => void
  }
  /** Folder that the model works in; absolute. */
  readonly workspace: string
  /** Appends to the tool's output; whoever watches sees it at once. */
  readonly output: (text: string) => void
  /** Aborted at the deadline and on cancellation. A tool that does not end then leaves its call indeterminate. */
  readonly signal: AbortSignal
}

/**
 * A result that says what is text and what is data. Any other mapping is taken as data; everything else becomes text.
 * What the host alone knows (`executionStarted`, `denial`, `approval`) is dropped wherever a tool claims it.
 *
 * @public
 */
export interface ToolResult {
  readonly text: string
  readonly data?: unknown
  /** `failed`: the tool ran and did not do what was asked. */
  readonly status?: "succeeded" | "failed"
  /** With `failed`: one line that says what. */
  readonly message?: string
}

/**
 * The exported function that `entrypoint` names. It may return a value, a promise or an Effect.
 *
 * @public
 */
export type ToolFunction = (ctx: ToolContext, args: never) => unknown
