/** Asks the person at the terminal. Keys or arrows; the reasons on demand; anything but a yes is a no. */
import * as Terminal from "@effect/platform/Terminal"
import {
  type ApprovalAnswer,
  type ApprovalPrompt,
  ApprovalPrompter
} from "@gatehouse/policy/approvals/ApprovalPrompter"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Invocation } from "./Invocation.ts"
import { keepAlways } from "./KeepAlways.ts"
import { isStop, type KeySource, markPastes, nextKey } from "./Keys.ts"
import { Output } from "./Output.ts"
import { renderQuestion, renderReasons } from "./render/Question.ts"
import { StandingKeeper } from "./StandingKeeper.ts"

interface Choice {
  readonly key: string
  readonly label: string
  /** `always` is kept first, and then an answer like another. */
  readonly answer: ApprovalAnswer | "always"
}

/**
 * Prompts on standard error and reads keys from standard input; unavailable where either is no terminal. With a
 * {@link StandingKeeper} at hand a question may also be answered for good.
 */
export const terminalPrompterLayer = Layer.effect(
  ApprovalPrompter,
  Effect.gen(function* () {
    const terminal = yield* Terminal.Terminal
    const output = yield* Output
    const invocation = yield* Invocation
    const keeper = Option.getOrNull(yield* Effect.serviceOption(StandingKeeper))
    return ApprovalPrompter.of({
      surface: "terminal",
      available: output.interactive,
      ask: (prompt) =>
        Effect.scoped(
          Effect.gen(function* () {
            yield* output.note(renderQuestion(prompt, output))
            yield* markPastes(output)
            const answer = yield* askWithKeys(prompt, yield* terminal.readInput, output, keeper)
            if (answer !== "stopped") return answer
            output.live("stderr", "\r\u001b[2Kstopped\n")
            invocation.requestStop()
            return "deny"
          })
        )
    })
  })
)

const askWithKeys = Effect.fnUntraced(function* (
  prompt: ApprovalPrompt,
  keys: KeySource,
  output: Context.Tag.Service<Output>,
  keeper: Context.Tag.Service<StandingKeeper> | null
) {
  const choices = choicesOf(prompt, keeper !== null)
  let selected = choices.length - 1
  while (true) {
    output.live("stderr", `\r\u001b[2K${renderChoices(choices, selected, output.colours)}`)
    const { name } = yield* nextKey(keys)
    const chosen = name === "return" || name === "enter" ? choices[selected] : choices.find(({ key }) => key === name)
    if (chosen?.answer === "always") {
      output.live("stderr", "\r\u001b[2K")
      const kept = keeper === null ? "back" : yield* keepAlways(prompt, keys, output, keeper)
      if (kept !== "back") return kept === "kept" ? "allow" : "stopped"
      continue
    }
    if (chosen !== undefined) {
      output.live("stderr", `\r\u001b[2K${chosen.label}\n`)
      return chosen.answer
    }
    if (isStop(name)) return "stopped"
    if (name === "escape") return "deny"
    if (name === "w") {
      output.live("stderr", "\r\u001b[2K")
      yield* output.note(renderReasons(prompt, output))
    }
    selected = moved(selected, name, choices.length)
  }
})

/** What is kept is offered only where it may be; the safe choice stands last and is preselected. */
const choicesOf = (prompt: ApprovalPrompt, canKeep: boolean): ReadonlyArray<Choice> => [
  { key: "y", label: "allow once", answer: "allow" },
  ...(prompt.sessionCacheable
    ? [{ key: "s", label: "allow for this session", answer: "always_allow_for_session" } as const]
    : []),
  ...(canKeep && prompt.standing !== undefined
    ? [{ key: "a", label: shortened(prompt.standing.label), answer: "always" } as const]
    : []),
  { key: "n", label: "deny", answer: "deny" }
]

/** Characters of "always for …" among the choices; the whole is shown before it is kept. */
const labelLength = 40

const shortened = (label: string): string => {
  const line = label.replace(/\s+/g, " ")
  return line.length <= labelLength ? line : `${line.slice(0, labelLength - 1)}…`
}

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
