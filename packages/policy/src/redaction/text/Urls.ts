/** Secrets in URLs: userinfo (RFC 3986, 3.2.1), query and fragment parameters, form bodies. */
import { percentDecoded } from "../exact/SecretForms.ts"
import type { Report } from "./Finding.ts"
import type { Names } from "./Names.ts"
import { isPlaceholder, looksRandom } from "./ValueLooks.ts"

const longestUserinfo = 1_024

/** Parameters that are secrets in a URL and ordinary words elsewhere. */
const urlNames =
  /^(?:code|sig|signature|key|auth|assertion|ticket|access|samlresponse|samlrequest|hash|hmac|otp|pin|session|sid|sess)$/i

export const findInUrls = (text: string, names: Names, report: Report): void => {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) findUserinfo(text, at, report)
  findParameters(text, names, report)
}

const authorityEnd = /[\s/?#"'`<>\\^{}|]/g
const tokenEnd = /[\s"'`<>]/g

const findUserinfo = (text: string, colon: number, report: Report): void => {
  const start = colon + 3
  const end = search(text, authorityEnd, start)
  let at = text.slice(start, end).lastIndexOf("@")
  if (at < 0) {
    // A password with a slash or a question mark in it: what looks like a port is none, and an @ follows.
    const port = /^[^:\s@[]*:([^\s@]*)/.exec(text.slice(start, end))?.[1]
    if (port === undefined || /^\d*$/.test(port)) return
    at = text.slice(start, search(text, tokenEnd, start)).lastIndexOf("@")
    if (at < 0) return
  }
  const userinfo = text.slice(start, start + at)
  const divider = userinfo.indexOf(":")
  if (divider < 0) {
    if (isTokenUser(userinfo)) report(secretSpan(start, userinfo))
    return
  }
  const password = userinfo.slice(divider + 1)
  if (password === "" || password === "x-oauth-basic" || password === "x") {
    if (isTokenUser(userinfo.slice(0, divider))) report(secretSpan(start, userinfo.slice(0, divider)))
  } else if (!isPlaceholder(password)) report(secretSpan(start + divider + 1, password))
}

/** A name is written in letters; a token as the only userinfo is longer or mixed. */
const isTokenUser = (user: string): boolean => !isPlaceholder(user) && (looksRandom(user, 8) || user.length >= 20)

const secretSpan = (start: number, value: string) => ({
  start,
  end: start + value.length,
  spreads: true,
  within: [percentDecoded(value)]
})

const search = (text: string, pattern: RegExp, from: number): number => {
  pattern.lastIndex = from
  const match = pattern.exec(text.length > from + longestUserinfo ? text.slice(0, from + longestUserinfo) : text)
  return match?.index ?? Math.min(text.length, from + longestUserinfo)
}

const parameter = /[?&;#]([\w.%[\]~-]{1,80})=([^&#\s"'<>`\\;)\]}|]{1,8192})/g

const findParameters = (text: string, names: Names, report: Report): void => {
  for (const match of text.matchAll(parameter)) {
    const name = percentDecoded(match[1] ?? "")
    const value = match[2] ?? ""
    if (isPlaceholder(value) || isPlaceholder(percentDecoded(value))) continue
    const sensitivity = names.sensitivity(name)
    const secret = sensitivity === "secret" || (sensitivity === "counted" && !/^\d+$/.test(value))
    const likely = (sensitivity === "likely" || urlNames.test(name)) && looksRandom(value) && !/[/.]/.test(value)
    if (secret || likely) report(secretSpan(match.index + match[0].length - value.length, value))
  }
}
