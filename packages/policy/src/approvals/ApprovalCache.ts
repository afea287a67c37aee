/**
 * The remembered answers and the open questions of one host: a state machine without clock, store or fiber, so that the
 * service and `gatehouse check approval` decide by the same code.
 *
 * Time is handed in as nanoseconds of a steady clock that nobody can set. An answer is kept for eight hours from the
 * moment it was given; use does not prolong it; at exactly eight hours it is gone. Nothing outlives the process.
 */
import { type ApprovalBinding, type BindingKey, bindingKey } from "./ApprovalBinding.ts"

/** Nanoseconds that `always_allow_for_session` holds. */
export const sessionAnswerNanos = 8n * 3_600n * 1_000_000_000n

/** Remembered answers of one host; beyond that the oldest is forgotten, and asked anew. */
export const sessionAnswerLimit = 10_000

/** What is to happen with a call, as far as policy and memory know. */
export type Admission = "auto" | "cached" | "prompt" | "denied" | "closed"

/** Why an answer does not count any more: authority went, the host closed, or the question is over already. */
export type Voiding = "revoked" | "closed" | "over"

/** A question that somebody is being asked, compared by identity. Made by its cache only. */
export interface OpenQuestion {
  readonly binding: ApprovalBinding
  readonly key: BindingKey
  /** Whether equal questions share it, and `always` is kept. */
  readonly cacheable: boolean
}

export type Settlement =
  | { readonly decision: "allowed"; readonly kept: boolean }
  | { readonly decision: "denied"; readonly reason: "person" | Voiding }

/** Which answers and questions a change of authority takes away. */
export type Loss =
  | { readonly of: "session"; readonly session: string }
  | { readonly of: "principal"; readonly principal: string }
  | { readonly of: "core"; readonly core: string }

export interface ApprovalCache {
  /** A closed host denies whatever the policy; `deny` beats every remembered answer; `auto` needs none. */
  readonly admit: (binding: ApprovalBinding, now: bigint) => Admission
  /**
   * The question for a binding whose admission is `prompt`. `first` says that it has to be asked; else an equal one is
   * being asked and its answer counts for both. Questions that are not cacheable are never shared.
   */
  readonly join: (
    binding: ApprovalBinding,
    cacheable: boolean
  ) => { readonly question: OpenQuestion; readonly first: boolean }
  /**
   * An answer came. `allow` and `always_allow_for_session` allow, whole and byte for byte; any other word denies. An
   * answer to a question that is void, withdrawn or answered denies, and nothing is kept.
   */
  readonly settle: (question: OpenQuestion, answer: string, now: bigint) => Settlement
  /** Nobody waits any more, or the time is over: the next equal call asks anew. */
  readonly withdraw: (question: OpenQuestion) => void
  /** Forgets what `loss` names and voids its open questions, which are returned. */
  readonly drop: (loss: Loss) => ReadonlyArray<OpenQuestion>
  /** The end of the host: everything is forgotten, every open question is void, nothing is admitted any more. */
  readonly close: () => ReadonlyArray<OpenQuestion>
}

export const makeApprovalCache = (): ApprovalCache => {
  const answers = new Map<BindingKey, { readonly binding: ApprovalBinding; readonly givenAt: bigint }>()
  const open = new Set<OpenQuestion>()
  const voided = new WeakMap<OpenQuestion, Voiding>()
  /** The open questions that equal calls may join. */
  const shared = new Map<BindingKey, OpenQuestion>()
  let closed = false

  const isRemembered = (binding: ApprovalBinding, now: bigint): boolean => {
    const key = bindingKey(binding)
    const answer = answers.get(key)
    if (answer === undefined) return false
    if (now - answer.givenAt < sessionAnswerNanos) return true
    answers.delete(key)
    return false
  }
  const remember = (question: OpenQuestion, now: bigint): void => {
    answers.delete(question.key)
    answers.set(question.key, { binding: question.binding, givenAt: now })
    if (answers.size > sessionAnswerLimit) for (const oldest of answers.keys()) return void answers.delete(oldest)
  }
  const remove = (question: OpenQuestion): void => {
    open.delete(question)
    if (shared.get(question.key) === question) shared.delete(question.key)
  }
  const voidWhere = (applies: (binding: ApprovalBinding) => boolean, voiding: Voiding): ReadonlyArray<OpenQuestion> => {
    const lost = [...open].filter(({ binding }) => applies(binding))
    for (const question of lost) {
      voided.set(question, voiding)
      // Who asks after the loss has a new authority, and a question of its own.
      remove(question)
    }
    return lost
  }

  return {
    admit: (binding, now) => {
      if (closed) return "closed"
      if (binding.policy === "deny") return "denied"
      if (binding.policy === "auto") return "auto"
      return isRemembered(binding, now) ? "cached" : "prompt"
    },
    join: (binding, cacheable) => {
      const key = bindingKey(binding)
      const equal = cacheable ? shared.get(key) : undefined
      if (equal !== undefined) return { question: equal, first: false }
      const question: OpenQuestion = { binding, key, cacheable }
      if (closed) {
        voided.set(question, "closed")
        return { question, first: true }
      }
      open.add(question)
      if (cacheable) shared.set(key, question)
      return { question, first: true }
    },
    settle: (question, answer, now) => {
      if (!open.has(question)) return { decision: "denied", reason: voided.get(question) ?? "over" }
      remove(question)
      if (answer !== "allow" && answer !== "always_allow_for_session") return { decision: "denied", reason: "person" }
      const kept = answer === "always_allow_for_session" && question.cacheable
      if (kept) remember(question, now)
      return { decision: "allowed", kept }
    },
    withdraw: remove,
    drop: (loss) => {
      const applies = (binding: ApprovalBinding): boolean => isLost(binding, loss)
      for (const [key, { binding }] of answers) if (applies(binding)) answers.delete(key)
      return voidWhere(applies, "revoked")
    },
    close: () => {
      closed = true
      answers.clear()
      return voidWhere(() => true, "closed")
    }
  }
}

const isLost = (binding: ApprovalBinding, loss: Loss): boolean => {
  switch (loss.of) {
    case "session":
      return binding.session === loss.session
    case "principal":
      return binding.principal === loss.principal
    case "core":
      return binding.core === loss.core
  }
}
