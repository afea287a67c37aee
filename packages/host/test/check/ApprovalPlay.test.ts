import { assert, describe, it } from "@effect/vitest"
import { approvalCheck } from "@gatehouse/host/check/Approval"
import * as Effect from "effect/Effect"

const first = {
  principal: "p1",
  session: "s1",
  core: "assistant",
  core_revision: "r1",
  capabilities: ["fs.write"],
  tool: "write_file",
  action: "write",
  rule: "a.txt"
}
const always = { case: "session", first, answer: "always_allow_for_session" }
const happening = (...between: ReadonlyArray<Record<string, unknown>>) => ({ ...always, between })
const pending = (happening: Record<string, unknown>) => ({ ...happening, while_pending: true })
const terminal = (call: Record<string, unknown>, second: Record<string, unknown> = {}) => ({
  case: "terminal-session",
  first: call,
  answer: "always_allow_for_session",
  second
})

const cases: ReadonlyArray<readonly [string, Record<string, unknown>, string, string]> = [
  ["an answer is remembered", always, "asked", "cached"],
  ["allow is for once", { ...always, answer: "allow" }, "asked", "asked"],
  ["a no is not remembered", { ...always, answer: "deny" }, "denied", "asked"],
  ["nonsense is a no", { ...always, answer: { allow: true } }, "denied", "asked"],
  ["no answer is a no", { case: "session", first }, "denied", "asked"],
  ["exactly eight hours are over", happening({ advance_seconds: 28_800 }), "asked", "asked"],
  ["a moment less is not", happening({ advance_seconds: 28_799.9 }), "asked", "cached"],
  ["use after the end gives nothing back", happening({ advance_seconds: 28_800 }, { use: true }), "asked", "asked"],
  ["a clock that was set changes nothing", happening({ wall_clock_jump_seconds: -90_000 }), "asked", "cached"],
  ["another's session", happening({ event: "other_session_replaced" }), "asked", "cached"],
  ["another's core", happening({ event: "other_core_promoted" }), "asked", "cached"],
  ["another principal", happening({ event: "other_principal_revoked" }), "asked", "cached"],
  ["a promotion that failed", happening({ event: "core_promotion_failed" }), "asked", "cached"],
  ["the end of a turn", happening({ event: "turn_ended" }), "asked", "cached"],
  ["the end of the session", happening({ event: "session_ended" }), "asked", "asked"],
  ["a rollback", happening({ event: "core_rolled_back" }), "asked", "asked"],
  ["a rollback while asked", happening(pending({ event: "core_rolled_back" })), "denied", "asked"],
  ["the end of the session while asked", happening(pending({ event: "session_ended" })), "denied", "asked"],
  ["a restart while asked", happening(pending({ event: "host_restarted" })), "denied", "asked"],
  ["another's end while asked", happening(pending({ event: "other_session_ended" })), "asked", "cached"],
  ["ten minutes without an answer", happening(pending({ advance_seconds: 600 })), "denied", "asked"],
  ["nearly ten minutes", happening(pending({ advance_seconds: 599 })), "asked", "cached"],
  [
    "a closed host and what policy allows",
    { ...happening({ event: "host_closed" }), second: { policy: "auto" } },
    "asked",
    "denied"
  ],
  ["a policy that allows", { ...always, first: { ...first, policy: "auto" } }, "auto", "auto"],
  ["a policy that denies", { ...always, first: { ...first, policy: "deny" } }, "denied", "denied"],
  ["an answer that is not to be kept", { ...always, first: { ...first, session_cacheable: false } }, "asked", "asked"],
  ["a definition that changed", { ...always, second: { definition: "2" } }, "asked", "asked"],
  ["another call of another turn", { ...always, second: { call_id: "c9", turn: "t9" } }, "asked", "cached"],
  ["grants said twice", { ...always, second: { capabilities: ["fs.write", "fs.write"] } }, "asked", "cached"],
  ["a command that only reads", terminal({ command: "ls" }, { command: "cat a.txt" }), "auto", "auto"],
  ["a command that is blocked", terminal({ command: "rm -rf /" }), "denied", "denied"],
  ["a command in another folder", terminal({ command: "npm test" }, { cwd: "packages/a" }), "asked", "asked"],
  ["the same folder by another name", terminal({ command: "npm test" }, { cwd: "./src/.." }), "asked", "cached"],
  ["a folder outside", terminal({ command: "npm test" }, { cwd: "../other" }), "asked", "denied"],
  ["other options", terminal({ command: "npm test" }, { timeout_seconds: 31 }), "asked", "asked"],
  ["in the background", terminal({ command: "npm test" }, { background: true }), "asked", "asked"],
  ["a reading command with an overlay", terminal({ command: "ls", env: { A: "1" } }), "asked", "cached"],
  [
    "an overlay in another order",
    terminal({ command: "ls", env: { A: "1", B: "2" } }, { env: { B: "2", A: "1" } }),
    "asked",
    "cached"
  ]
]

describe("two calls of a session, as gatehouse check approval plays them", () => {
  for (const [name, input, before, after] of cases) {
    it.effect(name, () =>
      Effect.map(approvalCheck.decide(input), (answer) => {
        assert.deepStrictEqual(answer, { first: before, second: after })
      })
    )
  }
})
