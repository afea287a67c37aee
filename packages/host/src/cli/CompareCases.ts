/** Cases of one kind, compared with what a file expects of them. Loaded where a file is named only: it reads YAML. */
import * as Effect from "effect/Effect"
import type { CheckKind } from "../check/CheckKind.ts"
import { compareCase } from "../check/Compare.ts"
import { type ExpectedCase, readExpectations } from "../check/Expectations.ts"
import { reportCompared } from "./CheckReport.ts"
import { CommandFailed } from "./ExitStatus.ts"
import { readInput } from "./Input.boundary.ts"

/** Compares the answers of `kind` with what the file expects of them. */
export const compareSource = Effect.fnUntraced(function* (kind: CheckKind, file: string, json: boolean) {
  const cases = yield* readCases(file)
  const foreign = cases.find((one) => one.kind !== null && one.kind !== kind.name)
  if (foreign !== undefined) {
    return yield* new CommandFailed({
      status: "invalid",
      message: `${foreign.place} ${foreign.id}: is of kind ${foreign.kind}, not ${kind.name}`,
      remedy: `\`gatehouse check all --expect ${file}\` runs cases of all kinds`
    })
  }
  yield* reportCompared(yield* Effect.forEach(cases, (one) => compareCase(kind, one)), json)
})

/** The cases of a file; whatever is wrong with it is told with its line. */
export const readCases = (file: string): Effect.Effect<ReadonlyArray<ExpectedCase>, CommandFailed> =>
  Effect.flatMap(readInput(file), (text) =>
    Effect.mapError(
      Effect.suspend(() => readExpectations(file, text)),
      notExpectations
    )
  )

export const notExpectations = (faults: ReadonlyArray<string>): CommandFailed =>
  new CommandFailed({
    status: "invalid",
    message: faults.join("\n"),
    remedy: "docs/policy-tests.md shows the form"
  })
