/**
 * Which hosts the owner of a machine, or a core, wants spoken to. Several sets may hold at once (the host's settings,
 * the core's `agent.yaml`); each of them can only take away, so a core never opens what its host closed.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { parseAddress } from "./Address.ts"
import { isBelow } from "./HostName.ts"

/**
 * `example.com` is that host, `*.example.com` every host below it and not itself; an address is itself, IPv6 in
 * brackets. A port (`example.com:8443`, `[2001:db8::1]:443`) narrows the pattern to it. No scheme, no path.
 */
export const HostPattern = Schema.String.pipe(
  Schema.filter((text) => parsePattern(text) !== null, {
    message: () => "a host pattern is a host name, *.name or an address, with an optional :port, and nothing else"
  })
)

/** One set of rules with the place that it comes from. `allow: null` allows everything that `deny` does not name. */
export const EgressRules = Schema.Struct({
  /** Shown in verdicts: `host settings`, `agent.yaml:14 network`. */
  origin: Schema.String,
  allow: Schema.NullOr(Schema.Array(HostPattern)),
  deny: Schema.Array(HostPattern)
})
export type EgressRules = typeof EgressRules.Type

export interface EgressVerdict {
  readonly allowed: boolean
  readonly rule: string
}

/** What the sets say about `host` (ASCII name without final dot, or canonical address without brackets) at `port`. */
export const judgeEgress = (host: string, port: number, sets: ReadonlyArray<EgressRules>): EgressVerdict => {
  let allowedBy = "no egress rule"
  for (const rules of sets) {
    const { allow, deny } = compiled(rules)
    const denied = deny.find((pattern) => matches(pattern, host, port))
    if (denied !== undefined) return { allowed: false, rule: `${rules.origin}: deny ${denied.text}` }
    if (allow === null) continue
    const allowed = allow.find((pattern) => matches(pattern, host, port))
    if (allowed === undefined) return { allowed: false, rule: `${rules.origin}: not in its allow list` }
    allowedBy = `${rules.origin}: allow ${allowed.text}`
  }
  return { allowed: true, rule: allowedBy }
}

interface Pattern {
  readonly text: string
  readonly host: string
  readonly below: boolean
  readonly port: number | null
}

interface Compiled {
  readonly allow: ReadonlyArray<Pattern> | null
  readonly deny: ReadonlyArray<Pattern>
}

/** A pattern of a set that no schema has read and that does not parse: its set allows nothing. */
const unreadable = (rules: EgressRules): Compiled => ({
  allow: [],
  deny: rules.deny.flatMap((text) => parsePattern(text) ?? [])
})

const compiledRules = new WeakMap<EgressRules, Compiled>()

const compiled = (rules: EgressRules): Compiled => {
  const known = compiledRules.get(rules)
  if (known !== undefined) return known
  const patterns = (texts: ReadonlyArray<string>): ReadonlyArray<Pattern> | null => {
    const parsed = texts.flatMap((text) => parsePattern(text) ?? [])
    return parsed.length === texts.length ? parsed : null
  }
  const deny = patterns(rules.deny)
  const allow = rules.allow === null ? null : patterns(rules.allow)
  const fresh = deny === null || (rules.allow !== null && allow === null) ? unreadable(rules) : { allow, deny }
  compiledRules.set(rules, fresh)
  return fresh
}

const matches = (pattern: Pattern, host: string, port: number): boolean => {
  if (pattern.port !== null && pattern.port !== port) return false
  return pattern.below ? host !== pattern.host && isBelow(host, pattern.host) : host === pattern.host
}

/** Reads names with the URL parser, so that a pattern and a URL agree about them (IDNA, letter case). */
const parsePattern = (text: string): Pattern | null => {
  const [, star, name = "", portText] = /^(\*\.)?(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (name === "" || /[/?#@\\*\s]/.test(name)) return null
  const below = star !== undefined
  const port = portText === undefined ? null : Number(portText)
  if (port !== null && (port < 1 || port > 65_535)) return null
  const hostname = Either.getOrNull(Either.try(() => new URL(`http://${name}/`).hostname))
  if (hostname === null) return null
  const bare = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "")
  const address = parseAddress(bare)
  if (bare === "" || (below && address !== null)) return null
  return { text, host: address?.text ?? bare, below, port }
}
