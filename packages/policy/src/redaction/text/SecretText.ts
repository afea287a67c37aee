/** Everything that one text says about secrets by itself: its finders, each behind a cheap question whether to ask it. */
import { findAssigned } from "./Assignments.ts"
import { findInCommands } from "./Commands.ts"
import type { Finding, Report } from "./Finding.ts"
import { findHeaders } from "./Headers.ts"
import { makeNames, type Names } from "./Names.ts"
import { findPemBlocks } from "./PemBlocks.ts"
import { findTokens } from "./Tokens.ts"
import { findInUrls } from "./Urls.ts"

/** Names and patterns of a team's own; they only add to what is masked. */
export interface RedactionAdditions {
  /** Names of fields whose values are secrets, as words: `internal_code` also means `internalCode`. */
  readonly fieldNames: ReadonlyArray<string>
  /** Regular expressions whose matches are secrets. */
  readonly patterns: ReadonlyArray<string>
}

export interface SecretText {
  readonly names: Names
  /** Secrets in `text`, in no particular order; stretches may overlap. */
  readonly find: (text: string) => ReadonlyArray<Finding>
  /** Whether a text has to be looked at whatever it holds. */
  readonly always: boolean
}

const headers = /authorization|cookie|bearer|basic/i
const parameters = /[?&;#][\w.%[\]~-]{1,80}=/
const commands =
  /\b(?:curl|https?\s|xhs?\s|wget|mysql|mariadb|sshpass|(?:redis|valkey)-|openssl|login|mongo|ldap|smb|rpcclient|zip|unzip|sqlcmd|bcp|7z|rar|unrar|lftp|snmp|vncviewer|xfreerdp|rdesktop|cqlsh|clickhouse|ansible|influx|machine|sudo|chpasswd|passwd|stdin|with-token|set|setx|put|add|ConvertTo|identified|password)/i

/** Shortest text that can hold a finding. */
const shortestText = 4

export const makeSecretText = (additions: RedactionAdditions): SecretText => {
  const names = makeNames(additions.fieldNames)
  const own = additions.patterns.map((pattern) => new RegExp(pattern, "gu"))
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
    findTokens(text, report)
    for (const pattern of own) findOwn(text, pattern, report)
    return findings
  }
  return { names, find, always: own.length > 0 }
}

const findOwn = (text: string, pattern: RegExp, report: Report): void => {
  for (const match of text.matchAll(pattern)) {
    report({ start: match.index, end: match.index + match[0].length, spreads: true })
  }
}
