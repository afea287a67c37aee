/** `gatehouse check all`: the expectation files of a core, for a team's own tests of its policy. */
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import * as Effect from "effect/Effect"
import type { CheckKind } from "../../check/CheckKind.ts"
import { loadCheckKind } from "../../check/CheckKinds.boundary.ts"
import { compareCase } from "../../check/Compare.ts"
import { type ExpectedCase, readExpectations } from "../../check/Expectations.ts"
import { policyFolder, readPolicyFiles } from "../../check/PolicyFiles.boundary.ts"
import { reportCompared } from "../CheckReport.ts"
import { notExpectations, readCases } from "../CompareCases.ts"
import { CommandFailed } from "../ExitStatus.ts"
import type { Places } from "../GlobalOptions.ts"
import { loadCore } from "../LocalHost.ts"
import * as Verbs from "../Verbs.boundary.ts"

export interface CheckAllArguments extends Places {
  readonly json: boolean
  /** A file to run in place of the core's own. */
  readonly expect: string | null
}

/** A core without a single case is a failure: a run that tests nothing must not look like one that passes. */
export const runCheckAll = Effect.fn("gatehouse check all")(function* (args: CheckAllArguments) {
  const cases = yield* args.expect === null ? casesOfCore(args) : readCases(args.expect)
  const nameless = cases.find(({ kind }) => kind === null)
  if (nameless !== undefined) {
    return yield* notExpectations([`${nameless.place} ${nameless.id}: kind is missing; say which question it is`])
  }
  // The dry host is made only where a case needs it.
  if (!cases.some(({ kind }) => kind === "call")) return yield* compareAll(cases, null, args.json)
  const { withCallKind } = yield* Verbs.loadCallKind
  yield* withCallKind(args, (call) => compareAll(cases, call, args.json))
})

const compareAll = (cases: ReadonlyArray<ExpectedCase>, call: CheckKind | null, json: boolean) =>
  Effect.forEach(cases, (one) => {
    const kind = one.kind === null || one.kind === "call" ? Effect.fromNullable(call) : loadCheckKind(one.kind)
    return Effect.flatMap(Effect.orDie(kind), (known) => compareCase(known, one))
  }).pipe(Effect.flatMap((compared) => reportCompared(compared, json)))

const casesOfCore = Effect.fnUntraced(function* (places: Places) {
  const core = yield* Effect.provide(loadCore(places), AgentCores.layer)
  const files = yield* Effect.mapError(readPolicyFiles(core.root), (fault) => notExpectations([fault]))
  const read = yield* Effect.forEach(files, ({ path, text }) =>
    Effect.mapError(readExpectations(path, text), notExpectations)
  )
  const cases = read.flat()
  if (cases.length > 0) return cases
  return yield* new CommandFailed({
    status: "not_found",
    message: `${core.root} has no expectations: there is no case in ${policyFolder}/*.yaml`,
    remedy: "docs/policy-tests.md shows how to write one"
  })
})
