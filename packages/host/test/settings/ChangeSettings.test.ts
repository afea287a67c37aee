import { mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { changeStandingAnswers } from "@gatehouse/host/settings/ChangeSettings.boundary"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { cliPlace } from "../support/CliPlace.ts"

const one = `standing_answers:
  - principal: local
    source: builtin
    tool: write_file
    when: { kind: path, pattern: a.md, covers: [a.md], leaves: [b.md] }
    reason: known
    until: 2999-12-31
`
const to = (text: string) => () => Either.right(text)

describe("changing the settings of a home", () => {
  it.scoped("makes them where there were none, for their owner alone", () =>
    Effect.gen(function* () {
      const { home } = yield* cliPlace({})
      const settings = yield* changeStandingAnswers(home, to(one))
      assert.strictEqual(settings.standing_answers.length, 1)
      assert.strictEqual(statSync(join(home, "settings.yaml")).mode & 0o777, 0o600)
      assert.strictEqual(statSync(home).mode & 0o777, 0o700)
      assert.deepStrictEqual(readdirSync(home), ["settings.yaml"])
    })
  )

  it.scoped("follows a link, and makes what was readable private", () =>
    Effect.gen(function* () {
      const { home, root } = yield* cliPlace({ "dotfiles/gatehouse.yaml": "# mine\n" })
      const [link, target] = [join(home, "settings.yaml"), join(root, "dotfiles/gatehouse.yaml")]
      mkdirSync(home)
      symlinkSync(target, link)
      yield* changeStandingAnswers(home, (text) => Either.right(text + one))
      assert.strictEqual(readlinkSync(link), target)
      assert.strictEqual(readFileSync(target, "utf8"), `# mine\n${one}`)
      assert.strictEqual(statSync(target).mode & 0o777, 0o600)
    })
  )

  const refused: ReadonlyArray<readonly [string, string, (text: string) => Either.Either<string, string>, RegExp]> = [
    ["invalid before", "approval: 5\n", to(one), /settings\.yaml:1 approval/],
    ["invalid after", "", to(one.replace("[a.md]", "[b.md]")), /standing_answers\.0\.when\.covers\.0/],
    ["another setting", "approval: { default: deny }\n", to(one), /would change other settings/],
    ["an edit that gives up", "# mine\n", () => Either.left("is written as an alias"), /is written as an alias/]
  ]
  for (const [name, before, edit, message] of refused) {
    it.scoped(`writes nothing where it may not: ${name}`, () =>
      Effect.gen(function* () {
        const { home } = yield* cliPlace({ "home/settings.yaml": before })
        const error = yield* Effect.flip(changeStandingAnswers(home, edit))
        assert.match(error.message, message)
        assert.strictEqual(readFileSync(join(home, "settings.yaml"), "utf8"), before)
        assert.deepStrictEqual(readdirSync(home), ["settings.yaml"])
      })
    )
  }

  it.scoped("writes nothing over what somebody else wrote meanwhile", () =>
    Effect.gen(function* () {
      const { home } = yield* cliPlace({ "home/settings.yaml": "# mine\n" })
      const path = join(home, "settings.yaml")
      const error = yield* Effect.flip(
        changeStandingAnswers(home, () => {
          writeFileSync(path, "# theirs\n")
          return Either.right(one)
        })
      )
      assert.match(error.message, /changed meanwhile/)
      assert.strictEqual(readFileSync(path, "utf8"), "# theirs\n")
      assert.deepStrictEqual(readdirSync(home), ["settings.yaml"])
    })
  )

  it.scoped("says so where the home cannot be made", () =>
    Effect.gen(function* () {
      const { root } = yield* cliPlace({ file: "" })
      const error = yield* Effect.flip(changeStandingAnswers(join(root, "file", "home"), to(one)))
      assert.match(error.message, /cannot be (read|written)/)
    })
  )
})
