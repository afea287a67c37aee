/** Keys of the person at the terminal, one by one. */
import { Terminal, type UserInput } from "@effect/platform/Terminal"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Mailbox from "effect/Mailbox"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { Output } from "./Output.ts"

/** A key by its name (`a`, `return`, `escape`, `ctrl-c`), and the text that it writes; `end` where no more come. */
export interface Key {
  readonly name: string
  readonly text: string
}

/** Where keys come from; see {@link Terminal}. */
export type KeySource = Mailbox.ReadonlyMailbox<UserInput>

/** The next key that was typed. Text that was pasted answers no question: all of it is passed over. */
export const nextKey = (keys: KeySource): Effect.Effect<Key> =>
  Effect.gen(function* () {
    let key = yield* pressedKey(keys)
    while (key.name === "paste-start") {
      while (key.name !== "paste-end" && !isStop(key.name)) key = yield* pressedKey(keys)
      if (key.name === "paste-end") key = yield* pressedKey(keys)
    }
    return key
  })

/** Asks the terminal to mark what is pasted, as long as the scope is open (xterm's bracketed paste mode). */
export const markPastes = ({
  live
}: Pick<Context.Tag.Service<Output>, "live">): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => live("stderr", "\u001b[?2004h")),
    () => Effect.sync(() => live("stderr", "\u001b[?2004l"))
  )

const pressedKey = (keys: KeySource): Effect.Effect<Key> =>
  Effect.map(Effect.option(keys.take), (pressed) =>
    Option.match(pressed, {
      onNone: () => ({ name: "end", text: "" }),
      onSome: ({ input, key }) => ({
        name: key.ctrl ? `ctrl-${key.name}` : key.name,
        text: key.ctrl || key.meta ? "" : Option.getOrElse(input, () => "")
      })
    })
  )

/** Whether a key ends everything rather than answer. */
export const isStop = (name: string): boolean => name === "end" || name === "ctrl-c" || name === "ctrl-d"

/** What became of a line: its text, or Escape, or the end of everything. */
export type Line = { readonly line: string } | "back" | "stop"

/** A line of text, as it is typed. `longest` bounds it in UTF-16 units. */
export const readLine = (
  keys: KeySource,
  prompt: string,
  longest: number,
  output: Pick<Context.Tag.Service<Output>, "live">
): Effect.Effect<Line> =>
  Effect.gen(function* () {
    let line = ""
    while (true) {
      output.live("stderr", `\r\u001b[2K${prompt}${line}`)
      const { name, text } = yield* nextKey(keys)
      if (name === "return" || name === "enter") {
        output.live("stderr", "\n")
        return { line }
      }
      if (name === "escape" || isStop(name)) {
        output.live("stderr", "\r\u001b[2K")
        return name === "escape" ? "back" : "stop"
      }
      if (name === "backspace") line = [...line].slice(0, -1).join("")
      else if (!/[\p{C}]/u.test(text) && line.length + text.length <= longest) line += text
    }
  })

/** A yes or no; anything but `y` is a no. */
export const confirm = (question: string): Effect.Effect<boolean, never, Terminal | Output> =>
  Effect.scoped(
    Effect.gen(function* () {
      const output = yield* Output
      const terminal = yield* Terminal
      yield* markPastes(output)
      const keys = yield* terminal.readInput
      output.live("stderr", `${question} [y/N] `)
      const { name } = yield* nextKey(keys)
      output.live("stderr", `${name === "y" ? "yes" : "no"}\n`)
      return name === "y"
    })
  )
