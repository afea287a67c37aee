/** Sessions and what is found in them, each for its owner alone. */

import { assert, describe, it } from "@effect/vitest"
import { controlPlaneLayerMemory } from "@gatehouse/control-plane/ControlPlane"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { statement } from "@gatehouse/control-plane/Statement"
import { Store } from "@gatehouse/control-plane/Store"
import { searchWordLimit, toMatch, toWords } from "@gatehouse/control-plane/sessions/SearchTerms"
import { messageTextLimit } from "@gatehouse/control-plane/sessions/SessionRows"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import { SessionId } from "@gatehouse/core/Identifiers"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"

const provided = Effect.provide(controlPlaneLayerMemory)

const two = Effect.gen(function* () {
  const principals = yield* Principals
  const sessions = yield* Sessions
  const ada = yield* principals.user("ada")
  const bob = yield* principals.user("bob")
  const of = yield* sessions.create(ada, { title: "of ada", coreRoot: "/core" })
  const other = yield* sessions.create(bob, { title: "of bob", coreRoot: null })
  return { principals, sessions, ada, bob, of, other }
})

const said = (text: string) => ({ role: "user", text })

describe("a session", () => {
  it.live("answers the same for somebody else's id, a missing one, and every odd one", () =>
    Effect.gen(function* () {
      const { sessions, ada, other } = yield* two
      yield* sessions.append(ada, other.id, [said("for bob")])
      const odd = [
        "missing",
        "' OR 1=1 --",
        "../../x",
        "\0",
        "\u001b[31m",
        "%",
        "*",
        "",
        "x".repeat(200_000),
        `${other.id}\0`
      ]
      for (const id of [other.id, ...odd.map((text) => SessionId(text))]) {
        assert.isNull(yield* sessions.get(ada, id))
        assert.isNull(yield* sessions.append(ada, id, [said("mine now")]))
        assert.isFalse(yield* sessions.end(ada, id))
        assert.isFalse(yield* sessions.remove(ada, id))
        assert.deepStrictEqual(yield* sessions.messages(ada, id, 0), [])
        assert.deepStrictEqual(yield* sessions.search(ada, { session: id, text: "mine" }), [])
      }
      assert.lengthOf(yield* sessions.list(ada), 1)
    }).pipe(provided)
  )

  it.live("numbers its messages, keeps them in order, and bounds each", () =>
    Effect.gen(function* () {
      const { sessions, ada, of } = yield* two
      assert.strictEqual(
        yield* sessions.append(ada, of.id, [said("one"), { role: "tool", text: "two", data: { exit: 0 } }]),
        2
      )
      assert.strictEqual(yield* sessions.append(ada, of.id, [said("x".repeat(10_000_000))]), 3)
      const messages = yield* sessions.messages(ada, of.id, 0)
      assert.deepStrictEqual(
        messages.map(({ sequence, role }) => [sequence, role]),
        [
          [1, "user"],
          [2, "tool"],
          [3, "user"]
        ]
      )
      assert.deepStrictEqual(messages[1]?.data, { exit: 0 })
      assert.strictEqual(messages[2]?.text.length, messageTextLimit)
      assert.deepStrictEqual(
        (yield* sessions.messages(ada, of.id, 1, 1)).map(({ text }) => text),
        ["two"]
      )
    }).pipe(provided)
  )

  it.live("has one owner for ever, also for a statement that says otherwise", () =>
    Effect.gen(function* () {
      const { ada, bob, of, sessions } = yield* two
      const steal = statement("UPDATE sessions SET owner = ? WHERE id = ?")(bob.id, of.id)
      const refused = yield* Effect.flip((yield* Store).write({ statements: [steal] }))
      assert.strictEqual(refused.reason, "conflict")
      assert.strictEqual((yield* sessions.get(ada, of.id))?.owner, ada.id)
    }).pipe(provided)
  )

  it.live("goes with its messages, also from the search", () =>
    Effect.gen(function* () {
      const { principals, sessions, ada, of } = yield* two
      yield* sessions.append(ada, of.id, [said("a needle")])
      const operator = yield* principals.operator("test")
      assert.lengthOf(yield* sessions.search(operator, { session: null, text: "needle" }), 1)
      assert.isTrue(yield* sessions.remove(ada, of.id))
      assert.lengthOf(yield* sessions.search(operator, { session: null, text: "needle" }), 0)
      assert.deepStrictEqual(yield* (yield* Store).integrity, ["ok"])
    }).pipe(provided)
  )

  it.live("of unknown owner is out of reach until an operator gives it one, once", () =>
    Effect.gen(function* () {
      const { principals, sessions, ada, bob } = yield* two
      const store = yield* Store
      yield* store.write({
        statements: [
          statement("INSERT INTO sessions VALUES ('', 'old', 'legacy_local', 'old', NULL, 1, 1, NULL)")(),
          statement("INSERT INTO messages VALUES (NULL, '', 'old', 1, 'user', 'a needle', 'null', 'none', 1)")()
        ]
      })
      const operator = yield* principals.operator("repairs")
      const id = SessionId("old")
      for (const scope of [ada, operator]) {
        assert.isNull(yield* sessions.get(scope, id))
        assert.deepStrictEqual(yield* sessions.search(scope, { session: id, text: "needle" }), [])
        assert.deepStrictEqual(yield* sessions.messages(scope, id, 0), [])
      }
      assert.deepStrictEqual(yield* sessions.search(operator, { session: null, text: "needle" }), [])
      assert.strictEqual((yield* Effect.flip(sessions.legacy(ada)))._tag, "ScopeRefused")
      assert.strictEqual((yield* Effect.flip(sessions.adopt(ada, id, ada.id)))._tag, "ScopeRefused")
      assert.deepStrictEqual(
        (yield* sessions.legacy(operator)).map((session) => session.id),
        [id]
      )
      assert.isTrue(yield* sessions.adopt(operator, id, ada.id))
      assert.isFalse(yield* sessions.adopt(operator, id, bob.id))
      assert.lengthOf(yield* sessions.search(ada, { session: id, text: "needle" }), 1)
      assert.deepStrictEqual(
        (yield* sessions.messages(ada, id, 0)).map(({ text }) => text),
        ["a needle"]
      )
      assert.isNull(yield* sessions.get(bob, id))
    }).pipe(provided)
  )
})

describe("a search", () => {
  it.live("finds newest first, in the bound session only; an operator in all", () =>
    Effect.gen(function* () {
      const { principals, sessions, ada, bob, of, other } = yield* two
      const second = yield* sessions.create(ada, { title: "second", coreRoot: null })
      for (let number = 1; number <= 60; number++) yield* sessions.append(ada, of.id, [said(`needle number ${number}`)])
      yield* sessions.append(ada, second.id, [said("needle of the second")])
      yield* sessions.append(bob, other.id, [said("needle of bob")])
      const found = yield* sessions.search(ada, { session: of.id, text: "NEEDLE number" })
      assert.deepStrictEqual(
        found.map(({ sequence }) => sequence),
        [60, 59, 58, 57, 56, 55, 54, 53, 52, 51]
      )
      assert.isTrue(found.every(({ session }) => session === of.id))
      assert.lengthOf(yield* sessions.search(ada, { session: of.id, text: "needle", limit: 1_000 }), 50)
      assert.lengthOf(yield* sessions.search(ada, { session: of.id, text: "bob" }), 0)
      assert.strictEqual(
        (yield* Effect.flip(sessions.search(ada, { session: null, text: "needle" })))._tag,
        "ScopeRefused"
      )
      const all = yield* sessions.search(yield* principals.operator("test"), {
        session: null,
        text: "needle",
        limit: 3
      })
      assert.deepStrictEqual(
        all.map(({ session }) => session),
        [other.id, second.id, of.id]
      )
      const one = yield* sessions.search(yield* principals.operator("test"), { session: other.id, text: "needle" })
      assert.deepStrictEqual(
        one.map(({ snippet }) => snippet),
        ["needle of bob"]
      )
    }).pipe(provided)
  )

  it.live("of a small session among many messages stays in it, newest first", () =>
    Effect.gen(function* () {
      const { sessions, ada, bob, of, other } = yield* two
      for (let round = 0; round < 3; round++) {
        yield* sessions.append(ada, of.id, [said(`needle ${round}`)])
        yield* sessions.append(
          bob,
          other.id,
          Array.from({ length: 30 }, () => said("needle"))
        )
      }
      const found = yield* sessions.search(ada, { session: of.id, text: "needle" })
      assert.deepStrictEqual(
        found.map(({ snippet, title }) => [snippet, title]),
        [2, 1, 0].map((round) => [`needle ${round}`, "of ada"])
      )
      assert.lengthOf(yield* sessions.search(ada, { session: of.id, text: "needle 1" }), 1)
    }).pipe(provided)
  )

  it.live("takes operators, quotes and other languages as words", () =>
    Effect.gen(function* () {
      const { sessions, ada, of } = yield* two
      const texts = [
        'he said "OR" NOT near',
        "scope : o123 AND text",
        "Über Straße",
        "naïve café",
        "日本語のテキスト",
        "path/to/file-name.ts",
        "C++ & C#"
      ]
      yield* sessions.append(ada, of.id, texts.map(said))
      const find = (text: string) => Effect.map(sessions.search(ada, { session: of.id, text }), (found) => found.length)
      assert.strictEqual(yield* find("OR"), 1)
      assert.strictEqual(yield* find('"or" NOT'), 1)
      assert.strictEqual(yield* find("scope : o123"), 1)
      assert.strictEqual(yield* find("uber strasse"), 0)
      assert.strictEqual(yield* find("uber straße"), 1)
      assert.strictEqual(yield* find("CAFE"), 1)
      assert.strictEqual(yield* find("日本語のテキスト"), 1)
      assert.strictEqual(yield* find("日本*"), 1)
      assert.strictEqual(yield* find("file-name.ts"), 1)
      assert.strictEqual(yield* find("C#"), 1)
      assert.strictEqual(yield* find("*"), 0)
      assert.strictEqual(yield* find(""), 0)
    }).pipe(provided)
  )

  it.live("never fails and never leaves its session, whatever is typed", () =>
    Effect.gen(function* () {
      const { sessions, ada, bob, of, other } = yield* two
      yield* sessions.append(bob, other.id, [said("secret of bob a b c o s text scope")])
      yield* sessions.append(ada, of.id, [said("plain words a b c")])
      const syntax = fc.stringMatching(/^[a-c "*^:(){}+\-ANDORT,\0]{0,24}$/)
      const typed = fc.sample(
        fc.oneof(syntax, fc.string({ unit: "binary" }), fc.constantFrom("x ".repeat(5_000), '"'.repeat(999))),
        400
      )
      for (const text of typed) {
        const found = yield* sessions.search(ada, { session: of.id, text })
        assert.isTrue(found.every(({ session }) => session === of.id))
      }
    }).pipe(provided)
  )

  it("takes so many words and no more", () => {
    assert.strictEqual(toMatch(null, toWords('gate "house*')), 'text : ("gate" AND "house"*)')
    assert.strictEqual(toMatch("s1", ["gate"]), 'scope : s1 AND text : ("gate")')
    assert.deepStrictEqual(toWords(' " * - '), [])
    assert.lengthOf(toWords("w ".repeat(1_000)), searchWordLimit)
  })
})
