/** `gatehouse check approval`: which policy holds, and does an earlier yes still count? */
import type { Json } from "@gatehouse/core/Json"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { decidePath, decideTerminal, PathCase, TerminalCase } from "./approval/CallCase.ts"
import { ConnectCase, decideConnect, decideMerge, MergeCase } from "./approval/MergeCase.ts"
import { decideSession, decideTerminalSession, SessionCase, TerminalSessionCase } from "./approval/SessionCase.ts"
import { decodeCase } from "./CaseInput.ts"
import type { CheckKind, CheckRefused } from "./CheckKind.ts"

/** The form of `test/vectors/approval-merge.json`. */
const ApprovalCase = Schema.Union(MergeCase, ConnectCase, TerminalCase, PathCase, SessionCase, TerminalSessionCase)

export const approvalCheck: CheckKind = {
  name: "approval",
  summary: "which policy holds, and does an earlier yes still count?",
  decide: (input) => Effect.flatMap(decodeCase(ApprovalCase, input), decideCase)
}

const decideCase = (question: typeof ApprovalCase.Type): Effect.Effect<Json, CheckRefused> => {
  switch (question.case) {
    case "merge":
      return Effect.succeed(decideMerge(question))
    case "connect":
      return Effect.succeed(decideConnect(question))
    case "terminal":
      return Effect.succeed(decideTerminal(question))
    case "path":
      return Effect.succeed(decidePath(question))
    case "session":
      return decideSession(question)
    case "terminal-session":
      return decideTerminalSession(question)
  }
}
