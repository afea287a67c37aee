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
  forEachHeader(text, authorizationName, (region) => findCredentials(text, region, report))
  forEachHeader(text, cookieName, (region, nameStart) => {
    const set = /set-$/i.test(text.slice(Math.max(0, nameStart - 4), nameStart))
    findCookies(text, region, set, report)
    return region.end
  })
  for (const match of text.matchAll(alone)) {
    const credentials = match[2] ?? ""
    const start = match.index + match[0].length - credentials.length
    const basic = match[1]?.toLowerCase() === "basic"
    if (basic ? basicPassword(credentials) !== undefined : /\d/.test(credentials) || credentials.length >= 24) {
      report(credentialFinding(start, credentials, basic))
    }
  }
}

/** Looks at each header of a name; `look` answers with the place from which to go on. */
const forEachHeader = (text: string, name: RegExp, look: (region: Region, nameStart: number) => number): void => {
  name.lastIndex = 0
  const lineEnd = lineEnds(text)
  for (let match = name.exec(text); match !== null; match = name.exec(text)) {
    const region = regionAfter(text, match.index, name.lastIndex, lineEnd)
    name.lastIndex = Math.max(name.lastIndex, look(region, match.index))
  }
}

interface Region {
  readonly start: number
  readonly end: number
}

const longestHeader = 16_384

/** The value of a header: inside its quotes, up to the quote that opened before its name, or to the line's end. */
const regionAfter = (text: string, nameStart: number, at: number, lineEnd: (from: number) => number): Region => {
  const open = /^\\*["'`]/.exec(text.slice(at, at + 12))?.[0]
  const start = at + (open?.length ?? 0)
  const limit = Math.min(text.length, start + longestHeader)
  const before = /(\\*["'`])[\w-]*$/.exec(text.slice(Math.max(0, nameStart - 40), nameStart))?.[1]
  const quote = open ?? (closesBeforeValue(text, nameStart, at) ? undefined : before)
  const close = quote === undefined ? -1 : text.slice(start, limit).indexOf(quote)
  return { start, end: Math.min(limit, lineEnd(start), close < 0 ? limit : start + close) }
}

/** Ends of lines, escaped ones too; asked from left to right, each is looked for once. */
const lineEnds = (text: string): ((from: number) => number) => {
  const end = /[\r\n]|\\[rn]/g
  let from = 0
  let found = -1
  return (at) => {
    if (at < from || at > found) {
      end.lastIndex = at
      found = end.exec(text)?.index ?? text.length
      from = at
    }
    return found
  }
}

/** `"Authorization": x`: the quote before the name was closed before the value began. */
const closesBeforeValue = (text: string, nameStart: number, at: number): boolean =>
  /["'`]/.test(text.slice(nameStart, at))

/** Reports the credentials in a header's value; answers with the place behind them. */
const findCredentials = (text: string, region: Region, report: Report): number => {
  const value = text.slice(region.start, region.end)
  const match = /^([^\s,;]+)([ \t]+)([^\s]+)/.exec(value)
  if (match === null) {
    const word = span(region.start, /^[^\s,;]+/.exec(value)?.[0] ?? "")
    const credentials = text.slice(word.start, word.end)
    if (credentials !== "" && !isPlaceholder(credentials) && !isPlainWord(credentials))
      report({ ...word, spreads: true })
    return word.end
  }
  const [, first = "", blanks = "", second = ""] = match
  const start = region.start + first.length + blanks.length
  const scheme = first.toLowerCase()
  if (listSchemes.test(scheme)) {
    report({ start, end: region.end, spreads: false })
    return region.end
  }
  const credentials = second.replace(/[,;]$/, "")
  if (isPlaceholder(credentials)) return start
  if (wordSchemes.has(scheme)) report(credentialFinding(start, credentials, scheme === "basic"))
  else if (!isScheme(first)) report({ ...span(region.start, first), spreads: true })
  else if (!isLetters(credentials)) report({ ...span(start, credentials), spreads: looksRandom(credentials) })
  return start
}

/** A scheme that no list knows: words of letters (`Zoho-oauthtoken`). */
const isScheme = (word: string): boolean => isLetters(word) || /^[A-Za-z]{1,24}(?:-[A-Za-z]{1,24}){1,3}$/.test(word)

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
