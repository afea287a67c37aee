/** What a new standing answer is for: the tool by its name, or the question that it was asked with. */
import { localName } from "@gatehouse/control-plane/principals/Principals"
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import type { Json } from "@gatehouse/core/Json"
import { definitionFingerprint, needsDefinition } from "@gatehouse/policy/approvals/standing/DefinitionFingerprint"
import type { StandingAnswer, StandingCondition } from "@gatehouse/policy/approvals/standing/StandingAnswer"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { answerFromOffer } from "../../settings/NewStandingAnswer.ts"
import { CommandFailed } from "../ExitStatus.ts"
import { findApproval } from "../FindApproval.ts"
import type { Places } from "../GlobalOptions.ts"
import { admitDryTurn, admitDryTurnWithoutCore, localDryHostLayer } from "../LocalDryHost.ts"
import { localStoreLayer } from "../LocalStore.ts"

/** Who and what, and the condition that a question suggests. */
export interface Candidate extends Pick<StandingAnswer, "principal" | "source" | "tool"> {
  readonly definition: string | null
  readonly suggested: StandingCondition | null
}

/** From the record of a question that was asked: this call and nothing wider. */
export const candidateFromQuestion = (id: string, places: Places) =>
  Effect.gen(function* () {
    const { approval } = yield* findApproval(id)
    const offered = approval.standing === undefined ? null : fromOffer(approval.standing.answer)
    if (offered !== null) return offered
    return yield* new CommandFailed({
      status: "invalid",
      message: `no standing answer can be made from ${approval.id}: what it asks is for a person each time, or cannot be written down`,
      remedy: "`gatehouse approvals show` says why it was asked; name the tool and a condition instead"
    })
  }).pipe(Effect.provide(localStoreLayer(places.home)))

/** By its name in the catalog of a core, or among what the host itself brings along. */
export const candidateFromTool = (tool: string, principal: string | null, places: Places) =>
  Effect.scoped(
    Effect.gen(function* () {
      const turn = yield* admitDryTurn(places, localName).pipe(
        Effect.catchIf(
          ({ status }) => status === "not_found" && Option.isNone(places.core),
          () => admitDryTurnWithoutCore(localName)
        )
      )
      const entry = turn.catalog.entries.find(({ name }) => name === tool)
      if (entry !== undefined) return ofEntry(entry, principal ?? localName)
      return yield* new CommandFailed({
        status: "not_found",
        message: `there is no tool ${JSON.stringify(tool)} to be seen here`,
        remedy:
          "for a tool of a server, take one of its questions: --from APPROVAL_ID (see `gatehouse approvals list --all`)"
      })
    })
  ).pipe(Effect.provide(localDryHostLayer(places)))

const ofEntry = (entry: EffectEntry, principal: string): Candidate => ({
  principal,
  source: entry.source,
  tool: entry.name,
  definition: needsDefinition(entry.source) ? definitionFingerprint(entry) : null,
  suggested: null
})

/** A record holds all but reason and end, which say nothing about what it is for. */
const fromOffer = (offered: Json): Candidate | null => {
  const answer = answerFromOffer(offered, { reason: "-", until: "9999-12-31" })
  return answer === null
    ? null
    : {
        principal: answer.principal,
        source: answer.source,
        tool: answer.tool,
        definition: answer.definition ?? null,
        suggested: answer.when
      }
}
