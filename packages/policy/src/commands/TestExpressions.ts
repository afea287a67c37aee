/** `[[ … ]]`: which tests only look, and which make the shell work something out. */
import type { TestCommand, TestExpression } from "unbash"
import { notesFor } from "./PathNotes.ts"
import type { Situation } from "./Reviewer.ts"
import type { ShellWalk } from "./ShellWalk.ts"
import type { RunTime } from "./ShellWord.ts"

/** Tests of one operand that only look at it (bash(1), "Conditional Expressions"). */
export const lookingTests = "-a -b -c -d -e -f -g -h -k -p -r -s -t -u -w -x -G -L -N -O -S -n -z"
/** Comparisons of text and of files. Those of numbers evaluate arithmetic, and arithmetic can run commands. */
export const textComparisons = "= == != < > -nt -ot -ef"

const looking = new Set(lookingTests.split(" "))
const comparing = new Set([...textComparisons.split(" "), "=~"])

export const reviewTest = (walk: ShellWalk, command: TestCommand, situation: Situation): void => {
  const late: Array<RunTime> = []
  const visit = (expression: TestExpression): void => {
    switch (expression.type) {
      case "TestUnary": {
        const operands = walk.word(expression.operand, situation, late)
        if (!looking.has(expression.operator)) walk.ask("a test that the shell works out at run time", expression)
        else if (!/^-[nztN]$/.test(expression.operator))
          operands.forEach(notesFor(walk.reviewer, situation.folders).reads)
        return
      }
      case "TestBinary": {
        // The pattern on the right is matched against text, not against names of files.
        walk.word(expression.left, situation, late)
        const right: Array<RunTime> = []
        walk.word(expression.right, situation, right)
        late.push(...right.filter((runTime) => runTime.kind !== "pattern"))
        if (!comparing.has(expression.operator)) walk.ask("a test that the shell works out at run time", expression)
        return
      }
      case "TestLogical":
        return expression.operands.forEach(visit)
      case "TestNot":
        return visit(expression.operand)
      case "TestGroup":
        return visit(expression.expression)
    }
  }
  visit(command.expression)
  walk.late(late)
}
