/** Where messages to one client go: a transport's side of a connection. */
import type { Members, RequestId, RpcError } from "./ClientMessage.ts"

export type ServerMessage =
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly result: object }
  | { readonly jsonrpc: "2.0"; readonly id: RequestId | null; readonly error: RpcError }
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly method: string; readonly params: Members }
  | { readonly jsonrpc: "2.0"; readonly method: string; readonly params?: Members }

export interface Outlet {
  /** Answers: `about` is their request. Whatever else is said while a request runs names that one; null is none. */
  readonly send: (message: ServerMessage, about: RequestId | null) => void
  /** That request gets no answer: the client cancelled it. */
  readonly withdraw: (about: RequestId) => void
  /** Whether the client reads too slowly for what can be left out, progress say. */
  readonly isCongested: () => boolean
}
