/** `gatehouse doctor`: what is wrong with this home, core and machine, and how to mend it. */

import { resolve } from "node:path"
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import { inertJson } from "@gatehouse/policy/redaction/TerminalText"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import {
  examineCore,
  examineEnvironment,
  examineHome,
  examineNode,
  examineSandbox,
  examineSettings
} from "../../doctor/Examine.ts"
import type { Finding } from "../../doctor/Finding.ts"
import { alreadyShown } from "../ExitStatus.ts"
import { homeFolder, type Places } from "../GlobalOptions.ts"
import { Invocation } from "../Invocation.ts"
import { Output } from "../Output.ts"

export interface DoctorArguments extends Places {
  readonly json: boolean
}

export const runDoctor = Effect.fn("gatehouse doctor")(function* (args: DoctorArguments) {
  const output = yield* Output
  const invocation = yield* Invocation
  const root = homeFolder(args.home, invocation)
  const core = Option.match(args.core, {
    onSome: (folder) => Effect.succeed(resolve(invocation.cwd, folder)),
    onNone: () => Effect.flatMap(AgentCores, (cores) => cores.find(invocation.cwd))
  })
  const findings: ReadonlyArray<Finding> = [
    examineNode(invocation.nodeVersion),
    yield* examineSettings(root),
    ...(yield* examineHome(root)),
    yield* examineCore(core),
    yield* examineSandbox,
    examineEnvironment(invocation.environment)
  ]
  yield* output.result(
    args.json ? inertJson(findings, 2) : findings.map((finding) => render(finding, output.colours)).join("\n")
  )
  if (findings.some(({ state }) => state === "error")) yield* alreadyShown("failed")
})

const render = ({ detail, remedy, state, subject }: Finding, colours: boolean): string => {
  const mark = { ok: "✓", warning: "!", error: "✗" }[state]
  const colour = { ok: 32, warning: 33, error: 31 }[state]
  const shown = colours ? `\u001b[${colour}m${mark}\u001b[0m` : mark
  return `${shown} ${subject.padEnd(12)} ${detail}${remedy === "" ? "" : `\n               ${remedy}`}`
}
