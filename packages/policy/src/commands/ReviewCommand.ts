/**
 * Judges a shell command from its text. Three rules decide most cases: what is not recognised asks; normalising a text
 * may add suspicion and never removes any; a whole is as grave as its gravest part.
 */

import { type Risk, risks } from "@gatehouse/core/Risk"
import { decidesWhatRuns, isSensitivePath } from "../paths/SensitivePlaces.ts"
import { type CommandLookups, noLookups } from "./CommandLookups.ts"
import { type PlaceContext, unnamedWorkspace } from "./CommandPlaces.ts"
import type { CommandQuestion, CommandReason, CommandVerdict } from "./CommandReview.ts"
import { type Finding, gravityOfAll, isGraver } from "./Finding.ts"
import type { ProgramKnowledge } from "./ProgramKnowledge.ts"
import { type Place, Reviewer } from "./Reviewer.ts"
import { ruinIn } from "./RuinSearch.ts"
import { commandLengthLimit, parseCommand } from "./ShellGrammar.boundary.ts"
import { newShell, unknownFolder } from "./ShellState.ts"
import { walkScript } from "./ShellWalk.ts"
import { otherReadings, suspicionsOf } from "./SuspiciousText.ts"

/** Reasons that a verdict names; the gravest are kept. */
const reasonsLimit = 32
/** UTF-16 units of the text that one reason repeats. */
const reasonTextLimit = 200

/**
 * What `question.command` would do. Pure but for `lookups`, which read at most.
 *
 * @example
 * reviewCommand(textQuestion("cat a.txt | head"), knowledge, noLookups).decision // "allow"
 * reviewCommand(textQuestion("npm test"), knowledge, noLookups).decision         // "prompt"
 * reviewCommand(textQuestion("sh -c 'rm -rf /'"), knowledge, noLookups).decision // "block"
 */
export const reviewCommand = (
  question: CommandQuestion,
  knowledge: ProgramKnowledge,
  lookups: CommandLookups
): CommandVerdict => {
  const asWritten = reviewReading(question, knowledge, lookups, (pos, end) => [pos, end])
  addCircumstances(asWritten, question)
  let verdict = verdictOf(asWritten, question)
  if (question.command.length > commandLengthLimit) return verdict
  for (const { text, positions } of otherReadings(question.command)) {
    const at = (index: number): number => positions[Math.min(index, positions.length - 1)] ?? 0
    const other = reviewReading({ ...question, command: text }, knowledge, lookups, (pos, end) => [pos, end])
    const findings = other.findings.map((finding) => ({ ...finding, start: at(finding.start), end: at(finding.end) }))
    other.findings.splice(0, Number.POSITIVE_INFINITY, ...findings, ...asWritten.findings)
    const seen = verdictOf(other, question)
    if (isGraver(seen, verdict)) verdict = { ...seen, parts: [], resolved: verdict.resolved }
  }
  return verdict
}

/** A question about the text alone: no folder, no PATH, nothing to look up. */
export const textQuestion = (command: string): CommandQuestion => ({
  command,
  cwd: null,
  workspace: null,
  cwdInWorkspace: true,
  environmentOverlay: [],
  background: false,
  searchPath: null
})

const reviewReading = (
  question: CommandQuestion,
  knowledge: ProgramKnowledge,
  lookups: CommandLookups,
  place: Place
): Reviewer => {
  const { command } = question
  const reviewer = new Reviewer(question, knowledge, lookups, placesOf(question, lookups))
  const parsed = parseCommand(command)
  if (parsed.kind === "refused") reviewer.find("asks", `the command ${parsed.flaw}`, 0, command.length)
  else {
    if (parsed.script.commands.length === 0) reviewer.find("asks", "holds no command", 0, command.length)
    const workspace = question.workspace ?? unnamedWorkspace
    const folder = question.cwdInWorkspace ? (question.cwd ?? workspace) : (question.cwd ?? unknownFolder)
    const situation = { shell: newShell(question.environmentOverlay), folders: [folder], depth: 0, input: null }
    walkScript(reviewer, parsed.script, command, place, situation)
  }
  if (parsed.flaw !== null) {
    reviewer.literal = false
    reviewer.understood = false
  }
  if (parsed.flaw !== null || !reviewer.followed) {
    // What the grammar cannot follow is searched piece by piece, for ruin alone.
    const ruin = ruinIn(command, (piece) => isRuin(piece, question, knowledge))
    if (ruin !== null) reviewer.find("ruins", ruinousPiece, ruin.start, ruin.end)
  }
  for (const { text, span } of reviewer.broken) {
    const inside = text !== command && ruinIn(text, (piece) => isRuin(piece, question, knowledge)) !== null
    if (inside) reviewer.find("ruins", ruinousPiece, ...span)
  }
  return reviewer
}

const ruinousPiece = "a piece of the text is a ruinous command"

const isRuin = (piece: string, question: CommandQuestion, knowledge: ProgramKnowledge): boolean => {
  const parsed = parseCommand(piece)
  if (parsed.kind === "refused") return false
  const reviewer = new Reviewer({ ...question, command: piece }, knowledge, noLookups, placesOf(question, noLookups))
  const folders = [question.cwd ?? question.workspace ?? unnamedWorkspace]
  walkScript(reviewer, parsed.script, piece, (pos, end) => [pos, end], {
    shell: newShell([]),
    folders,
    depth: 0,
    input: null
  })
  return reviewer.findings.some((finding) => finding.class === "destructive")
}

const placesOf = (question: CommandQuestion, lookups: CommandLookups): PlaceContext => {
  // Scripts name the same files again and again.
  const judged = new Map<string, boolean>()
  return {
    workspace: question.workspace ?? unnamedWorkspace,
    resolve: question.cwd === null ? noLookups.resolve : lookups.resolve,
    isSensitive: (path) => {
      const before = judged.get(path)
      if (before !== undefined) return before
      const sensitive = isSensitivePath(path, "/")
      judged.set(path, sensitive)
      return sensitive
    },
    decidesWhatRuns: (path) => decidesWhatRuns(path.split("/").filter((part) => part !== ""))
  }
}

/** An odd number of backslashes at the very end. */
const unfinishedEscape = /(?<!\\)(?:\\\\)*\\$/

/** What asks about the call as a whole, whatever the text says. */
const addCircumstances = (reviewer: Reviewer, question: CommandQuestion): void => {
  const { command, environmentOverlay } = question
  if (command.length <= commandLengthLimit) {
    for (const { rule, start, end } of suspicionsOf(command)) {
      reviewer.literal = false
      reviewer.find("asks", rule, start, end)
    }
  }
  if (unfinishedEscape.test(command)) {
    reviewer.literal = false
    reviewer.find("asks", "ends with an escape of nothing: more was to follow", command.length - 1, command.length)
  }
  if (!question.cwdInWorkspace) reviewer.find("asks", "would run in a folder outside the workspace", 0, 0)
  if (environmentOverlay.length > 0) {
    const names = environmentOverlay.slice(0, 8).join(", ")
    reviewer.find("runs", `the call sets variables, which can change what a program loads or starts: ${names}`, 0, 0)
  }
}

const verdictOf = (reviewer: Reviewer, question: CommandQuestion): CommandVerdict => {
  const compound = reviewer.compound || reviewer.parts.length > 1
  const { decision, risk, class: kind } = gravityOfAll(reviewer.findings, compound)
  return {
    decision,
    risk,
    // What a mended tree seems to hold is no knowledge, except where it is ruin.
    class: reviewer.understood || kind === "destructive" ? kind : "unknown",
    because: reasonsOf(reviewer.findings, question.command),
    parts: reviewer.literal ? [...reviewer.parts, ...reviewer.redirections] : [],
    resolved: reviewer.resolved
  }
}

/** What made the command ask, in the order of the text; where there is too much, the gravest of it. */
const reasonsOf = (findings: ReadonlyArray<Finding>, command: string): ReadonlyArray<CommandReason> => {
  const kept = new Map<string, Finding>()
  let gravest: Risk | null = null
  for (const risk of [...risks].reverse()) {
    // Beside ruin nothing else is told; what is harmless is told only where nothing else is.
    if (kept.size > 0 && (risk === "low" || gravest === "critical")) break
    for (const finding of findings) {
      if (finding.risk !== risk) continue
      if (kept.size >= reasonsLimit) break
      const key = `${finding.start} ${finding.end} ${finding.rule}`
      if (!kept.has(key)) kept.set(key, finding)
      gravest ??= risk
    }
  }
  return [...kept.values()]
    .sort((left, right) => left.start - right.start || left.end - right.end)
    .map(({ start, end, rule }) => ({
      text: command.slice(start, Math.min(end, start + reasonTextLimit)),
      start,
      // The parser counts a last backslash as the first half of a pair, one beyond the text.
      end: Math.min(end, command.length),
      rule
    }))
}
