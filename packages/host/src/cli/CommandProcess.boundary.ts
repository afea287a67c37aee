/** The whole command as this process. */
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as ValidationError from "@effect/cli/ValidationError"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { version } from "../Version.ts"
import { alreadyShown } from "./ExitStatus.ts"
import { gatehouse } from "./Gatehouse.ts"
import { hoistGlobalOptions } from "./GlobalOptions.ts"
import { withPlainConsole } from "./PlainConsole.boundary.ts"

export const commandProcess = Effect.suspend(() =>
  Command.run(gatehouse, { name: "gatehouse", version })([
    ...process.argv.slice(0, 2),
    ...hoistGlobalOptions(process.argv.slice(2))
  ])
).pipe(
  withPlainConsole(process.stdout.isTTY === true && !process.env["NO_COLOR"]),
  // The parser has said by itself what is wrong with the words.
  Effect.catchIf(ValidationError.isValidationError, () => alreadyShown("invalid")),
  Effect.provide(Layer.mergeAll(NodeContext.layer, CliConfig.layer({ showBuiltIns: false, finalCheckBuiltIn: false })))
)
