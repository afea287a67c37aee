/** Asks the person at the terminal. Keys or arrows; the reasons on demand; anything but a yes is a no. */
import * as Terminal from "@effect/platform/Terminal"
import {
  type ApprovalAnswer,
  type ApprovalPrompt,
  ApprovalPrompter
} from "@gatehouse/policy/approvals/ApprovalPrompter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Invocation } from "./Invocation.ts"
import { Output } from "./Output.ts"
import { renderQuestion, renderReasons } from "./render/Question.ts"

interface Choice {
  readonly key: string
  readonly label: string
  readonly answer: ApprovalAnswer
}

/** Prompts on standard error and reads keys from standard input; unavailable where either is no terminal. */
export const terminalPrompterLayer = Layer.effect(
  ApprovalPrompter,
  Effect.gen(function* () {
    const terminal = yield* Terminal.Terminal
    const output = yield* Output
    const invocation = yield* Invocation
    return ApprovalPrompter.of({
      available: output.interactive,
      ask: (prompt) =>
        Effect.scoped(
          Effect.gen(function* () {
            yield* output.note(renderQuestion(prompt, output))
            const keys = yield* terminal.readInput
            const choices = choicesOf(prompt)
            let selected = choices.length - 1
            while (true) {
              output.live("stderr", `\r\u001b[2K${renderChoices(choices, selected, output.colours)}`)
              const pressed = yield* Effect.option(keys.take)
              const name = Option.match(pressed, {
                onNone: () => "end",
                onSome: ({ key }) => (key.ctrl ? `ctrl-${key.name}` : key.name)
              })
              const chosen =
                name === "return" || name === "enter" ? choices[selected] : choices.find(({ key }) => key === name)
              if (chosen !== undefined) {
                output.live("stderr", `\r\u001b[2K${chosen.label}\n`)
                return chosen.answer
              }
              if (name === "end" || name === "ctrl-c" || name === "ctrl-d") {
                output.live("stderr", "\r\u001b[2Kstopped\n")
                invocation.requestStop()
                return "deny"
              }
              if (name === "escape") return "deny"
              if (name === "w") {
                output.live("stderr", "\r\u001b[2K")
                yield* output.note(renderReasons(prompt))
              }
              selected = moved(selected, name, choices.length)
            }
          })
        )
    })
  })
)

/** "For this session" is offered only where an answer may be kept; the safe choice stands last and is preselected. */
const choicesOf = (prompt: ApprovalPrompt): ReadonlyArray<Choice> => [
  { key: "y", label: "allow once", answer: "allow" },
  ...(prompt.sessionCacheable
    ? [{ key: "s", label: "allow for this session", answer: "always_allow_for_session" } as const]
    : []),
  { key: "n", label: "deny", answer: "deny" }
]

const moved = (selected: number, key: string, count: number): number => {
  if (key === "left" || key === "up") return (selected + count - 1) % count
  if (key === "right" || key === "down" || key === "tab") return (selected + 1) % count
  return selected
}

const renderChoices = (choices: ReadonlyArray<Choice>, selected: number, colours: boolean): string => {
  const shown = choices.map(({ key, label }, index) => {
    const text = `[${key}] ${label}`
    if (index !== selected) return `  ${text}`
    return colours ? `> \u001b[7m${text}\u001b[0m` : `> ${text}`
  })
  return `${shown.join("  ")}    [w] why am I asked?  `
}
