/** What a request says about itself beside what its caller says. */

/** Sent with every request that does not say otherwise. */
const standardHeaders: Readonly<Record<string, string>> = {
  accept: "*/*",
  "accept-encoding": "gzip, deflate, br",
  "user-agent": "gatehouse/0.1"
}

/** Headers that say how bytes lie on the connection, or speak to a proxy: the client's business alone. */
const framing: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

/** `given` with names in lower case, without what frames the connection, over what every request says. */
export const requestHeaders = (
  given: Readonly<Record<string, string>> | undefined
): Readonly<Record<string, string>> => {
  if (given === undefined) return standardHeaders
  const headers = { ...standardHeaders }
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    if (!framing.has(lower)) headers[lower] = value
  }
  return headers
}
