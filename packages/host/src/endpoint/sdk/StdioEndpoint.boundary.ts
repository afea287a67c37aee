/** The endpoint on standard input and output: nothing but protocol on stdout, and an end when the client is gone. */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../../cli/ExitStatus.ts"
import type { EndpointHandlers } from "../EndpointHandlers.boundary.ts"
import { makeSdkServer } from "./SdkServer.boundary.ts"

/** Serves until the input ends or `stop` is aborted; then what is under way is cancelled by the caller's scope. */
export const serveStdio = (
  handlers: EndpointHandlers,
  version: string,
  stop: AbortSignal
): Effect.Effect<void, CommandFailed> =>
  Effect.async((resume) => {
    const server = makeSdkServer(handlers, version)
    const end = (): void => resume(Effect.void)
    server.onclose = end
    process.stdin.once("end", end).once("close", end)
    stop.addEventListener("abort", end, { once: true })
    server.connect(new StdioServerTransport()).catch((error: unknown) =>
      resume(
        new CommandFailed({
          status: "failed",
          message: `standard input cannot be served: ${error instanceof Error ? error.message : "unknown fault"}`,
          remedy: ""
        })
      )
    )
    return Effect.promise(async () => {
      process.stdin.off("end", end).off("close", end).pause()
      stop.removeEventListener("abort", end)
      await server.close()
    })
  })
