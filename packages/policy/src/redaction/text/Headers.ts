/**
 * Credentials in header texts: `Authorization: Bearer x`, `-H 'Cookie: sid=x'`, `"authorization": "Basic x"`,
 * and a `Bearer x` that stands alone. Schemes: the IANA registry of HTTP authentication schemes, and those in use.
 */
import type { Report } from "./Finding.ts"
import { isLetters, isPlaceholder, isPlainWord, looksRandom } from "./ValueLooks.ts"

const authorizationName = /authorization(?:\\*["'`])?[ \t]*(?:=>|[:=,])[ \t]*/gi
const cookieName = /cookie2?(?:(?:\\*["'`])?[ \t]*(?:=>|[:=])|(?<=--cookie)(?=[ \t]))[ \t]*/gi
const alone = /(?<![\w-])(bearer|basic)[ \t]+([\w.~+/=-]{8,4096})/gi

/** Schemes with one word of credentials. */
const wordSchemes = new Set(
  "bearer basic token apikey api-key key jwt ssws geniekey oauth2 pat dpop splunk vapid".split(" ")
)
/** Schemes with a list of parameters: all of it is masked. */
const listSchemes =
  /^(?:digest|oauth|hawk|signature|mac|ntlm|negotiate|hoba|mutual|gnap|privatetoken|scram-[\w-]+|aws\d?[\w-]*|[\w-]+-hmac-[\w-]+|ed25519|sharedkey(?:lite)?|concealed)$/i

export const findHeaders = (text: string, report: Report): void => {
  for (const match of text.matchAll(authorizationName)) {
    const region = regionAfter(text, match.index, match.index + match[0].length)
    findCredentials(text, region, report)
  }
  for (const match of text.matchAll(cookieName)) {
    const region = regionAfter(text, match.index, match.index + match[0].length)
    findCookies(text, region, /set-$/i.test(text.slice(Math.max(0, match.index - 4), match.index)), report)
  }
  for (const match of text.matchAll(alone)) {
    const credentials = match[2] ?? ""
    const start = match.index + match[0].length - credentials.length
    const basic = match[1]?.toLowerCase() === "basic"
    if (basic ? basicPassword(credentials) !== undefined : /\d/.test(credentials) || credentials.length >= 24) {
      report(credentialFinding(start, credentials, basic))
    }
  }
}

interface Region {
  readonly start: number
  readonly end: number
}

const longestHeader = 16_384

/** The value of a header: inside its quotes, up to the quote that opened before its name, or to the line's end. */
const regionAfter = (text: string, nameStart: number, at: number): Region => {
  const open = /^\\*["'`]/.exec(text.slice(at, at + 12))?.[0]
  const start = at + (open?.length ?? 0)
  const limit = Math.min(text.length, start + longestHeader)
  const value = text.slice(start, limit)
  const before = /(\\*["'`])[\w-]*$/.exec(text.slice(Math.max(0, nameStart - 40), nameStart))?.[1]
  const quote = open ?? (closesBeforeValue(text, nameStart, at) ? undefined : before)
  const close = quote === undefined ? -1 : value.indexOf(quote)
  const line = value.search(/[\r\n]|\\[rn]/)
  const ends = [close, line].filter((end) => end >= 0)
  return { start, end: ends.length === 0 ? limit : start + Math.min(...ends) }
}

/** `"Authorization": x`: the quote before the name was closed before the value began. */
const closesBeforeValue = (text: string, nameStart: number, at: number): boolean =>
  /["'`]/.test(text.slice(nameStart, at))

const findCredentials = (text: string, region: Region, report: Report): void => {
  const value = text.slice(region.start, region.end)
  const match = /^([^\s,;]+)([ \t]+)([^\s]+)/.exec(value)
  if (match === null) {
    const word = /^[^\s,;]+/.exec(value)?.[0] ?? ""
    if (word !== "" && !isPlaceholder(word) && !isPlainWord(word))
      report({ ...span(region.start, word), spreads: true })
    return
  }
  const scheme = (match[1] ?? "").toLowerCase()
  const start = region.start + (match[1] ?? "").length + (match[2] ?? "").length
  if (listSchemes.test(scheme)) return report({ start, end: region.end, spreads: false })
  const credentials = (match[3] ?? "").replace(/[,;]$/, "")
  if (isPlaceholder(credentials)) return
  if (wordSchemes.has(scheme)) return report(credentialFinding(start, credentials, scheme === "basic"))
  if (!isLetters(match[1] ?? "")) return report({ ...span(region.start, match[1] ?? ""), spreads: true })
  if (!isLetters(credentials)) report({ ...span(start, credentials), spreads: looksRandom(credentials) })
}

const span = (start: number, text: string): Region => ({ start, end: start + text.length })

const credentialFinding = (start: number, credentials: string, basic: boolean) => {
  const password = basic ? basicPassword(credentials) : undefined
  return {
    ...span(start, credentials),
    spreads: true,
    ...(password === undefined ? {} : { within: [password] })
  }
}

/** The password inside Basic credentials (RFC 7617); undefined where they are none. */
const basicPassword = (credentials: string): string | undefined => {
  const decoded = Buffer.from(credentials, "base64").toString("utf8")
  const colon = decoded.indexOf(":")
  return colon < 0 || /[\u0000-\u001f\ufffd]/.test(decoded) ? undefined : decoded.slice(colon + 1)
}

const cookiePair = /([^\s=;,"'&]+)=([^;\s"'\\,]+)/g

/** All pairs of `Cookie`; of `Set-Cookie` the first only, the others are attributes. */
const findCookies = (text: string, region: Region, set: boolean, report: Report): void => {
  const value = text.slice(region.start, region.end)
  for (const match of value.matchAll(cookiePair)) {
    const content = match[2] ?? ""
    const end = region.start + match.index + match[0].length
    if (!isPlaceholder(content)) report({ start: end - content.length, end, spreads: looksRandom(content) })
    if (set) return
  }
  const word = /^[^\s;,=]+/.exec(value)?.[0] ?? ""
  if (!value.includes("=") && looksRandom(word)) report({ ...span(region.start, word), spreads: true })
}
