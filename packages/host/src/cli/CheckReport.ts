/** Says how cases compared: a line for each that differs, and a plain closing line. A difference is a failure. */
import { inertJson } from "@gatehouse/policy/redaction/TerminalText"
import * as Effect from "effect/Effect"
import type { ComparedCase } from "../check/Compare.ts"
import { alreadyShown } from "./ExitStatus.ts"
import { Output } from "./Output.ts"

export const reportCompared = Effect.fnUntraced(function* (compared: ReadonlyArray<ComparedCase>, json: boolean) {
  const output = yield* Output
  const failures = compared.filter(({ faults }) => faults.length > 0)
  const passed = compared.length - failures.length
  if (json) {
    const told = failures.map(({ case: { id, place }, faults, kind }) => ({ place, kind, id, faults }))
    yield* output.result(inertJson({ passed, failed: failures.length, failures: told }, 2))
  } else {
    for (const { case: one, faults } of failures) {
      yield* output.result(`${one.place} ${one.id}: ${faults.join("; ")}`)
    }
    yield* output.result(`${passed} passed, ${failures.length} failed`)
  }
  if (failures.length > 0) yield* alreadyShown("failed")
})
