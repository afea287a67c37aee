/** Everything that one text says about secrets by itself: its finders, each behind a cheap question whether to ask it. */
import * as Either from "effect/Either"
import { findAssigned } from "./Assignments.ts"
import { findInCommands } from "./Commands.ts"
import type { Finding, Report } from "./Finding.ts"
import { findHeaders } from "./Headers.ts"
import { makeNames, type Names } from "./Names.ts"
import { ownPattern } from "./OwnPatterns.ts"
import { findPemBlocks } from "./PemBlocks.ts"
import { findInTables } from "./Tables.ts"
import { findTokens } from "./Tokens.ts"
import { triggersFor } from "./Triggers.ts"
import { findInUrls } from "./Urls.ts"

/** Names and patterns of a team's own; they only add to what is masked. */
export interface RedactionAdditions {
  /** Names of fields whose values are secrets, as words: `internal_code` also means `internalCode`. */
  readonly fieldNames: ReadonlyArray<string>
  /** Regular expressions whose matches are secrets; checked by `ownPattern` where they are read. */
  readonly patterns: ReadonlyArray<string>
}

export interface SecretText {
  readonly names: Names
  /** Secrets in `text`, in no particular order; stretches may overlap. */
  readonly find: (text: string) => ReadonlyArray<Finding>
  /** Whether the JSON in `bytes` may hold a finding or a telling name: false is certain. */
  readonly mayHoldSecret: (bytes: Uint8Array) => boolean
}

const headers = /authorization|cookie|bearer|basic/i
const parameters = /[?&;#][\w.%[\]~-]{1,80}=/
const commands =
  /\b(?:curl|wget|mysql|mariadb|sshpass|(?:redis|valkey)-|openssl|login|mongo|ldap|smb|rpcclient|unzip|sqlcmd|lftp|snmp|vncviewer|xfreerdp|rdesktop|cqlsh|clickhouse|ansible|influx|machine|sudo|chpasswd|passwd|stdin|with-token|set|setx|put|add|ConvertTo|identified|password)/i

/** Shortest text that can hold a finding. */
const shortestText = 4

export const makeSecretText = (additions: RedactionAdditions): SecretText => {
  const names = makeNames(additions.fieldNames)
  const own = additions.patterns.map((pattern) =>
    Either.getOrThrowWith(ownPattern(pattern), (reason) => new Error(`a pattern of redaction.patterns ${reason}`))
  )
  const find = (text: string): ReadonlyArray<Finding> => {
    if (text.length < shortestText) return []
    const findings: Array<Finding> = []
    const report: Report = (finding) => {
      if (finding.end > finding.start) findings.push(finding)
    }
    names.find(text, (name) => findAssigned(text, name, report))
    if (headers.test(text)) findHeaders(text, report)
    if (text.includes("://") || parameters.test(text)) findInUrls(text, names, report)
    if (text.includes("PRIVATE KEY") || text.includes("Private-Lines")) findPemBlocks(text, report)
    if (commands.test(text)) findInCommands(text, report)
    if (text.includes("\n")) findInTables(text, names, report)
    findTokens(text, report)
    for (const pattern of own) findOwn(text, pattern, report)
    return findings
  }
  const mayHoldSecret = (bytes: Uint8Array): boolean =>
    own.length > 0 || triggersFor(additions.fieldNames).occurs(bytes) || holdsUserinfo(bytes) || holdsOddLetters(bytes)
  return { names, find, mayHoldSecret }
}

const at = 0x40
const slash = 0x2f

/** Whether an `@` may belong to a URL: no blank or quote between it and a `//`. */
const holdsUserinfo = (bytes: Uint8Array): boolean => {
  for (let place = bytes.indexOf(at); place >= 0; place = bytes.indexOf(at, place + 1)) {
    for (let back = place - 1; back > 0 && place - back < longestUserinfo; back--) {
      const byte = bytes[back]
      if (byte === 0x20 || byte === 0x22) break
      if (byte === slash && bytes[back - 1] === slash) return true
    }
  }
  return false
}

const longestUserinfo = 1_100

/** Full-width letters (U+FF21 to U+FF5A), which a name may be written in, and what stands in it unseen. */
const holdsOddLetters = (bytes: Uint8Array): boolean => {
  for (let place = bytes.indexOf(0xe2); place >= 0; place = bytes.indexOf(0xe2, place + 1)) {
    const second = bytes[place + 1]
    const third = bytes[place + 2] ?? 0
    // U+200B to U+200F, and U+2060.
    if ((second === 0x80 && third >= 0x8b && third <= 0x8f) || (second === 0x81 && third === 0xa0)) return true
  }
  // U+00AD.
  for (let place = bytes.indexOf(0xc2); place >= 0; place = bytes.indexOf(0xc2, place + 1)) {
    if (bytes[place + 1] === 0xad) return true
  }
  for (let place = bytes.indexOf(0xef); place >= 0; place = bytes.indexOf(0xef, place + 1)) {
    const second = bytes[place + 1]
    const third = bytes[place + 2] ?? 0
    // U+FEFF is unseen as well.
    if (second === 0xbb && third === 0xbf) return true
    if ((second === 0xbc && third >= 0xa1) || (second === 0xbd && third <= 0x9a)) return true
  }
  return false
}

const findOwn = (text: string, pattern: RegExp, report: Report): void => {
  for (const match of text.matchAll(pattern)) {
    report({ start: match.index, end: match.index + match[0].length, spreads: true })
  }
}
