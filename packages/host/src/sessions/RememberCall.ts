/** The history of a session: each of its calls as the model saw it, to be read and searched later. */
import type { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import { boundedText } from "@gatehouse/core/BoundedText"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Role of the messages that calls are. */
export const callRole = "tool"

/** Characters of one call: what is said at its beginning finds it again, and the rest would only be indexed. */
export const callTextLimit = 8_000

/** What it shows is in the history already. */
const leftOut: ReadonlySet<string> = new Set(["session_search"])

/** Appends the model view of a settled call. A history that cannot be written takes nothing from the call. */
export const rememberCall = (
  sessions: Context.Tag.Service<Sessions>,
  { principal, session }: Pick<TurnContext, "principal" | "session">,
  { callId, status, tool, views }: EffectResult
): Effect.Effect<void> =>
  leftOut.has(tool)
    ? Effect.void
    : Effect.ignoreLogged(
        sessions.append(
          principal,
          session,
          [
            {
              role: callRole,
              text: boundedText(`${tool} ${status}\n${views.model.text}`, callTextLimit),
              data: { call: callId, tool, status }
            }
          ],
          // Its outcome is what has to survive a power cut.
          "process"
        )
      )
