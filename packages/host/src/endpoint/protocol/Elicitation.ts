/** The question to a client's person that MCP calls elicitation (2025-06-18 and later, client/elicitation). */
import { isMembers, type Members } from "./ClientMessage.ts"

export interface ElicitationForm {
  readonly message: string
  /** JSON Schema of a flat object. */
  readonly requestedSchema: Members
}

/** `unanswered`: the client cannot show forms, or failed at it. */
export type ElicitationAnswer =
  | { readonly action: "accept"; readonly content: Members }
  | { readonly action: "decline" | "cancel" | "unanswered" }

/** Whether capabilities declare forms: an empty `elicitation` is one with forms (client/elicitation, capabilities). */
export const elicitsForms = (capabilities: unknown): boolean => {
  const elicitation = isMembers(capabilities) ? capabilities["elicitation"] : undefined
  return isMembers(elicitation) && (elicitation["form"] !== undefined || elicitation["url"] === undefined)
}

/** What a client's result says; anything unknown is no answer. */
export const readElicitation = (result: Members): ElicitationAnswer => {
  const { action, content } = result
  if (action === "accept") return { action, content: isMembers(content) ? content : {} }
  return action === "decline" || action === "cancel" ? { action } : { action: "unanswered" }
}
