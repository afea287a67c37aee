/** Why an HTTP request is not taken: its status, and a JSON-RPC error for clients that read bodies. */
import { errorCodes } from "../protocol/ClientMessage.ts"

export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 406 | 409 | 413 | 415 | 429 | 503
  readonly code: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

export const refusal = (
  status: Refusal["status"],
  message: string,
  headers?: Readonly<Record<string, string>>
): Refusal => ({
  status,
  code: status === 503 || status === 429 ? errorCodes.busy : errorCodes.invalidRequest,
  message,
  ...(headers === undefined ? {} : { headers })
})
