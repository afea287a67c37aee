/** JSON-RPC 2.0 as MCP speaks it: what a message from a server is, judged without trusting any of its parts. Pure. */

/** What came in. `id` of an answer is null where it names no request. */
export type Incoming =
  | { readonly kind: "answer"; readonly id: number; readonly result: Readonly<Record<string, unknown>> }
  | {
      readonly kind: "error"
      readonly id: number | null
      readonly code: number
      readonly message: string
      readonly data: unknown
    }
  /** Meant as an answer, and none that JSON-RPC knows: waiting on would be waiting for ever. */
  | { readonly kind: "broken"; readonly id: number | null; readonly reason: string }
  | { readonly kind: "request"; readonly id: string | number; readonly method: string; readonly params: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  | { readonly kind: "foreign" }

/** Codes of JSON-RPC and MCP that mean something here. */
export const errorCodes = { methodNotFound: -32601, invalidParams: -32602, urlElicitationRequired: -32042 } as const

/**
 * @example
 * classify({ jsonrpc: "2.0", id: 1, result: {} })   // { kind: "answer", id: 1, result: {} }
 * classify({ jsonrpc: "2.0", id: 1, result: null }) // { kind: "broken", id: 1, reason: "a result that is no object" }
 * classify({ level: "info", msg: "ready" })         // { kind: "foreign" }
 */
export const classify = (message: unknown): Incoming => {
  if (!isRecord(message) || message["jsonrpc"] !== "2.0") return foreign
  const { id, method } = message
  if (typeof method === "string") {
    if (id === undefined) return { kind: "notification", method, params: message["params"] }
    return typeof id === "string" || typeof id === "number"
      ? { kind: "request", id, method, params: message["params"] }
      : foreign
  }
  const hasResult = Object.hasOwn(message, "result")
  const hasError = Object.hasOwn(message, "error")
  if (method !== undefined || (!hasResult && !hasError && id === undefined)) return foreign
  const known = typeof id === "number" ? id : typeof id === "string" && /^\d{1,15}$/.test(id) ? Number(id) : null
  const broken = (reason: string): Incoming => ({ kind: "broken", id: known, reason })
  if (hasResult === hasError) return broken(hasResult ? "both a result and an error" : "neither a result nor an error")
  if (typeof id === "string") return broken("an id that is not the one of the request")
  if (hasError) return errorOf(message["error"], known) ?? broken("an error without code and message")
  if (known === null) return broken("a result without the id of its request")
  const result = message["result"]
  return isRecord(result) ? { kind: "answer", id: known, result } : broken("a result that is no object")
}

const foreign: Incoming = { kind: "foreign" }

const errorOf = (error: unknown, id: number | null): Incoming | null => {
  if (!isRecord(error)) return null
  const { code, data, message } = error
  return typeof code === "number" && typeof message === "string" ? { kind: "error", id, code, message, data } : null
}

/** A JSON object, as opposed to a list or a plain value. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
