/**
 * What a request becomes when the answer is a redirect: pure, hop by hop. Method, body and headers follow the Fetch
 * standard ("HTTP-redirect fetch"); what is stricter here says so.
 */
import * as Either from "effect/Either"

/** One request of a journey, before its URL is judged. */
export interface HopRequest {
  /** Raw for the first hop, absolute for the others. */
  readonly url: string
  /** Upper case. */
  readonly method: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly hasBody: boolean
}

/** Hops after the first request; one more is refused. */
export const redirectLimit = 5

export type RedirectRefusal = "malformed" | "downgrade" | "loop" | "limit"

export type NextHop =
  | { readonly next: "none" }
  | { readonly next: "follow"; readonly request: HopRequest }
  | { readonly next: "refuse"; readonly reason: RedirectRefusal; readonly rule: string }

/**
 * Where the answer to `request`, sent to `from`, leads. A redirect without `Location`, and every other status, is an
 * answer like any other.
 */
export const nextHop = (
  from: URL,
  request: HopRequest,
  answer: { readonly status: number; readonly location: string | null }
): NextHop => {
  if (!isRedirect(answer.status) || answer.location === null) return { next: "none" }
  const target = resolveLocation(answer.location, from)
  if (target === null) return { next: "refuse", reason: "malformed", rule: "Location is no URL" }
  const turned = becomesGet(answer.status, request.method)
  const crossed = !sameOrigin(target, from)
  const headers = Object.entries(request.headers).filter(
    ([name]) => !(turned && describesBody(name)) && !(crossed && staysWithOrigin(name))
  )
  return {
    next: "follow",
    request: {
      url: target,
      method: turned ? "GET" : request.method,
      headers: Object.fromEntries(headers),
      hasBody: request.hasBody && !turned
    }
  }
}

/** Whether `status` sends a request on, if the answer says where to. */
export const isRedirect = (status: number): boolean =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308

/** What makes two requests of a journey the same one: then it goes round in circles. */
export const hopKey = (method: string, url: URL): string => `${method} ${url.origin}${url.pathname}${url.search}`

/** A header that gives its origin power, or says where the request came from: another origin does not get it. */
export const staysWithOrigin = (name: string): boolean => originHeaders.has(name) || credentialName.test(name)

const becomesGet = (status: number, method: string): boolean =>
  (status === 303 && method !== "GET" && method !== "HEAD") || ((status === 301 || status === 302) && method === "POST")

const originHeaders: ReadonlySet<string> = new Set(["host", "origin", "referer", "mcp-session-id"])

// Wider than Fetch, which drops `authorization` only: keys of other names are credentials as well.
const credentialName = /auth|cookie|credential|passw|secret|signature|token|(?:^|[-_])key(?:$|[-_])|api[-_]?key/

const describesBody = (name: string): boolean => name.startsWith("content-") || name === "transfer-encoding"

/**
 * The absolute text of a `Location`. An absolute one, or one that names a host (`//host/`), is passed on as it was
 * written, so that the judgement sees the raw text and not what a parser made of it.
 */
const resolveLocation = (location: string, from: URL): string | null => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return location
  if (/^[/\\]{2}/.test(location)) return `${from.protocol}${location}`
  // What the parser would drop or repair stays in the text for the judgement to refuse.
  if (/[\u0000-\u0020\u007f-\u009f\\]/.test(location)) return null
  return Either.getOrNull(Either.try(() => new URL(location, from).href))
}

const sameOrigin = (target: string, from: URL): boolean =>
  Either.getOrElse(
    Either.try(() => new URL(target).origin === from.origin),
    () => false
  )
