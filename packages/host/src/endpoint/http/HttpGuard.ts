/**
 * What is looked at before anything of a request is read: the names it is sent under, its path, method and media types.
 * Pure. A page in a browser that rebinds its own name to this machine comes under a name that is none of ours (MCP,
 * transports, security warning).
 */
import { parseAddress } from "@gatehouse/policy/urls/Address"
import * as Either from "effect/Either"
import { isRevision, revisions } from "../protocol/Revisions.ts"
import { type Refusal, refusal } from "./Refusal.ts"

/** Header names in lower case, as Node gives them. */
export type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

export interface GuardedRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Headers
}

export interface GuardOptions {
  /** Whether the endpoint listens on this machine only. */
  readonly isLoopback: boolean
  /** Names that it is reached by, besides addresses; in lower case. */
  readonly names: ReadonlyArray<string>
}

export type GuardedPlace = "health" | "ready" | "mcp"

/** The one path of the protocol. */
export const endpointPath = "/mcp"

/** Where a request goes, or why nowhere. */
export const guardRequest = (
  { headers, method, target }: GuardedRequest,
  options: GuardOptions
): Either.Either<GuardedPlace, Refusal> => {
  const host = one(headers["host"])
  if (host === null || !isOwnName(hostOf(host), options))
    return Either.left(refusal(403, "Host: not a name of this endpoint"))
  const origin = one(headers["origin"])
  if (headers["origin"] !== undefined && (origin === null || !isOwnOrigin(origin, options)))
    return Either.left(refusal(403, "Origin: not a page of this machine"))
  const path = target.split("?", 1)[0]
  if (path === "/healthz" || path === "/readyz") {
    if (method !== "GET" && method !== "HEAD") return Either.left(notAllowed("GET"))
    return Either.right(path === "/healthz" ? "health" : "ready")
  }
  if (path !== endpointPath) return Either.left(refusal(404, "not found"))
  return method === "GET" || method === "POST" || method === "DELETE"
    ? Either.right("mcp")
    : Either.left(notAllowed("GET, POST, DELETE"))
}

/** What the media types and the revision of a protocol request allow. */
export const guardProtocol = ({ headers, method }: GuardedRequest): Either.Either<Accepts, Refusal> => {
  const revision = headers["mcp-protocol-version"]
  if (revision !== undefined && !isRevision(revision))
    return Either.left(refusal(400, `MCP-Protocol-Version: expected one of ${revisions.join(", ")}`))
  const accepts = acceptsOf(one(headers["accept"]) ?? "*/*")
  if (method === "GET" && !accepts.stream) return Either.left(refusal(406, "Accept: expected text/event-stream"))
  if (method !== "POST") return Either.right(accepts)
  if (!accepts.json && !accepts.stream)
    return Either.left(refusal(406, "Accept: expected application/json and text/event-stream"))
  const type = (one(headers["content-type"]) ?? "").split(";", 1)[0]?.trim().toLowerCase()
  return type === "application/json"
    ? Either.right(accepts)
    : Either.left(refusal(415, "Content-Type: expected application/json"))
}

export interface Accepts {
  readonly json: boolean
  readonly stream: boolean
}

const acceptsOf = (header: string): Accepts => {
  const types = header.split(",").map((part) => part.split(";", 1)[0]?.trim().toLowerCase())
  const any = types.includes("*/*")
  return {
    json: any || types.includes("application/json") || types.includes("application/*"),
    stream: any || types.includes("text/event-stream") || types.includes("text/*")
  }
}

/** A header that must stand once. */
export const one = (value: Headers[string]): string | null => (typeof value === "string" ? value : null)

/** The name of `name:port`, with the brackets of an IPv6 address taken off; the empty text where it is neither. */
const hostOf = (host: string): string => {
  const parts = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::\d{1,5})?$/i.exec(host)
  return (parts?.[1] ?? parts?.[2] ?? "").toLowerCase()
}

/** An address cannot be rebound; on loopback it has to be one of loopback. */
const isOwnName = (name: string, { isLoopback, names }: GuardOptions): boolean => {
  if (name === "localhost" || names.includes(name)) return true
  return isAddress(name) && (!isLoopback || isLoopbackAddress(name))
}

const isOwnOrigin = (origin: string, options: GuardOptions): boolean => {
  const parts = /^https?:\/\/(.+)$/.exec(origin)
  return parts?.[1] !== undefined && isOwnName(hostOf(parts[1]), options)
}

/** 127.0.0.0/8 (RFC 1122, section 3.2.1.3) and ::1 (RFC 4291, section 2.5.3). */
export const isLoopbackAddress = (address: string): boolean =>
  address === "::1" || (isAddress(address) && address.startsWith("127."))

/** An address as it is written in full: short and octal forms are names here, and none of ours. */
export const isAddress = (text: string): boolean => parseAddress(text) !== null

const notAllowed = (methods: string): Refusal => refusal(405, "method not allowed", { allow: methods })
