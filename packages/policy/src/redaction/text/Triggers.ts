/**
 * A quick look at JSON as bytes: whether anything in it is worth a walk. Every finder of `SecretText.ts` and every
 * name of `FieldNames.ts` needs one of these pieces; a text without any of them holds nothing to be found (a test
 * holds the two together).
 */
import { secretPairs } from "../FieldNames.ts"
import { holdsLongRunToken } from "./LongRuns.ts"
import { prefixedShapes } from "./TokenShapes.ts"
import { literal, makeTriggerScan, type Piece, type TriggerScan } from "./TriggerScan.ts"

const alphanumerics = "abcdefghijklmnopqrstuvwxyz0123456789"

/** Pieces of names, headers and commands. */
const pieces: ReadonlyArray<Piece> = (
  "password|passwd|passphrase|passcode|passkey|passwort|kennwort|secret|token|credential|creds|authorization|cookie|" +
  "bearer|basic |mnemonic|jsessionid|phpsessid|private-lines|private key|mimetype|mime_type|media_type|mediatype|" +
  "curl -|wget -|mysql|mariadb|sshpass|redis-|valkey-|openssl| login |mongo|smbclient|smbget|rpcclient|unzip -|" +
  "sqlcmd -|lftp -|snmpget|snmpwalk|snmpset|vncviewer|xfreerdp|rdesktop|cqlsh -|clickhouse-client|ansible-playbook|" +
  "influx -|ldapsearch|ldapadd|ldapmodify|ldapdelete|ldappasswd|ldapwhoami|sudo -|sudo  |chpasswd|with-token|storepass|keypass|" +
  "securestring|identified by|identified with|.atlasv1.|t3blbkfj"
)
  .split("|")
  // A list of words in JSON has quotes where a command line has blanks.
  .flatMap((piece) => (/ -?$/.test(piece) ? [piece, piece.trimStart().replace(/ -?$/, '","')] : [piece]))
  .map(literal)

const digits = "0123456789"
const valueBeginnings = '"0123456789[{-tfn \\'

/** Names too short to stand alone: with what stands around a name that has a value. (`=` is looked for by itself.) */
const shortNames = ["pwd", "jwt", "otp", "auth", "pass", "senha"].flatMap(
  (name): ReadonlyArray<Piece> => [
    [...literal(`${name}":`), valueBeginnings],
    [...literal(name), digits, ...literal('":')],
    [...literal(name), digits, ...literal('\\"')],
    literal(`${name}\\":`),
    literal(`${name}':`),
    literal(`${name}:`),
    literal(`-${name} `),
    ["<:", ...literal(`${name}>`)]
  ]
)

const pairs: ReadonlyArray<Piece> = [...secretPairs].flatMap((pair) => {
  const [first = "", second = ""] = pair.split(" ")
  const [head, tail] = [literal(first.slice(-4)), literal(second.slice(0, 4))]
  return [
    [...head, "_-. ", ...tail],
    [...head, ...tail]
  ]
})

/** Last bytes of characters outside ASCII. */
const continuations = Array.from({ length: 64 }, (_, index) => String.fromCharCode(0x80 + index)).join("")

/** What stands before a token: no letter or digit, unless it ends an escape (`\n`, `ESC[0m`; for `%3D` see below). */
const beforeToken = continuations + " \t!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~nrtm"

const prefixes: ReadonlyArray<Piece> = prefixedShapes
  .flatMap((shape) => shape.prefixes)
  .filter((prefix) => prefix !== "eyJ")
  .map((prefix) => {
    const piece = literal(prefix.toLowerCase())
    if (prefix.length >= 7) return piece
    const more = prefix.length >= 4 ? [alphanumerics + "-_"] : [alphanumerics, alphanumerics]
    return [beforeToken, ...piece, ...more]
  })

/** Characters of tokens, and how many of them a token has at least. */
const isTokenByte = new Uint8Array(256)
for (const character of `${alphanumerics}${alphanumerics.toUpperCase()}+/=_-.:~%@`)
  isTokenByte[character.charCodeAt(0)] = 1
const shortestToken = 20

const tokenFollows = (bytes: Uint8Array, start: number): boolean => {
  for (let at = start; at < start + shortestToken; at++) if (isTokenByte[bytes[at] ?? 0] !== 1) return false
  return true
}

/** The scan for these rules and a team's own names; names below four letters let every text be looked at. */
export const triggersFor = (added: ReadonlyArray<string>): TriggerScan => {
  const key = added.join("\n")
  const scan = made.get(key) ?? makeTriggers(added)
  made.set(key, scan)
  return scan
}

/** Tables are large and depend on the names alone: a process makes each once. */
const made = new Map<string, TriggerScan>()

const makeTriggers = (added: ReadonlyArray<string>): TriggerScan => {
  const own = added.map((name) => longestWord(name.toLowerCase()))
  if (own.some((word) => word.length < 4)) return { occurs: () => true }
  const scan = makeTriggerScan([
    { pieces: [...pieces, ...shortNames, ...pairs, ...own.map(literal)] },
    { pieces: prefixes, confirm: (bytes, start) => tokenFollows(bytes, start + 1) }
  ])
  return {
    occurs: (bytes) =>
      scan.occurs(bytes) ||
      assigns(bytes) ||
      holdsJwt(bytes) ||
      holdsEntra(bytes) ||
      escapesToken(bytes) ||
      holdsLongRunToken(bytes)
  }
}

const longestWord = (name: string): string =>
  name.split(/[^a-z]+/).reduce((longest, word) => (word.length > longest.length ? word : longest), "")

const equals = 0x3d

/** Last three letters of short names that may stand before `=`, in URLs, shells and forms. */
const assigned = new Set(
  "pwd jwt otp uth ass nha key ode sig ure ion ket ess nse est ash mac pin sid"
    .split(" ")
    .map((letters) => letters.charCodeAt(0) | (letters.charCodeAt(1) << 8) | (letters.charCodeAt(2) << 16))
)

const assigns = (bytes: Uint8Array): boolean => {
  for (let place = bytes.indexOf(equals); place >= 0; place = bytes.indexOf(equals, place + 1)) {
    let end = place
    while (end > 0 && place - end < 8 && isBetween(bytes[end - 1] ?? 0)) end -= 1
    const word =
      (bytes[end - 3] ?? 0) | 0x20 | (((bytes[end - 2] ?? 0) | 0x20) << 8) | (((bytes[end - 1] ?? 0) | 0x20) << 16)
    if (assigned.has(word)) return true
  }
  return false
}

/** Quotes, blanks and brackets between a name and its `=`. */
const isBetween = (byte: number): boolean =>
  byte === 0x20 || byte === 0x22 || byte === 0x27 || byte === 0x5c || byte === 0x5d || byte === 0x60 || byte === 0x3a

const capitalJ = 0x4a

/** `eyJ`, by its rarest letter, with a token's length of characters behind it. */
const holdsJwt = (bytes: Uint8Array): boolean => {
  for (let place = bytes.indexOf(capitalJ); place >= 0; place = bytes.indexOf(capitalJ, place + 1)) {
    if (bytes[place - 1] === 0x79 && bytes[place - 2] === 0x65 && tokenFollows(bytes, place - 2)) return true
  }
  return false
}

const tilde = 0x7e

/** `7Q~` or `8Q~`, which every client secret of Entra ID holds. */
const holdsEntra = (bytes: Uint8Array): boolean => {
  for (let place = bytes.indexOf(tilde); place >= 0; place = bytes.indexOf(tilde, place + 1)) {
    const before = bytes[place - 2] ?? 0
    if (bytes[place - 1] === 0x51 && (before === 0x37 || before === 0x38)) return true
  }
  return false
}

const percent = 0x25
const backslash = 0x5c
const letterU = 0x75

/** `%3D`, `\u0000` or another escape with digits right before a token's length of characters. */
const escapesToken = (bytes: Uint8Array): boolean => {
  for (let place = bytes.indexOf(percent); place >= 0; place = bytes.indexOf(percent, place + 1)) {
    if (tokenFollows(bytes, place + 3)) return true
  }
  for (let place = bytes.indexOf(backslash); place >= 0; place = bytes.indexOf(backslash, place + 1)) {
    if (bytes[place + 1] === letterU && tokenFollows(bytes, place + 6)) return true
  }
  return false
}
