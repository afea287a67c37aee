/** A terminal at which these keys are typed, in their order; then nobody types any more. */
import * as Terminal from "@effect/platform/Terminal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Mailbox from "effect/Mailbox"
import * as Option from "effect/Option"

const named = ["return", "escape", "backspace", "left", "right", "up", "down", "tab", "paste-start", "paste-end"]

/** `ctrl-c` and names of keys stand for themselves; any other text is typed character by character. */
export const typedKeys = (...keys: ReadonlyArray<string>) =>
  Layer.effect(
    Terminal.Terminal,
    Effect.gen(function* () {
      const typed = yield* Mailbox.make<Terminal.UserInput>()
      yield* typed.offerAll(
        keys.flatMap((key) => (named.includes(key) || key.startsWith("ctrl-") ? [press(key)] : [...key].map(write)))
      )
      yield* typed.end
      return Terminal.Terminal.of({
        columns: Effect.succeed(100),
        rows: Effect.succeed(40),
        isTTY: Effect.succeed(true),
        readInput: Effect.succeed(typed),
        readLine: Effect.never,
        display: () => Effect.void
      })
    })
  )

const press = (key: string): Terminal.UserInput => ({
  input: Option.none(),
  key: { name: key.replace("ctrl-", ""), ctrl: key.startsWith("ctrl-"), meta: false, shift: false }
})

const write = (character: string): Terminal.UserInput => ({
  input: Option.some(character),
  key: { name: character, ctrl: false, meta: false, shift: false }
})
