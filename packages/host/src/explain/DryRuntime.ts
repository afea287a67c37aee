/** The dispatcher of a dry run: walks the stages that decide, says what they say, and runs nothing. */
import { ApprovalError } from "@gatehouse/core/EffectError"
import { CatalogId } from "@gatehouse/core/Identifiers"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { EffectRuntime } from "../runtime/EffectRuntime.ts"
import { unboundCall } from "../runtime/UnboundCall.ts"
import { DryDependencies } from "./Explainer.ts"
import { type Walked, walkRequest } from "./ExplainRequest.ts"

/** Every call ends as `denied`; its message says what would have become of it. */
export const dryRuntimeLayer = Layer.effect(
  EffectRuntime,
  Effect.map(DryDependencies, (dependencies) => ({
    execute: (request, turn) =>
      Effect.map(walkRequest(request, turn, dependencies), (walked) =>
        unboundCall(
          {
            callId: request.callId,
            tool: request.name,
            catalog: dependencies.turns.admissionOf(turn)?.catalog.id ?? CatalogId("")
          },
          "denied",
          new ApprovalError({ reason: "nobody", message: wordsOf(walked), remedy: "" })
        )
      )
  }))
)

const wordsOf = ({ decision, error, question, stages }: Walked): string => {
  switch (decision) {
    case "run":
      return `would not be asked about (${stages.at(-1)?.rule ?? ""})`
    case "ask":
      return `would be asked about (${question?.decidedBy ?? ""})`
    case "refuse":
      return `would be refused: ${error?.message ?? ""}`
  }
}
