/** Groups, conditions, loops, functions: what they hold, and which of it may run where. */
import {
  type CompoundCommand,
  type CompoundList,
  type Coproc,
  type Function as FunctionDefinition,
  forEachChild,
  type If,
  type SyntaxNode
} from "unbash"
import { either } from "./Folders.ts"
import { below, type Outcome, type Situation } from "./Reviewer.ts"
import { type CallFunction, withPositional } from "./ShellState.ts"
import type { ShellWalk } from "./ShellWalk.ts"
import type { RunTime } from "./ShellWord.ts"
import { reviewTest } from "./TestExpressions.ts"

export const reviewCompound = (walk: ShellWalk, node: CompoundCommand, situation: Situation): Outcome => {
  const inside = below(situation)
  const stays = { ok: situation.folders, failed: situation.folders }
  walk.reviewer.compound = true
  switch (node.type) {
    case "BraceGroup":
      return walk.statements(node.body.commands, inside)
    case "Subshell":
      walk.statements(node.body.commands, inside)
      return stays
    case "If":
      return reviewIf(walk, node, inside)
    case "TestCommand":
      reviewTest(walk, node, inside)
      return stays
    case "While":
      walk.ask(`${node.kind} repeats commands until something changes`, {
        pos: node.pos,
        end: node.pos + node.kind.length
      })
      return anyOf(walk, [node.clause, node.body], inside)
    case "For":
    case "Select": {
      walk.ask("a loop repeats commands", { pos: node.pos, end: node.name.end })
      const late: Array<RunTime> = []
      const values = walk.words(node.wordlist ?? [], inside, late)
      walk.late(late)
      inside.shell.variables.set(node.name.value, node.wordlist === undefined ? null : values.map(({ value }) => value))
      return anyOf(walk, [node.body], inside)
    }
    case "ArithmeticFor":
    case "ArithmeticCommand":
      walk.ask("arithmetic is worked out at run time", node)
      walk.inner(node, inside)
      if (node.type === "ArithmeticCommand") walk.asPlainCommands(node, inside)
      return node.type === "ArithmeticFor" ? anyOf(walk, [node.body], inside) : stays
    case "Case": {
      walk.ask("case chooses commands at run time", { pos: node.pos, end: node.word.end })
      const late: Array<RunTime> = []
      walk.words([node.word, ...node.items.flatMap((item) => item.pattern)], inside, late)
      return anyOf(
        walk,
        node.items.map((item) => item.body),
        inside
      )
    }
  }
}

const reviewIf = (walk: ShellWalk, node: If, situation: Situation): Outcome => {
  const clause = walk.statements(node.clause.commands, situation)
  const then = walk.statements(node.then.commands, { ...situation, folders: clause.ok })
  let ends = either(then.ok, then.failed)
  let otherwise = clause.failed
  for (const elif of node.elif) {
    const outcome = walk.statements(elif.clause.commands, { ...situation, folders: otherwise })
    const chosen = walk.statements(elif.then.commands, { ...situation, folders: outcome.ok })
    ends = either(ends, either(chosen.ok, chosen.failed))
    otherwise = outcome.failed
  }
  if (node.else !== undefined) {
    const last = walk.statements(node.else.commands, { ...situation, folders: otherwise })
    otherwise = either(last.ok, last.failed)
  }
  ends = either(ends, otherwise)
  return { ok: ends, failed: ends }
}

/** Lists of which any may run, in any order: the folders of all of them are possible afterwards. */
const anyOf = (walk: ShellWalk, lists: ReadonlyArray<CompoundList>, situation: Situation): Outcome => {
  let folders = situation.folders
  for (const list of lists) {
    const outcome = walk.statements(list.commands, { ...situation, folders })
    folders = either(folders, either(outcome.ok, outcome.failed))
  }
  return { ok: folders, failed: folders }
}

export const reviewFunction = (walk: ShellWalk, node: FunctionDefinition, situation: Situation): Outcome => {
  const name = node.name.value
  walk.ask("defines a function: a name means something else from here on", { pos: node.pos, end: node.name.end })
  if (isForkBomb(node, name)) {
    walk.reviewer.find("ruins", "a fork bomb: a function that starts itself again and again", ...walk.span(node))
  }
  walk.command(node.body, below(situation))
  situation.shell.functions.set(name, callOf(walk, node))
  return { ok: situation.folders, failed: situation.folders }
}

/** Reviews the body anew with the words of a call. A function that calls itself is not followed any further. */
const callOf = (walk: ShellWalk, node: FunctionDefinition): CallFunction => {
  let inside = false
  return (name, args, situation) => {
    if (inside || !walk.reviewer.mayCall()) return
    inside = true
    const shell = { ...situation.shell, variables: withPositional(situation.shell, [name, ...args]) }
    walk.command(node.body, below({ ...situation, shell }))
    inside = false
  }
}

export const reviewCoproc = (walk: ShellWalk, node: Coproc, situation: Situation): Outcome => {
  walk.ask("coproc starts a process that outlives the command", { pos: node.pos, end: node.pos + "coproc".length })
  walk.command(node.body, below(situation))
  return { ok: situation.folders, failed: situation.folders }
}

/** A function that calls itself in the background, or pipes itself into itself: each call makes more processes. */
const isForkBomb = (definition: FunctionDefinition, name: string): boolean => {
  const calls = (node: SyntaxNode): number => {
    let count = node.type === "Command" && node.name?.value === name ? 1 : 0
    forEachChild(node, (child) => {
      count += calls(child)
    })
    return count
  }
  let bomb = false
  const visit = (node: SyntaxNode): void => {
    if (bomb) return
    const forks = node.type === "Pipeline" || (node.type === "Statement" && node.background === true)
    if (forks && calls(node) > (node.type === "Pipeline" ? 1 : 0)) bomb = true
    else forEachChild(node, visit)
  }
  forEachChild(definition, visit)
  return bomb
}
