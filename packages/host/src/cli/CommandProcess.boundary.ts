/** The whole command as this process. */
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as ValidationError from "@effect/cli/ValidationError"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { version } from "../Version.ts"
import { alreadyShown } from "./ExitStatus.ts"
import { freshKeysLayer } from "./FreshKeys.ts"
import { gatehouse } from "./Gatehouse.ts"
import { hoistGlobalOptions } from "./GlobalOptions.ts"
import { Output } from "./Output.ts"
import { withPlainConsole } from "./PlainConsole.boundary.ts"
import { helpFor } from "./render/Help.ts"

export const commandProcess = Effect.gen(function* () {
  const output = yield* Output
  const words = hoistGlobalOptions(process.argv.slice(2))
  const help = helpFor(gatehouse.descriptor, words, version, output.columns)
  if (help !== null) return yield* output.result(help)
  return yield* Command.run(gatehouse, { name: "gatehouse", version })([...process.argv.slice(0, 2), ...words])
}).pipe(
  withPlainConsole(process.stdout.isTTY === true && !process.env["NO_COLOR"]),
  // The parser has said by itself what is wrong with the words.
  Effect.catchIf(ValidationError.isValidationError, () =>
    Effect.zipRight(
      Effect.flatMap(Output, ({ note }) =>
        note("  gatehouse --help shows the verbs, gatehouse VERB --help what one takes")
      ),
      alreadyShown("invalid")
    )
  ),
  Effect.provide(freshKeysLayer),
  Effect.provide(Layer.mergeAll(NodeContext.layer, CliConfig.layer({ showBuiltIns: false, finalCheckBuiltIn: false })))
)
