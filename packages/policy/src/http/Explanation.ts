/** What a failure below means to the one who asked. */
import { type JudgedHop, PeerMismatch } from "../urls/Journey.ts"
import type { ExchangeFailure } from "./ExchangeFailure.ts"
import { SafeHttpError } from "./SafeHttpError.ts"

/** A `peer` failure as what the policy makes of it. */
export const mismatch = (pinned: string, { detail }: ExchangeFailure): PeerMismatch =>
  new PeerMismatch({ pinned, peer: detail === "" ? null : detail })

/** An error of the client itself, before anything of this hop was sent. */
export const failed = (
  reason: SafeHttpError["reason"],
  hop: JudgedHop,
  message: string,
  remedy: string
): SafeHttpError =>
  new SafeHttpError({
    reason,
    message,
    remedy,
    code: null,
    origin: hop.audit.origin,
    requestSent: hop.index > 0,
    refused: null
  })

/** A failure while `hop` was under way. */
export const explained = (failure: ExchangeFailure, hop: JudgedHop): SafeHttpError => {
  const { code, connected, detail, reason } = failure
  const kind = reason === "peer" ? "policy" : reason
  return new SafeHttpError({
    reason: kind,
    message: `${hop.audit.origin} ${detail}`,
    remedy: remedies[kind],
    code,
    origin: hop.audit.origin,
    requestSent: connected || hop.index > 0,
    refused: null
  })
}

const remedies: Record<Exclude<SafeHttpError["reason"], "dns" | "status">, string> = {
  request: "check method and headers",
  policy: "the network leads elsewhere than its names say; have it looked at",
  connect: "check the port and whether the server runs; try again later",
  tls: "check the host's name and its certificate; the owner of this host can add an authority with network.certificate_authorities",
  timeout: "try again later, or allow more time",
  size: "ask for a smaller part of it",
  protocol: "the server is no HTTP/1.1 server, or broken; try another address"
}
