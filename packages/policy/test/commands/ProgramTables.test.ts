import { assert, describe, it } from "@effect/vitest"
import { noLookups } from "@gatehouse/policy/commands/CommandLookups"
import { programKnowledge } from "@gatehouse/policy/commands/ProgramKnowledge"
import { programs } from "@gatehouse/policy/commands/programs/Programs"
import { reviewCommand, textQuestion } from "@gatehouse/policy/commands/ReviewCommand"

const knowledge = programKnowledge(programs)
const decide = (command: string) => reviewCommand(textQuestion(command), knowledge, noLookups)

describe("the tables of programs", () => {
  for (const program of programs) {
    const [name = "?"] = program.names
    it(`${name} says what it allows and what it refuses`, () => {
      assert.isAbove(program.examples.allowed.length, 0, "a table needs examples of allowed lines")
      assert.isAbove(program.examples.refused.length, 0, "a table needs examples of refused lines")
      for (const line of program.examples.allowed) {
        assert.strictEqual(decide(line).decision, "allow", `${line}: ${JSON.stringify(decide(line).because)}`)
      }
      for (const line of program.examples.refused) assert.notStrictEqual(decide(line).decision, "allow", line)
    })
  }

  it("name each program once", () => {
    const names = programs.flatMap((program) => program.names)
    assert.deepStrictEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      []
    )
  })

  it("name each option of a program once", () => {
    for (const program of programs) {
      const tables = [program, ...Object.values(program.subcommands ?? {})]
      for (const { options = [] } of tables) {
        for (const { names } of options) assert.match(names, /^-/, names)
      }
    }
  })
})
