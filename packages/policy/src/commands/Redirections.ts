/**
 * What redirections read and write. A descriptor is no file, and a file is no descriptor: `2>&1` writes nothing,
 * `>&2file` does. Source: bash(1), "Redirection".
 */
import type { Redirect, Redirection } from "unbash"
import type { Argument } from "./Argument.ts"
import { isStream } from "./CommandPlaces.ts"
import { notesFor } from "./PathNotes.ts"
import type { Situation } from "./Reviewer.ts"
import type { ShellWalk } from "./ShellWalk.ts"
import type { RunTime } from "./ShellWord.ts"
import { inputOf, printsOf } from "./StaticOutput.ts"

/** Answers with the text that a here-document or here-string puts on standard input, where there is one. */
export const reviewRedirections = (
  walk: ShellWalk,
  redirects: ReadonlyArray<Redirection>,
  situation: Situation
): Argument | null => {
  for (const redirect of redirects) {
    if (redirect.descriptor?.type === "FileDescriptorVariable") {
      walk.ask("the shell chooses a descriptor and keeps it in a variable", redirect)
    }
    switch (redirect.type) {
      case "Redirect":
        reviewRedirect(walk, redirect, situation)
        break
      case "HereString":
        reviewHereString(walk, redirect, situation)
        break
      case "HereDoc":
        reviewHereDocument(walk, redirect, situation)
        break
    }
  }
  const text = inputOf(redirects, situation.shell, printsOf(situation.shell))
  const [first] = redirects
  if (text === null || first === undefined) return null
  const [start, end] = walk.span(first)
  return { value: text, start, end, literal: true }
}

const reviewHereString = (
  walk: ShellWalk,
  redirect: Extract<Redirection, { readonly type: "HereString" }>,
  situation: Situation
): void => {
  walk.ask("a here-string feeds text to a command", redirect)
  walk.reviewer.redirections.push(["<<<"])
  walk.reviewer.compound = true
  if (redirect.target === undefined) return
  const late: Array<RunTime> = []
  walk.word(redirect.target, situation, late)
  walk.late(late)
}

const reviewHereDocument = (
  walk: ShellWalk,
  redirect: Extract<Redirection, { readonly type: "HereDoc" }>,
  situation: Situation
): void => {
  walk.reviewer.compound = true
  walk.reviewer.redirections.push(["<<"])
  if (redirect.closing === undefined) walk.ask("a here-document has no end", redirect)
  if (redirect.delimiter?.quoted) return
  walk.ask("a here-document is filled in by the shell", redirect)
  walk.inner(redirect.body, situation)
}

const reviewRedirect = (walk: ShellWalk, redirect: Redirect, situation: Situation): void => {
  const { operator, target } = redirect
  if (target === undefined) return walk.ask(`${operator} without a file`, redirect)
  // `< 2>&1`: the digit belongs to the next operator, and there is no file.
  if (/^\d+$/.test(target.text) && /[<>]/.test(walk.source.charAt(target.end))) {
    walk.ask(`${operator} without a file`, redirect)
  }
  if (operator.startsWith("&")) walk.ask(`${operator} is a background process to a plain sh`, redirect)
  const duplicates = operator === ">&" || operator === "<&"
  if (duplicates && /^(?:\d+-?|-)$/.test(target.text)) return
  const late: Array<RunTime> = []
  const files = walk.word(target, situation, late)
  walk.late(late)
  const reads = operator === "<" || operator === "<&"
  for (const file of files) {
    if (/^\/+dev\/+(?:tcp|udp)\//.test(file.value)) {
      walk.reviewer.find("network", "the shell opens a network connection", file.start, file.end)
      continue
    }
    walk.reviewer.redirections.push([operator, file.value])
    const notes = notesFor(walk.reviewer, situation.folders)
    if (reads) notes.reads(file)
    else if (!isStream(file.value)) {
      walk.reviewer.find("changes", "the shell writes to a file", file.start, file.end)
      notes.writes(file)
    }
  }
}
