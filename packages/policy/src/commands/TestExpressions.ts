/**
 * `[[ … ]]`, which not every shell has: to a plain `sh` it is a program of that name, and what stands inside is read as
 * operators of its own (`[[ -f a || rm ]]` starts rm, `[[ a > b ]]` writes b). One plain test means the same everywhere.
 */
import type { TestCommand } from "unbash"
import { notesFor } from "./PathNotes.ts"
import type { Situation } from "./Reviewer.ts"
import type { ShellWalk } from "./ShellWalk.ts"
import type { RunTime } from "./ShellWord.ts"

/** Tests of one operand that only look at it (bash(1), "Conditional Expressions"). */
const looking = new Set("-a -b -c -d -e -f -g -h -k -p -r -s -t -u -w -x -G -L -N -O -S -n -z".split(" "))
/** Comparisons of text and of files. Those of numbers evaluate arithmetic, and arithmetic can run commands. */
const comparing = new Set("= == != -nt -ot -ef".split(" "))

export const reviewTest = (walk: ShellWalk, { expression, pos, end }: TestCommand, situation: Situation): void => {
  const late: Array<RunTime> = []
  const notes = notesFor(walk.reviewer, situation.folders)
  if (expression.type === "TestUnary" && looking.has(expression.operator)) {
    const operands = walk.word(expression.operand, situation, late)
    if (!/^-[nztN]$/.test(expression.operator)) operands.forEach(notes.reads)
  } else if (expression.type === "TestBinary" && comparing.has(expression.operator)) {
    walk.words([expression.left, expression.right], situation, late)
  } else {
    walk.ask("a test that shells work out in their own ways", { pos, end })
    walk.inner(expression, situation)
    walk.asPlainCommands({ pos, end }, situation)
  }
  walk.late(late)
}
