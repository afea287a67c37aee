/** "Always for …": shows what would be kept, takes its reason, and keeps it in the settings of the host's owner. */
import type { ApprovalPrompt } from "@gatehouse/policy/approvals/ApprovalPrompter"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { answerFromOffer, dayAfter, defaultStandingDays } from "../settings/NewStandingAnswer.ts"
import { standingAnswerText } from "../settings/StandingText.ts"
import { type KeySource, readLine } from "./Keys.ts"
import type { Output } from "./Output.ts"
import type { StandingKeeper } from "./StandingKeeper.ts"

/** UTF-16 units of a reason, as the settings take it. */
const longestReason = 500

/** The reason of somebody who gives none. */
const plainReason = "said at the terminal"

/** `back`: nothing was kept, and the question is still open. */
export const keepAlways = Effect.fnUntraced(function* (
  { standing }: Pick<ApprovalPrompt, "standing">,
  keys: KeySource,
  output: Context.Tag.Service<Output>,
  keeper: Context.Tag.Service<StandingKeeper>
): Effect.fn.Return<"kept" | "back" | "stopped"> {
  const until = dayAfter(yield* Clock.currentTimeMillis, defaultStandingDays)
  const offered = standing === undefined ? null : answerFromOffer(standing.answer, { reason: plainReason, until })
  if (offered === null) return "back"
  const { reason: _, ...shown } = offered
  yield* output.note(`  would be kept in ${keeper.place}:\n${indented(standingAnswerText(shown))}`)
  const typed = yield* readLine(keys, "  reason (Enter keeps it, Escape goes back): ", longestReason, output)
  if (typed === "back") return "back"
  if (typed === "stop") return "stopped"
  const kept = yield* Effect.either(keeper.keep({ ...offered, reason: typed.line.trim() || plainReason }))
  if (kept._tag === "Left") {
    yield* output.note(`  not kept: ${kept.left.message}`)
    return "back"
  }
  yield* output.note(`  kept until ${until}; \`gatehouse approvals standing remove ${kept.right}\` takes it back`)
  return "kept"
})

const indented = (text: string): string => text.replace(/^/gm, "    ")
