/** One record per question: the first answer counts, from whatever process, within its deadline. */

import { assert, describe, it } from "@effect/vitest"
import { ApprovalRecords } from "@gatehouse/control-plane/approvals/ApprovalRecords"
import { controlPlaneLayer, controlPlaneLayerMemory } from "@gatehouse/control-plane/ControlPlane"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { fingerprint } from "@gatehouse/core/Fingerprint"
import { ApprovalId, CallId, CoreRevision, SessionId, TurnId } from "@gatehouse/core/Identifiers"
import { type PendingApproval, PendingApprovals } from "@gatehouse/core/PendingApprovals"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { child } from "./support/children.ts"
import { homeAt, temporaryHome } from "./support/homes.ts"

const provided = Effect.provide(controlPlaneLayerMemory)

const question = (scope: PrincipalScope, id: string, millis: number) =>
  Effect.map(
    Clock.currentTimeMillis,
    (now): PendingApproval => ({
      id: ApprovalId(id),
      principal: scope.id,
      session: SessionId("session"),
      turn: TurnId("turn"),
      call: CallId("call"),
      coreRevision: CoreRevision("rev"),
      capabilities: fingerprint([]),
      policy: "prompt",
      entry: fingerprint("entry"),
      tool: "write_file",
      provenance: "builtin",
      action: "write",
      target: "a.txt",
      risk: "medium",
      preview: { path: "a.txt" },
      because: [],
      decidedBy: "agent.yaml:3",
      sessionCacheable: true,
      createdAt: now,
      deadline: now + millis
    })
  )

const opened = Effect.gen(function* () {
  const pending = yield* PendingApprovals
  const { local } = yield* Principals
  const asked = yield* question(local, "approval_1", 5_000)
  yield* pending.open(asked)
  return { pending, local, asked, records: yield* ApprovalRecords }
})

describe("a question", () => {
  it.live("is answered by the first of many, and all are told", () =>
    Effect.gen(function* () {
      const { pending, asked, records, local } = yield* opened
      const waiters = yield* Effect.forEach([1, 2, 3], () => Effect.fork(pending.resolution(asked.id)))
      yield* Effect.sleep(20)
      const answers = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, index) => index),
        (index) => pending.resolve(asked.id, { answer: "allow", by: `surface ${index}`, at: index }),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter((answer) => answer === "recorded"),
        1
      )
      assert.lengthOf(
        answers.filter((answer) => answer === "late"),
        9
      )
      const first = yield* Fiber.join(waiters[0]!)
      for (const waiter of waiters) assert.deepStrictEqual(yield* Fiber.join(waiter), first)
      assert.deepStrictEqual((yield* records.get(local, asked.id))?.resolution, first)
      assert.strictEqual(yield* records.answer(local, asked.id, "deny", "command line"), "late")
    }).pipe(provided)
  )

  it.live("is a denial by its deadline, on the steady clock, and late answers change nothing", () =>
    Effect.gen(function* () {
      const pending = yield* PendingApprovals
      const { local } = yield* Principals
      const asked = yield* question(local, "approval_1", 120)
      yield* pending.open(asked)
      const waiting = yield* Effect.fork(pending.resolution(asked.id))
      assert.lengthOf(yield* pending.list(local.id), 1)
      const answer = yield* Fiber.join(waiting)
      assert.deepInclude(answer, { answer: "deny", by: "deadline" })
      assert.strictEqual(yield* pending.resolve(asked.id, { answer: "allow", by: "terminal", at: 0 }), "late")
      assert.deepStrictEqual(yield* pending.resolution(asked.id), answer)
      assert.lengthOf(yield* pending.list(local.id), 0)
    }).pipe(provided)
  )

  it.live("that nobody waited for is a denial too once its deadline has passed", () =>
    Effect.gen(function* () {
      const pending = yield* PendingApprovals
      const { local } = yield* Principals
      const asked = yield* question(local, "approval_1", -1)
      yield* pending.open(asked)
      assert.strictEqual(yield* pending.resolve(asked.id, { answer: "allow", by: "terminal", at: 0 }), "late")
      assert.deepInclude(yield* pending.resolution(asked.id), { answer: "deny", by: "deadline" })
    }).pipe(provided)
  )

  it.live("of somebody else is not there", () =>
    Effect.gen(function* () {
      const { records, asked, local } = yield* opened
      const principals = yield* Principals
      const bob = yield* principals.user("bob")
      assert.isNull(yield* records.get(bob, asked.id))
      assert.strictEqual(yield* records.answer(bob, asked.id, "allow", "terminal"), "not_found")
      assert.strictEqual(yield* records.answer(bob, ApprovalId("none"), "allow", "terminal"), "not_found")
      assert.deepStrictEqual(yield* records.list(bob, "all"), [])
      assert.lengthOf(yield* records.list(local, "pending"), 1)
      assert.lengthOf(yield* records.list(yield* principals.operator("test"), "pending"), 1)
      assert.isNull((yield* records.get(local, asked.id))?.resolution ?? null)
    }).pipe(provided)
  )

  it.live("that is unknown, or asked twice, is an error", () =>
    Effect.gen(function* () {
      const { pending, asked } = yield* opened
      assert.strictEqual((yield* Effect.flip(pending.resolution(ApprovalId("none"))))._tag, "ApprovalStoreError")
      assert.strictEqual(yield* pending.resolve(ApprovalId("none"), { answer: "allow", by: "", at: 0 }), "not_found")
      assert.strictEqual((yield* Effect.flip(pending.open(asked)))._tag, "ApprovalStoreError")
    }).pipe(provided)
  )

  it.scopedLive("is answered by another process, and survives a restart in between", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      const open = Effect.provide(Layer.provide(controlPlaneLayer, homeAt(root)))
      const first = yield* Effect.map(opened, ({ asked }) => asked).pipe(open)
      yield* Effect.gen(function* () {
        const pending = yield* PendingApprovals
        const { local } = yield* Principals
        assert.deepStrictEqual(yield* pending.list(local.id), [first])
        const waiting = yield* Effect.fork(pending.resolution(first.id))
        const other = yield* child("answering-host.mjs", [root, first.id])
        assert.deepInclude(yield* Fiber.join(waiting), { answer: "allow", by: "command line" })
        yield* Effect.promise(() => other.ended)
        assert.deepStrictEqual(other.lines, ["recorded"], other.errors.join(""))
      }).pipe(open)
    })
  )
})
