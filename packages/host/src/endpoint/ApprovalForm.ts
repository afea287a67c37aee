/** An approval question as a client is told of it: a form for its person, and a line that says who else can answer. */
import { type ApprovalAnswer, type ApprovalPrompt, approvalAnswers } from "@gatehouse/policy/approvals/ApprovalPrompter"
import { renderQuestion } from "../cli/render/Question.ts"
import type { ElicitationAnswer, ElicitationForm } from "./protocol/Elicitation.ts"

/** Characters of a form's text: what a person reads before they answer. */
const formTextLimit = 4_000

/** Everything in `prompt` is redacted. "For this session" is offered only where an answer may be kept. */
export const approvalForm = (prompt: ApprovalPrompt): ElicitationForm => {
  const answers = prompt.sessionCacheable ? ["allow", "always_allow_for_session", "deny"] : ["allow", "deny"]
  const reasons = prompt.because.map(({ rule, text }) => `- ${text === undefined ? "" : `${text}: `}${rule}`)
  const message = [
    renderQuestion(prompt, { colours: false }).trim(),
    `asked because of ${prompt.decidedBy}`,
    ...reasons
  ]
    .join("\n")
    .slice(0, formTextLimit)
  return {
    message,
    requestedSchema: {
      type: "object",
      properties: {
        answer: { type: "string", title: "Answer", description: "deny is the safe choice", enum: answers }
      },
      required: ["answer"]
    }
  }
}

/** The answer that counts; null where the client gave none. A form that was sent with anything but a yes is a no. */
export const formAnswer = (answer: ElicitationAnswer): ApprovalAnswer | null => {
  if (answer.action === "unanswered") return null
  if (answer.action !== "accept") return "deny"
  return approvalAnswers.find((known) => known === answer.content["answer"]) ?? "deny"
}

/** What a waiting client is told. `command` answers questions of this home: `gatehouse approvals`. */
export const waitingNote = (prompt: ApprovalPrompt, now: number, command: string): string => {
  const seconds = Math.max(0, Math.round((prompt.deadline - now) / 1_000))
  return `waiting for approval: ${command} allow ${prompt.id} (${seconds} s left: ${prompt.tool} wants to ${prompt.action} ${prompt.target})`
}
