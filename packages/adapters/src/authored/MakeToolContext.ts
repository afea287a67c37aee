/** The context of one call of an authored tool. */

import type { AuthoredTool } from "@gatehouse/catalog/cores/AgentCore"
import type { AuthorizedCall } from "@gatehouse/core/Authorized"
import { matchCapability } from "@gatehouse/policy/capabilities/CapabilityMatch"
import { asHost } from "./GuestCode.boundary.ts"
import { textLimit } from "./ToolAnswer.boundary.ts"
import type { ToolContext } from "./ToolContext.ts"

/** What `ctx.capability.require` throws into the tool's code. */
export class CapabilityMissing extends Error {
  override readonly name = "CapabilityMissing"
  readonly capability: string
  constructor(capability: string) {
    super(`the capability ${capability} is neither granted to this tool nor listed in its capabilities`)
    this.capability = capability
  }
}

export interface ContextOfCall {
  readonly context: ToolContext
  /** What the tool wrote so far, within the bound of an answer. */
  readonly written: () => string
}

export const makeToolContext = (
  tool: AuthoredTool,
  call: AuthorizedCall<unknown>,
  signal: AbortSignal
): ContextOfCall => {
  const { turn, witness } = call
  let written = ""
  const can = (name: string): boolean =>
    matchCapability({
      required: name,
      lookup: "inside",
      grants: turn.capabilities.defaults,
      component: tool.component,
      componentGrants: turn.capabilities.components,
      componentDeclares: { [tool.component]: tool.manifest.capabilities }
    }).granted
  const context: ToolContext = Object.freeze({
    turn: Object.freeze({ id: turn.id, session: turn.session }),
    slotId: tool.id,
    slotPath: tool.component,
    capability: Object.freeze({
      can: (name: string) => can(String(name)),
      require: (name: string) => {
        if (!can(String(name))) throw new CapabilityMissing(String(name))
      }
    }),
    workspace: turn.workspace,
    output: (text: string) => {
      const more = String(text)
      // One beyond the bound is kept, so that the answer says that it was cut.
      written += more.slice(0, textLimit + 1 - written.length)
      asHost(() => witness.live("stdout", more))
    },
    signal
  })
  return { context, written: () => written }
}
