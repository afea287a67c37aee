/** The methods of MCP that the endpoint has, over a client's session. A call is the runtime's execution and nothing else. */
import type { SourceDiagnostic } from "@gatehouse/core/EffectSource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { toToolResult } from "../runtime/ToolResult.ts"
import type { EndpointSession } from "./EndpointSession.ts"
import { errorCodes, isMembers, type RpcError } from "./protocol/ClientMessage.ts"
import type { Methods, RequestFace } from "./protocol/Methods.ts"
import { toolPage } from "./ToolPages.ts"

/** Why something cannot be had, and what would help. */
export interface Told {
  readonly message: string
  readonly remedy: string
}

/** `session` is asked for by requests only: a client that says no more than hello leaves no trace. */
export const endpointMethods = (session: Effect.Effect<EndpointSession, Told>): Methods => {
  const told = new Set<string>()
  return {
    "tools/list": ({ cursor }, face) =>
      Effect.gen(function* () {
        if (cursor !== undefined && typeof cursor !== "string") return yield* invalid("cursor: expected a text")
        const { list, listed } = yield* Effect.mapError(session, failed)
        const known = cursor === undefined ? null : listed()
        const listing = known ?? (yield* Effect.mapError(list(face), failed))
        tellOnce(listing.diagnostics, face, told)
        return yield* Either.mapLeft(toolPage(listing, cursor), invalidParams)
      }),
    "tools/call": ({ arguments: args = {}, name }, face) =>
      Effect.gen(function* () {
        if (typeof name !== "string") return yield* invalid("name: expected a text")
        if (!isMembers(args)) return yield* invalid("arguments: expected an object")
        const { call } = yield* Effect.mapError(session, failed)
        return yield* Effect.match(call(name, args, face), {
          onFailure: notAdmitted,
          onSuccess: (result): object => toToolResult(result)
        })
      })
  }
}

/** What is wrong with the core's parts, for the log of whoever looks at the client. */
const tellOnce = (diagnostics: ReadonlyArray<SourceDiagnostic>, face: RequestFace, told: Set<string>): void => {
  for (const { message, remedy, severity, subject } of diagnostics) {
    const line = `${subject}: ${withRemedy({ message, remedy })}`
    if (told.has(line)) continue
    told.add(line)
    face.log(severity, line)
  }
}

/** The core or its catalog cannot be used now: the model is told what its person has to mend. */
const notAdmitted = ({ message, remedy }: Told): object => ({
  content: [{ type: "text", text: `invalid: ${withRemedy({ message, remedy })}` }],
  structuredContent: {
    status: "invalid",
    executionStarted: false,
    mayHaveHappened: false,
    error: { tag: "CoreError", stage: "binding", message, remedy }
  },
  isError: true
})

const failed = (told: Told): RpcError => ({ code: errorCodes.internal, message: withRemedy(told) })

const invalidParams = (message: string): RpcError => ({ code: errorCodes.invalidParams, message })
const invalid = (message: string): Effect.Effect<never, RpcError> => Effect.fail(invalidParams(message))

const withRemedy = ({ message, remedy }: Told): string => `${message}${remedy === "" ? "" : `; ${remedy}`}`
