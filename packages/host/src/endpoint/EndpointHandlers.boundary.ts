/** What a transport asks of a client's session, as promises for the SDK: every failure is an answer, never a rejection. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import type { ToolResult } from "../runtime/ToolResult.ts"
import type { ToolPage } from "./ToolPages.ts"

/** How a request ended that has no result: JSON-RPC 2.0, section 5.1. */
export interface EndpointFault {
  readonly code: -32602 | -32603
  readonly message: string
}

export type EndpointAnswer<A> = { readonly answer: A } | { readonly fault: EndpointFault }

export interface EndpointHandlers {
  readonly listTools: (cursor: string | undefined, signal: AbortSignal) => Promise<EndpointAnswer<ToolPage>>
  readonly callTool: (name: string, args: unknown, signal: AbortSignal) => Promise<EndpointAnswer<ToolResult>>
}

interface Told {
  readonly message: string
  readonly remedy: string
}

export interface EndpointRequests<R> {
  readonly listTools: (cursor: string | undefined) => Effect.Effect<ToolPage, Told, R>
  readonly callTool: (name: string, args: unknown) => Effect.Effect<ToolResult, Told, R>
}

/** Runs requests in the services that are in reach; an aborted signal interrupts its own request and no other. */
export const endpointHandlers = <R>(requests: EndpointRequests<R>): Effect.Effect<EndpointHandlers, never, R> =>
  Effect.map(Effect.runtime<R>(), (runtime) => {
    const run = <A>(effect: Effect.Effect<A, Told, R>, signal: AbortSignal): Promise<EndpointAnswer<A>> =>
      Runtime.runPromiseExit(runtime)(effect, { signal }).then(answerOf)
    return {
      listTools: (cursor, signal) => run(requests.listTools(cursor), signal),
      callTool: (name, args, signal) => run(requests.callTool(name, args), signal)
    }
  })

const answerOf = <A>(exit: Exit.Exit<A, Told>): EndpointAnswer<A> => {
  if (Exit.isSuccess(exit)) return { answer: exit.value }
  const told = Option.getOrNull(Cause.failureOption(exit.cause))
  if (told !== null)
    return { fault: { code: -32602, message: `${told.message}${told.remedy === "" ? "" : `; ${told.remedy}`}` } }
  const message = Cause.isInterruptedOnly(exit.cause) ? "the request was cancelled" : "internal error of the host"
  return { fault: { code: -32603, message } }
}
