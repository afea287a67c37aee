/** `gatehouse import FILE`: takes over the MCP servers of another client. */

import { join, resolve } from "node:path"
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import { importMcpServers } from "@gatehouse/catalog/imports/McpServersImport"
import { inertJson } from "@gatehouse/policy/redaction/TerminalText"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CommandFailed } from "../ExitStatus.ts"
import type { Places } from "../GlobalOptions.ts"
import { readInput } from "../Input.boundary.ts"
import { Invocation } from "../Invocation.ts"
import { Output } from "../Output.ts"
import { writeFresh } from "../WriteFresh.boundary.ts"

export interface ImportArguments extends Pick<Places, "core"> {
  readonly file: string
  readonly json: boolean
}

/** Writes one YAML file a server, names what it tightened and which variables have to be set; overwrites nothing. */
export const runImport = Effect.fn("gatehouse import")(function* (args: ImportArguments) {
  const output = yield* Output
  const invocation = yield* Invocation
  const text = yield* readInput(args.file)
  const json = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => invalid(`${args.file} is no JSON`, "name the JSON file in which the client keeps its servers")
  })
  const { files, notes, variables } = yield* Effect.mapError(importMcpServers(json), (why) =>
    invalid(`${args.file} ${why}`, "")
  )
  const core = yield* Option.match(args.core, {
    onSome: (folder) => Effect.succeed(resolve(invocation.cwd, folder)),
    onNone: () =>
      Effect.flatMap(AgentCores, (cores) => cores.find(invocation.cwd)).pipe(
        Effect.mapError(({ message, remedy }) => new CommandFailed({ status: "not_found", message, remedy })),
        Effect.provide(AgentCores.layer)
      )
  })
  const taken = yield* writeFresh(core, files)
  if (taken !== null)
    return yield* invalid(`${join(core, taken)} is there already; nothing was written`, "rename or remove it first")
  if (args.json) return yield* output.result(inertJson({ core, files: Object.keys(files), notes, variables }, 2))
  yield* output.result(
    `Wrote to ${core}:\n${Object.keys(files)
      .map((path) => `  ${path}`)
      .join("\n")}`
  )
  for (const { kind, message, server } of notes) yield* output.result(`${kind.padEnd(9)} ${server}: ${message}`)
  if (variables.length > 0)
    yield* output.result(`\nSet these for the host before it opens the servers: ${variables.join(", ")}`)
})

const invalid = (message: string, remedy: string): CommandFailed =>
  new CommandFailed({ status: "invalid", message, remedy })
