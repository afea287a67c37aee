/** JSON-RPC 2.0 as an MCP client speaks it: what a message is, judged without trusting any of its parts. Pure. */
import * as Either from "effect/Either"

export type RequestId = string | number

/** Members of an object that came from outside; nothing is known of their values. */
export type Members = Readonly<Record<string, unknown>>

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export type ClientMessage =
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: Members }
  | { readonly kind: "notification"; readonly method: string; readonly params: Members }
  /** The client's answer to a request of ours. */
  | { readonly kind: "answer"; readonly id: RequestId; readonly outcome: Either.Either<Members, RpcError> }
  /** Several messages in one: JSON-RPC 2.0, section 6. */
  | { readonly kind: "batch"; readonly messages: ReadonlyArray<unknown> }
  /** No message; `id` is null where none can be told. */
  | { readonly kind: "fault"; readonly id: RequestId | null; readonly error: RpcError }

/** JSON-RPC 2.0, section 5.1; the last is this server's own. */
export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  busy: -32000
} as const

/** UTF-16 units that an id may have: it is kept as long as its request. */
const idLimit = 512

/**
 * @example
 * readClientMessage('{"jsonrpc":"2.0","id":0,"method":"ping"}') // { kind: "request", id: 0, method: "ping", params: {} }
 * readClientMessage('{"jsonrpc":')                              // a fault with code -32700 and no id
 */
export const readClientMessage = (text: string): ClientMessage =>
  Either.match(
    Either.try((): unknown => JSON.parse(text)),
    { onLeft: () => fault(null, errorCodes.parse, "the message is no JSON"), onRight: judgeClientMessage }
  )

/** As {@link readClientMessage}, of a value that was parsed already. */
export const judgeClientMessage = (value: unknown): ClientMessage => {
  if (Array.isArray(value)) return { kind: "batch", messages: value }
  if (!isMembers(value)) return fault(null, errorCodes.invalidRequest, "a message is a JSON object")
  const { id, jsonrpc, method, params = {} } = value
  const known = isId(id) ? id : null
  if (jsonrpc !== "2.0") return fault(known, errorCodes.invalidRequest, 'jsonrpc: expected "2.0"')
  if (method === undefined) return judgeAnswer(value, known)
  if (typeof method !== "string") return fault(known, errorCodes.invalidRequest, "method: expected a text")
  if (id === undefined) return { kind: "notification", method, params: isMembers(params) ? params : {} }
  if (known === null) return fault(null, errorCodes.invalidRequest, "id: expected a short text or a whole number")
  if (!isMembers(params)) return fault(known, errorCodes.invalidParams, "params: expected an object")
  return { kind: "request", id: known, method, params }
}

/** A JSON object, as opposed to a list or a plain value. */
export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const judgeAnswer = (value: Members, id: RequestId | null): ClientMessage => {
  const { error, result } = value
  if (id === null || (result === undefined) === (error === undefined)) {
    return fault(id, errorCodes.invalidRequest, "neither a request nor an answer: method is missing")
  }
  if (result !== undefined) {
    const outcome = isMembers(result) ? Either.right(result) : Either.left(notObject)
    return { kind: "answer", id, outcome }
  }
  const { code, message } = isMembers(error) ? error : {}
  const told: RpcError =
    typeof code === "number" && typeof message === "string" ? { code, message: message.slice(0, idLimit) } : notObject
  return { kind: "answer", id, outcome: Either.left(told) }
}

const notObject: RpcError = { code: errorCodes.invalidRequest, message: "the answer is no object" }

const isId = (value: unknown): value is RequestId =>
  typeof value === "string" ? value.length <= idLimit : Number.isSafeInteger(value)

const fault = (id: RequestId | null, code: number, message: string): ClientMessage => ({
  kind: "fault",
  id,
  error: { code, message }
})
