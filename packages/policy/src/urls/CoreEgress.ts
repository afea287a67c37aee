/** The egress rules that the core of a turn sets. They come on top of the host's own and can only take away. */
import type { TurnContext } from "@gatehouse/core/TurnContext"
import * as Context from "effect/Context"
import type { EgressRules } from "./EgressRules.ts"

/** Whoever reads cores puts this in place; without it cores have no rules. */
export class CoreEgress extends Context.Reference<CoreEgress>()("@gatehouse/policy/CoreEgress", {
  defaultValue: (): { readonly rulesFor: (turn: TurnContext) => ReadonlyArray<EgressRules> } => ({ rulesFor: () => [] })
}) {}
