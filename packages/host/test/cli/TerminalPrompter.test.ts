import { existsSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { ApprovalId, CallId, SessionId } from "@gatehouse/core/Identifiers"
import { StandingKeeper } from "@gatehouse/host/cli/StandingKeeper"
import { terminalPrompterLayer } from "@gatehouse/host/cli/TerminalPrompter"
import { readHostSettings } from "@gatehouse/host/settings/ReadHostSettings.boundary"
import { type ApprovalPrompt, ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type CliPlace, cliPlace, commandLayer } from "../support/CliPlace.ts"
import { typedKeys } from "../support/TypedKeys.ts"

const offered = {
  answer: "allow",
  principal: "local",
  source: "builtin",
  tool: "terminal",
  when: {
    kind: "command",
    commands: [{ words: ["npm", "test"], more: false }],
    covers: [[["npm", "test"]]],
    leaves: [[["npm", "test", "more"]]]
  }
}
const question: ApprovalPrompt = {
  id: ApprovalId("approval_1"),
  session: SessionId("session_1"),
  call: CallId("call_1"),
  tool: "terminal",
  provenance: "builtin terminal",
  action: "run",
  target: "cd app && npm test",
  risk: "high",
  preview: { command: "cd app && npm test" },
  because: [{ rule: "npm runs code", text: "npm", start: 10, end: 13 }],
  decidedBy: "npm runs code",
  sessionCacheable: true,
  standing: { label: "always for npm test", answer: offered },
  deadline: 0
}
const asked = (place: CliPlace, prompt: ApprovalPrompt, keeper: boolean, ...keys: ReadonlyArray<string>) =>
  Effect.flatMap(ApprovalPrompter, ({ ask }) => ask(prompt)).pipe(
    Effect.provide(
      terminalPrompterLayer.pipe(
        Layer.provide(keeper ? StandingKeeper.layer(place.home) : Layer.empty),
        Layer.provide(typedKeys(...keys)),
        Layer.provide(commandLayer(place, true))
      )
    )
  )
const offersAlways = ({ said }: CliPlace) => said.live.some((text) => text.includes("[a] always for npm test"))

describe("the prompt at the terminal", () => {
  const answers: ReadonlyArray<readonly [string, ReadonlyArray<string>, string]> = [
    ["y", ["y"], "allow"],
    ["s", ["s"], "always_allow_for_session"],
    ["n", ["n"], "deny"],
    ["Enter on what is preselected", ["return"], "deny"],
    ["arrows to the first", ["right", "return"], "allow"],
    ["Escape", ["escape"], "deny"],
    ["pasted text, which is no answer", ["paste-start", "y", "return", "paste-end", "n"], "deny"],
    ["a paste that never ends", ["paste-start", "y", "s"], "deny"],
    ["a key behind a paste", ["paste-start", "n", "paste-end", "y"], "allow"],
    ["any other key, and then the end", ["x", "z"], "deny"]
  ]
  for (const [name, keys, expected] of answers) {
    it.scoped(`takes ${name} as ${expected}`, () =>
      Effect.gen(function* () {
        const place = yield* cliPlace({})
        assert.strictEqual(yield* asked(place, question, true, ...keys), expected)
        assert.isFalse(existsSync(place.home), "nothing is kept")
      })
    )
  }

  it.scoped("shows below the words why it asks", () =>
    Effect.gen(function* () {
      const place = yield* cliPlace({})
      yield* asked(place, question, true, "w", "n")
      assert.include(place.said.note.join("\n"), "    cd app && npm test\n              ^^^ npm runs code")
    })
  )

  it.scoped("stops everything with Ctrl-C, while a reason is typed as well", () =>
    Effect.gen(function* () {
      for (const keys of [["ctrl-c"], ["a", "because", "ctrl-c"]]) {
        const place = yield* cliPlace({})
        assert.strictEqual(yield* asked(place, question, true, ...keys), "deny")
        assert.isTrue(place.stop.signal.aborted)
        assert.isFalse(existsSync(place.home))
      }
    })
  )

  it.scoped("keeps an answer for good after it was shown, with its reason, and allows the call", () =>
    Effect.gen(function* () {
      const place = yield* cliPlace({ "home/settings.yaml": "# mine\n" })
      assert.strictEqual(yield* asked(place, question, true, "a", "wrote", "backspace", "te it", "return"), "allow")
      const shown = place.said.note.join("\n")
      assert.include(shown, "words: [ npm, test ]")
      assert.include(shown, "until: 1970-04-01")
      const { settings } = yield* readHostSettings(place.home)
      assert.deepStrictEqual(
        settings.standing_answers.map(({ reason, tool, until }) => ({ reason, tool, until })),
        [{ reason: "wrotte it", tool: "terminal", until: "1970-04-01" }]
      )
    })
  )

  it.scoped("keeps nothing when the person goes back, and asks on", () =>
    Effect.gen(function* () {
      const place = yield* cliPlace({})
      assert.strictEqual(yield* asked(place, question, true, "a", "half a reason", "escape", "n"), "deny")
      assert.isFalse(existsSync(place.home))
    })
  )

  it.scoped("asks on where it cannot be kept, and says why", () =>
    Effect.gen(function* () {
      const place = yield* cliPlace({ "home/settings.yaml": "approval: 5\n" })
      assert.strictEqual(yield* asked(place, question, true, "a", "return", "n"), "deny")
      assert.match(place.said.note.join("\n"), /not kept: the host's settings are not valid/)
    })
  )

  it.scoped("offers it only where an answer may be kept, and somebody keeps it", () =>
    Effect.gen(function* () {
      const { standing: _, ...plain } = question
      const cases = [
        [question, true, true],
        [question, false, false],
        [plain, true, false]
      ] as const
      for (const [prompt, keeper, offers] of cases) {
        const place = yield* cliPlace({})
        assert.strictEqual(yield* asked(place, prompt, keeper, "a", "n"), "deny")
        assert.strictEqual(offersAlways(place), offers)
      }
    })
  )
})
