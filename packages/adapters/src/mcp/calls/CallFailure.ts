/** Why a call got no result, in the words of the pipeline. */
import type { Witness } from "@gatehouse/core/Authorized"
import { boundedText } from "@gatehouse/core/BoundedText"
import { AdapterError } from "@gatehouse/core/EffectError"
import type { Connection } from "../connections/Connection.ts"
import { errorCodes, isRecord } from "../protocol/JsonRpc.ts"
import type { PeerFailure } from "../protocol/PeerFailure.ts"

/** UTF-16 units of a server's words in a message. */
const messageLimit = 500

/**
 * The error of a call. Whether it may have happened: not where the request never got out or was refused as such; a
 * connection that broke off while the server had it leaves nobody knowing.
 */
export const callError = (failure: PeerFailure, { declaration, mask }: Connection): AdapterError => {
  const server = declaration.server
  const message = boundedText(mask.text(failure.message), messageLimit)
  switch (failure.reason) {
    case "closed":
    case "network":
      return failure.sent
        ? error("indeterminate", `nobody can know how the call ended: ${message}`, lookFirst, true)
        : error("disconnected", `${server} is not connected any more: ${message}`, newTurn, false)
    case "lost":
      return error("session_lost", `${server} does not know this session any more: ${message}`, newTurn, false)
    case "too_large":
      return error("too_large", message, "ask for less at once", true)
    case "broken":
      return error("broken", `${server}: ${message}`, "report it to the author of the server", true)
    case "status":
      return error("status", `${server}: ${message}`, statusRemedy(failure.status), (failure.status ?? 500) >= 500)
    case "refused":
      return error("refused", `${server}: ${message}`, "", false)
    case "error":
      return protocolError(failure, server, message)
  }
}

const protocolError = (failure: PeerFailure, server: string, message: string): AdapterError => {
  switch (failure.code) {
    case errorCodes.urlElicitationRequired:
      return error(
        "url_required",
        `${server} wants a person to open ${origins(failure.data)} first; nothing was opened`,
        "a person decides about that address outside of Gatehouse; then call again",
        false
      )
    case errorCodes.methodNotFound:
      return error("not_found", `${server} does not know what was called: ${message}`, newTurn, false)
    case errorCodes.invalidParams:
      return error("invalid_arguments", `${server} refuses the arguments: ${message}`, "correct the arguments", false)
    default:
      return error("server_error", `${server} answered with error ${failure.code ?? ""}: ${message}`, "", true)
  }
}

/** Scheme and host of the addresses that the server names; their paths may be secrets. */
const origins = (data: unknown): string => {
  const listed = isRecord(data) && Array.isArray(data["elicitations"]) ? data["elicitations"] : []
  const named = listed.slice(0, 3).flatMap((one: unknown) => {
    const url = isRecord(one) ? one["url"] : undefined
    return typeof url === "string" && URL.canParse(url) ? [new URL(url).origin] : []
  })
  return named.length === 0 ? "an address" : named.join(", ")
}

const statusRemedy = (status: number | undefined): string => {
  if (status === 401 || status === 403) return "the owner of the core checks the headers of the declaration"
  if (status === 429) return "the server asks to slow down; wait before calling again"
  return status !== undefined && status >= 500 ? lookFirst : ""
}

const lookFirst = "look at what it acts on before you ask for it again"
const newTurn = "start a new turn, which opens the server again"

const error = (reason: string, message: string, remedy: string, mayHaveHappened: boolean): AdapterError =>
  new AdapterError({ reason, message, remedy, mayHaveHappened })

/** A call that was cut off: without its cancellation out, nobody can say that the server stopped. */
export const pendingEnd = (witness: Witness, sent: boolean): void => {
  if (!sent) witness.unconfirmed("the server could not be told that the call was ended")
}
