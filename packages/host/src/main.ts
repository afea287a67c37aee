/** The `gatehouse` process. */
import * as Effect from "effect/Effect"
import { loadCommandProcess, loadServeStdio } from "./cli/LoadProcess.boundary.ts"
import { runProcess } from "./cli/RunProcess.boundary.ts"
import { stdioPlaces } from "./cli/StdioPlaces.ts"

const places = stdioPlaces(process.argv.slice(2))

if (places === null) runProcess(Effect.flatMap(loadCommandProcess, ({ commandProcess }) => commandProcess))
else runProcess(loadServeStdio(places))
