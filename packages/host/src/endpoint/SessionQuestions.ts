/**
 * The questions of one client's session. Each is told to the request that waits for it, with the command that answers
 * it; where the client can ask its person, and the owner lets that person decide, it is put to them too.
 */
import type { CallId } from "@gatehouse/core/Identifiers"
import type { ApprovalPrompt } from "@gatehouse/policy/approvals/ApprovalPrompter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { approvalForm, formAnswer, waitingNote } from "./ApprovalForm.ts"
import type { RequestFace } from "./protocol/Methods.ts"

/** What a question needs of whoever waits for it. */
export type AskedFace = Pick<RequestFace, "progress" | "log" | "elicit">

export interface QuestionSettings {
  /** Whether the owner lets the person at this client decide. */
  readonly elicitation: "allowed" | "refused"
  /** Answers questions of this home: `gatehouse approvals`. */
  readonly command: string
}

/** Milliseconds between two notes: clients that wait for progress give up after a minute at the earliest. */
const noteMillis = 10_000

export class SessionQuestions {
  private readonly calls = new Map<CallId, AskedFace>()
  private readonly waiting = new Set<AskedFace>()
  private readonly nobody: AskedFace
  private readonly settings: QuestionSettings

  /** `nobody` hears of questions that no request waits for. */
  constructor(settings: QuestionSettings, nobody: AskedFace) {
    this.settings = settings
    this.nobody = nobody
  }

  /** Questions of `call` are told to `face` while `work` runs. */
  asking<A, E, R>(call: CallId, face: AskedFace, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      Effect.sync(() => this.calls.set(call, face)),
      () => work,
      () => Effect.sync(() => this.calls.delete(call))
    )
  }

  /** Questions of no call (may a server be opened?) are told to `face` while `work` runs. */
  during<A, E, R>(face: AskedFace, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      Effect.sync(() => this.waiting.add(face)),
      () => work,
      () => Effect.sync(() => this.waiting.delete(face))
    )
  }

  /** The answer of the client's person, or never. */
  ask(prompt: ApprovalPrompt): Effect.Effect<string> {
    return Effect.suspend(() => {
      const face = this.calls.get(prompt.call)
      const notes = Effect.repeat(this.note(prompt), Schedule.spaced(noteMillis))
      const elicit = (face ?? this.nobody).elicit
      if (elicit === null || this.settings.elicitation === "refused") return Effect.zipRight(notes, Effect.never)
      const answered = Effect.flatMap(elicit(approvalForm(prompt)), (given) => {
        const answer = formAnswer(given)
        return answer === null ? Effect.never : Effect.succeed<string>(answer)
      })
      return Effect.raceFirst(answered, Effect.zipRight(notes, Effect.never))
    })
  }

  private note(prompt: ApprovalPrompt): Effect.Effect<void> {
    return Effect.map(Clock.currentTimeMillis, (now) => {
      const note = waitingNote(prompt, now, this.settings.command)
      const face = this.calls.get(prompt.call)
      if (face === undefined && this.waiting.size === 0) return this.nobody.log("warning", note)
      for (const hearer of face === undefined ? this.waiting : [face]) hearer.progress(note)
    })
  }
}
