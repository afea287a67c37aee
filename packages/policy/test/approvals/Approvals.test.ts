import { assert, describe, it } from "@effect/vitest"
import { CallId, PrincipalId, SessionId } from "@gatehouse/core/Identifiers"
import { ApprovalStoreError, type PendingApproval, PendingApprovals } from "@gatehouse/core/PendingApprovals"
import { makePrincipalIssuer } from "@gatehouse/core/PrincipalIssuer"
import { type RuntimeEvent, RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import { type ApprovalPrompt, ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import { type ApprovalOutcome, Approvals, type ApprovalsOptions } from "@gatehouse/policy/approvals/Approvals"
import { layerPendingApprovalsMemory } from "@gatehouse/policy/approvals/PendingApprovalsMemory"
import { pendingLimitMillis } from "@gatehouse/policy/approvals/PoseQuestion"
import { Redactor } from "@gatehouse/policy/redaction/Redactor"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { testTurn } from "../TestTurn.ts"
import { testPlan, testQuestion } from "./TestQuestion.ts"

const options: ApprovalsOptions = { fingerprintKey: new Uint8Array(32).fill(7) }
const redactor = Redactor.layer({ homeKey: new Uint8Array(32), hostEnvironment: {} })

interface Fixture {
  readonly events: Array<RuntimeEvent>
  readonly asked: Array<ApprovalPrompt>
}

/** Approvals over a real store in memory, with a prompter of the test's choice. */
const approvals = (
  ask: (prompt: ApprovalPrompt, count: number) => Effect.Effect<string>,
  fixture: Fixture = { events: [], asked: [] },
  settings: Partial<ApprovalsOptions> = {},
  store: Layer.Layer<PendingApprovals> = layerPendingApprovalsMemory
) => {
  const prompter = Layer.succeed(ApprovalPrompter, {
    surface: "test",
    available: true,
    ask: (prompt) => ask(prompt, fixture.asked.push(prompt))
  })
  return Approvals.layer({ ...options, ...settings }).pipe(
    Layer.provideMerge(Layer.mergeAll(store, prompter, redactor, RuntimeEvents.layerMemory(fixture.events)))
  )
}
const answering =
  (...answers: ReadonlyArray<string>) =>
  (_: ApprovalPrompt, count: number) =>
    Effect.succeed(answers[count - 1] ?? "deny")
const fixture = (): Fixture => ({ events: [], asked: [] })
const types = ({ events }: Fixture) => events.map(({ type }) => type)
const how = (outcome: ApprovalOutcome) => (outcome.decision === "allowed" ? outcome.how : `denied: ${outcome.reason}`)
const decide = (changes: Parameters<typeof testQuestion>[0] = {}) =>
  Effect.flatMap(Approvals, (service) => Effect.map(service.decide(testQuestion(changes)), how))
const decideInTime = (changes: Parameters<typeof testQuestion>[0] = {}) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => decide({ ...changes, deadline: now + 60_000 }))

describe("approvals", () => {
  it.effect("ask nobody where policy has decided", () => {
    const seen = fixture()
    return Effect.gen(function* () {
      assert.strictEqual(yield* decide({ policy: "auto" }), "auto")
      assert.strictEqual(yield* decide({ policy: "deny" }), "denied: policy")
      assert.strictEqual(seen.asked.length, 0)
    }).pipe(Effect.provide(approvals(answering("allow"), seen)))
  })

  it.effect("allow for once with allow, and deny with every other word", () => {
    const words = ["ALLOW", "allow ", "yes", "", "always", "Always_Allow_For_Session", "deny", "true", "allow\n"]
    return Effect.gen(function* () {
      for (const _ of words) assert.strictEqual(yield* decide(), "denied: person")
      assert.strictEqual(yield* decide(), "prompted")
      assert.strictEqual(yield* decide(), "denied: person", "allow is for once")
    }).pipe(Effect.provide(approvals(answering(...words, "allow", "no"))))
  })

  it.effect("tell requested, decided and denied, in this order, and nothing raw", () => {
    const seen = fixture()
    const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"
    const plan = testPlan({ target: `curl -H 'Authorization: Bearer ${secret}'`, preview: { token: secret } })
    return Effect.gen(function* () {
      assert.strictEqual(yield* decide({ plan }), "denied: person")
      assert.deepStrictEqual(types(seen), ["approval.requested", "approval.decided", "approval.denied"])
      const told = JSON.stringify(seen.events)
      for (const raw of [secret, "curl", testQuestion().turn.capabilities.fingerprint]) assert.notInclude(told, raw)
      assert.match(String(JSON.stringify(seen.events[0]?.data)), /"rule":"[0-9a-f]{16}"/)
      assert.notInclude(JSON.stringify(seen.asked), secret)
    }).pipe(Effect.provide(approvals(answering("deny"), seen)))
  })

  it.effect("deny before anybody is asked where nobody can be, with the same three events", () => {
    const seen = fixture()
    return Effect.gen(function* () {
      assert.strictEqual(yield* decide({ turn: testTurn({ route: "none" }) }), "denied: nobody")
      assert.deepStrictEqual(types(seen), ["approval.requested", "approval.decided", "approval.denied"])
      assert.strictEqual(seen.asked.length, 0)
    }).pipe(Effect.provide(approvals(answering("allow"), seen)))
  })

  it.effect("keep an answer for the session up to eight hours, not prolonged by use", () => {
    const seen = fixture()
    return Effect.gen(function* () {
      assert.strictEqual(yield* decide(), "prompted")
      yield* TestClock.adjust("5 hours")
      assert.strictEqual(yield* decideInTime({ callId: CallId("call_2") }), "cached")
      yield* TestClock.adjust("10799999 millis")
      assert.strictEqual(yield* decideInTime(), "cached")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* decideInTime(), "prompted", "at exactly eight hours it is gone")
      assert.strictEqual(seen.asked.length, 2)
    }).pipe(Effect.provide(approvals(answering("always_allow_for_session", "allow"), seen)))
  })

  it.effect("measure the kept time on a clock that nobody can set", () =>
    Effect.gen(function* () {
      const clock = yield* Effect.clock
      let jump = 0
      const jumping: Clock.Clock = {
        [Clock.ClockTypeId]: Clock.ClockTypeId,
        unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis() + jump,
        unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
        currentTimeMillis: Effect.sync(() => clock.unsafeCurrentTimeMillis() + jump),
        currentTimeNanos: clock.currentTimeNanos,
        sleep: (duration) => clock.sleep(duration)
      }
      const decideNow = decideInTime().pipe(Effect.withClock(jumping))
      assert.strictEqual(yield* decideNow, "prompted")
      jump = 9 * 3_600_000
      assert.strictEqual(yield* decideNow, "cached", "a wall clock that was set forward ends nothing")
      jump = -9 * 3_600_000
      yield* TestClock.adjust("8 hours")
      assert.strictEqual(yield* decideNow, "prompted", "and one that was set back prolongs nothing")
    }).pipe(Effect.provide(approvals(answering("always_allow_for_session", "allow"))))
  )

  it.effect("never keep an answer for a call with secrets, nor share it", () => {
    const seen = fixture()
    const secrets = [{ source: "env:API_TOKEN", target: "T", expiresInSeconds: 5 }]
    const always = () => Effect.as(Effect.sleep("1 second"), "always_allow_for_session")
    return Effect.gen(function* () {
      const both = yield* Effect.fork(
        Effect.all([decide({ plan: testPlan({ secrets }) }), decide({ plan: testPlan({ secrets }) })], {
          concurrency: 2
        })
      )
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(both), ["prompted", "prompted"])
      assert.strictEqual(seen.asked.length, 2)
      assert.isFalse(seen.asked[0]?.sessionCacheable)
      const third = yield* Effect.fork(decide({ plan: testPlan({ secrets }) }))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(third), "prompted")
    }).pipe(Effect.provide(approvals(always, seen)))
  })

  it.effect("ask once for two equal calls, and twice for two different ones", () => {
    const seen = fixture()
    const slow = () => Effect.as(Effect.sleep("1 second"), "allow")
    return Effect.gen(function* () {
      const equal = yield* Effect.fork(Effect.all([decide(), decide({ callId: CallId("call_2") })], { concurrency: 2 }))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(equal), ["prompted", "prompted"])
      assert.strictEqual(seen.asked.length, 1)
      const others = yield* Effect.fork(
        Effect.all([decide(), decide({ plan: testPlan({ target: "b.txt" }) })], { concurrency: 2 })
      )
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(others)
      assert.strictEqual(seen.asked.length, 3)
    }).pipe(Effect.provide(approvals(slow, seen)))
  })

  it.effect("free the slot of a call that was cancelled; who still waits goes on, and the next asks anew", () => {
    const seen = fixture()
    return Effect.gen(function* () {
      const answer = yield* Deferred.make<string>()
      yield* Effect.gen(function* () {
        const first = yield* Effect.fork(decide())
        yield* Effect.yieldNow()
        const second = yield* Effect.fork(decide())
        yield* TestClock.adjust("1 millis")
        yield* Fiber.interrupt(first)
        assert.strictEqual(seen.asked.length, 1)
        yield* Fiber.interrupt(second)
        const third = yield* Effect.fork(decide())
        const fourth = yield* Effect.fork(decide())
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(seen.asked.length, 2)
        yield* Fiber.interrupt(third)
        yield* Deferred.succeed(answer, "allow")
        assert.strictEqual(yield* Fiber.join(fourth), "prompted")
        assert.strictEqual(seen.asked.length, 2)
        const open = yield* (yield* PendingApprovals).list(PrincipalId("p1"))
        assert.deepStrictEqual(open, [], "no record of a question that nobody waits for stays open")
      }).pipe(Effect.provide(approvals(() => Deferred.await(answer), seen)))
    })
  })

  it.effect("deny what is pending when its authority goes, for all that waited, and keep nothing", () => {
    const seen = fixture()
    const losses = [
      (service: typeof Approvals.Service) => service.revoke(makePrincipalIssuer().issue(PrincipalId("p1"), "user")),
      (service: typeof Approvals.Service) => service.dropSession(SessionId("session_1")),
      (service: typeof Approvals.Service) => service.dropCore("/core")
    ]
    return Effect.gen(function* () {
      const service = yield* Approvals
      for (const lose of losses) {
        const waiting = yield* Effect.fork(Effect.all([decideInTime(), decideInTime()], { concurrency: 2 }))
        yield* TestClock.adjust("1 millis")
        yield* lose(service)
        assert.deepStrictEqual(yield* Fiber.join(waiting), ["denied: revoked", "denied: revoked"])
        yield* TestClock.adjust("2 seconds")
        const after = yield* Effect.fork(decideInTime())
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* Fiber.join(after), "prompted", "who asks afterwards is asked about")
        assert.strictEqual(yield* decideInTime(), "cached")
        yield* lose(service)
        const dropped = yield* Effect.fork(decideInTime())
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* Fiber.join(dropped), "prompted", "a remembered answer went too")
        yield* lose(service)
      }
      assert.deepStrictEqual(
        [...new Set(types(seen).slice(0, 4))],
        ["approval.requested", "approval.decided", "approval.denied"]
      )
    }).pipe(Effect.provide(approvals(() => Effect.as(Effect.sleep("1 second"), "always_allow_for_session"), seen)))
  })

  it.effect("leave alone what belongs to others", () =>
    Effect.gen(function* () {
      const service = yield* Approvals
      assert.strictEqual(yield* decide(), "prompted")
      yield* service.dropSession(SessionId("session_2"))
      yield* service.dropCore("/core2")
      yield* service.revoke(makePrincipalIssuer().issue(PrincipalId("p2"), "user"))
      assert.strictEqual(yield* decide(), "cached")
    }).pipe(Effect.provide(approvals(answering("always_allow_for_session"))))
  )

  it.effect("deny everything once the host is closed, and ask nobody", () => {
    const seen = fixture()
    return Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(
        approvals(() => Effect.never, seen),
        scope
      )
      const pending = yield* Effect.fork(Effect.provide(decide(), context))
      yield* TestClock.adjust("1 millis")
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(yield* Fiber.join(pending), "denied: closed")
      assert.strictEqual(yield* Effect.provide(decide({ policy: "auto" }), context), "denied: closed")
      assert.strictEqual(yield* Effect.provide(decide(), context), "denied: closed")
      assert.strictEqual(seen.asked.length, 1)
    })
  })

  it.effect("wait no longer than the caller's own deadline, nor than ten minutes", () => {
    const seen = fixture()
    return Effect.gen(function* () {
      const caller = yield* Effect.fork(decide({ deadline: 5_000 }))
      yield* TestClock.adjust("4999 millis")
      assert.isTrue((yield* Fiber.poll(caller))._tag === "None")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(caller), "denied: expired")
      const patient = yield* Effect.fork(decide({ deadline: Number.MAX_SAFE_INTEGER }))
      yield* TestClock.adjust(pendingLimitMillis - 1)
      assert.isTrue((yield* Fiber.poll(patient))._tag === "None")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(patient), "denied: expired")
      assert.strictEqual(yield* decide({ deadline: 0 }), "denied: expired", "too late to ask at all")
      assert.strictEqual(seen.asked.length, 2)
    }).pipe(Effect.provide(approvals(() => Effect.uninterruptible(Effect.never), seen)))
  })

  it.effect("ask anew for a call that joined a question whose caller ran out of time first", () => {
    const seen = fixture()
    const ask = (_: ApprovalPrompt, count: number) => (count === 1 ? Effect.never : Effect.succeed("allow"))
    return Effect.gen(function* () {
      const short = yield* Effect.fork(decide({ deadline: 5_000 }))
      yield* Effect.yieldNow()
      const long = yield* Effect.fork(decide({ deadline: 50_000 }))
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* Fiber.join(short), "denied: expired")
      assert.strictEqual(yield* Fiber.join(long), "prompted")
      assert.strictEqual(seen.asked.length, 2)
    }).pipe(Effect.provide(approvals(ask, seen)))
  })

  it.effect("take an approver that throws or answers nonsense for a no", () => {
    const throwing = (_: ApprovalPrompt, count: number): Effect.Effect<string> => {
      if (count === 1) throw new Error("broken")
      if (count === 2) return Effect.die("broken")
      // What a careless surface in JavaScript may hand back.
      if (count === 3) return Effect.succeed(JSON.parse('{"allow": true}'))
      return Effect.interrupt
    }
    return Effect.gen(function* () {
      for (const _ of [1, 2, 3, 4]) assert.strictEqual(yield* decide(), "denied: person")
    }).pipe(Effect.provide(approvals(throwing)))
  })

  it.effect("let the first answer count, from whatever surface, and tell later ones so", () => {
    const seen = fixture()
    return Effect.gen(function* () {
      const pending = yield* PendingApprovals
      const waiting = yield* Effect.fork(decide())
      yield* TestClock.adjust("1 millis")
      const [record] = yield* pending.list(PrincipalId("p1"))
      if (record === undefined) return assert.fail("no record is open")
      const answer = (word: string) => pending.resolve(record.id, { answer: word, by: "command line", at: 0 })
      assert.deepStrictEqual(yield* Effect.all([answer("allow"), answer("deny")]), ["recorded", "late"])
      assert.strictEqual(yield* Fiber.join(waiting), "prompted")
      assert.strictEqual(yield* pending.resolve(record.id, { answer: "deny", by: "late", at: 0 }), "late")
      assert.deepStrictEqual(seen.events[1]?.data, {
        ...Object(seen.events[1]?.data),
        decision: "allowed",
        by: "command line"
      })
    }).pipe(Effect.provide(approvals(() => Effect.never, seen)))
  })

  it.effect("deny where the record cannot be kept", () => {
    const broken = Layer.succeed(PendingApprovals, {
      open: () => Effect.fail(new ApprovalStoreError({ message: "disk full" })),
      resolution: () => Effect.never,
      resolve: () => Effect.fail(new ApprovalStoreError({ message: "disk full" })),
      list: () => Effect.succeed<ReadonlyArray<PendingApproval>>([])
    })
    const hanging = Layer.succeed(PendingApprovals, {
      open: () => Effect.uninterruptible(Effect.never),
      resolution: () => Effect.never,
      resolve: () => Effect.never,
      list: () => Effect.succeed<ReadonlyArray<PendingApproval>>([])
    })
    return Effect.gen(function* () {
      assert.strictEqual(
        yield* Effect.provide(decide(), approvals(answering("allow"), fixture(), {}, broken)),
        "denied: store"
      )
      const context = yield* Layer.build(approvals(answering("allow"), fixture(), {}, hanging))
      const waiting = yield* Effect.fork(Effect.provide(decide({ deadline: 5_000 }), context))
      yield* TestClock.adjust("5 seconds")
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual(yield* Fiber.join(waiting), "denied: expired")
    }).pipe(Effect.scoped)
  })

  it.effect("take a standing answer for the owner's, and record it so", () => {
    const seen = fixture()
    const verdicts = (answer: "allow" | "deny") =>
      Effect.succeed(() => ({ number: 3, answer, reason: "tests write nothing" }))
    return Effect.gen(function* () {
      const outcome = yield* Effect.flatMap(Approvals, (service) =>
        service.decide(testQuestion({ turn: testTurn({ route: "none" }) }))
      ).pipe(Effect.provide(approvals(answering("deny"), seen, { standing: verdicts("allow") })))
      assert.deepStrictEqual(outcome, {
        decision: "allowed",
        how: "standing",
        rule: "decided by standing answer 3: tests write nothing"
      })
      assert.deepStrictEqual(types(seen), ["approval.requested", "approval.decided"])
      assert.strictEqual(seen.asked.length, 0)
      const denied = yield* decide().pipe(
        Effect.provide(approvals(answering("allow"), seen, { standing: verdicts("deny") }))
      )
      assert.strictEqual(denied, "denied: person")
      assert.strictEqual(
        yield* decide({ policy: "deny" }).pipe(
          Effect.provide(approvals(answering("allow"), seen, { standing: verdicts("allow") }))
        ),
        "denied: policy"
      )
    })
  })
})
