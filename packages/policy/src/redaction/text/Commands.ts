/**
 * Secrets in command lines whose option does not say so by name: `curl -u user:x`, `mysql -px`, `redis-cli -a x`.
 * Programs and their options are data; the source of each is the program's manual.
 */
import type { Report } from "./Finding.ts"
import { isPlaceholder, isPlainWord, looksRandom } from "./ValueLooks.ts"

/** What an option's value is: a secret, `user:secret` (or another divider), or a cookie string. */
type Form = "secret" | "user:secret" | "user%secret" | "user,secret" | "pass:secret" | "cookies"

interface ProgramRule {
  readonly programs: ReadonlyArray<string>
  /** Only where this word follows the program: `docker login`. */
  readonly verb?: string
  readonly options: Readonly<Record<string, Form>>
  /** Options whose value may stand in the same word: `-px`. */
  readonly attached?: ReadonlyArray<string>
  /** Options whose value stands in the same word only. */
  readonly attachedOnly?: boolean
}

const rules: ReadonlyArray<ProgramRule> = [
  {
    programs: ["curl"],
    options: {
      "-u": "user:secret",
      "--user": "user:secret",
      "-U": "user:secret",
      "--proxy-user": "user:secret",
      "-b": "cookies"
    },
    attached: ["-u", "-U"]
  },
  { programs: ["wget"], options: { "--user": "user:secret" } },
  {
    programs: ["mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlcheck", "mysqlsh", "mariadb", "mariadb-dump"],
    options: { "-p": "secret" },
    attached: ["-p"],
    attachedOnly: true
  },
  { programs: ["sshpass"], options: { "-p": "secret" }, attached: ["-p"] },
  { programs: ["redis-cli", "valkey-cli", "redis-benchmark"], options: { "-a": "secret" } },
  {
    programs: ["openssl"],
    options: { "-pass": "pass:secret", "-passin": "pass:secret", "-passout": "pass:secret", "-k": "secret" }
  },
  {
    programs: ["docker", "podman", "nerdctl", "helm", "az", "buildah", "skopeo", "oras", "crane", "oc"],
    verb: "login",
    options: { "-p": "secret" },
    attached: ["-p"]
  },
  {
    programs: ["mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport"],
    options: { "-p": "secret" }
  },
  {
    programs: ["ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldappasswd", "ldapwhoami"],
    options: { "-w": "secret" }
  },
  { programs: ["smbclient", "rpcclient", "smbget"], options: { "-U": "user%secret" } },
  { programs: ["unzip", "sqlcmd"], options: { "-P": "secret" }, attached: ["-P"] },
  { programs: ["lftp"], options: { "-u": "user,secret" } },
  { programs: ["snmpget", "snmpwalk", "snmpset"], options: { "-A": "secret", "-X": "secret" } },
  { programs: ["vncviewer", "xfreerdp", "rdesktop"], options: { "-p": "secret", "/p": "secret" }, attached: ["/p:"] },
  { programs: ["cqlsh", "clickhouse-client", "ansible-playbook", "influx"], options: { "-p": "secret" } }
]

const byProgram = new Map(
  rules.flatMap((rule) => rule.programs.map((program): [string, ProgramRule] => [program, rule]))
)
const program = new RegExp(`(?<![\\w.-])(?:${[...byProgram.keys()].join("|")})(?=\\s)`, "g")

/** Shapes that are no option of a program. */
const phrases: ReadonlyArray<RegExp> = [
  // netrc(5): machine HOST login NAME password SECRET
  /\b(?:machine\s{1,9}\S{1,255}|default)\s{1,9}(?:login\s{1,9}\S{1,255}\s{1,9})?(?:account\s{1,9}\S{1,255}\s{1,9})?password\s{1,9}(?<secret>\S{1,1024})/g,
  /\blogin\s{1,9}\S{1,255}\s{1,9}password\s{1,9}(?<secret>\S{1,1024})/g,
  // sudo -S, docker login --password-stdin and their like read a secret from standard input.
  /\b(?:echo|printf)\s{1,9}(?:-\w{1,9}\s{1,9}|(?:"%s(?:\\n)?"|'%s(?:\\n)?')\s{1,9})?(?<quote>["']?)(?<secret>[^\s"'|]{1,1024})\k<quote>\s{0,9}\|\s{0,9}[^|;\n]{0,120}?(?:\bsudo\s{1,9}(?:-\w{1,9}\s{1,9}){0,4}-\w{0,9}S|\bchpasswd|\bpasswd\b|--(?:password|token)-stdin|--with-token)/g,
  /(?:--(?:password|token)-stdin|--with-token|\bsudo\s{1,9}-S\b[^<\n]{0,100})\s{0,9}<<<\s{0,9}(?<quote>["']?)(?<secret>[^\s"']{1,1024})\k<quote>/g,
  // aws configure set aws_secret_access_key X; npm config set //host/:_authToken X; setx API_TOKEN X
  /\b(?:set|setx|put|add)\s{1,9}(?:--?[\w-]{1,40}\s{1,9}){0,4}["']?[\w./:-]{0,120}(?:secret|token|password|passwd|api_?key|credential)[\w-]{0,80}["']?\s{1,9}(?<quote>["']?)(?<secret>[^\s"'-][^\s"']{5,1024})\k<quote>/gi,
  // PowerShell: ConvertTo-SecureString "X" -AsPlainText
  /ConvertTo-SecureString\s{1,9}(?:-String\s{1,9})?(?<quote>["'])(?<secret>[^"']{1,1024})\k<quote>/gi,
  // SQL: IDENTIFIED BY 'X' (MySQL, Oracle), PASSWORD 'X' (PostgreSQL)
  /\b(?:identified\s{1,9}(?:with\s{1,9}\S{1,80}\s{1,9})?by|password)\s{1,9}(?<quote>["'])(?<secret>[^"'\n]{1,1024})\k<quote>/gi,
  /\bvault\s{1,9}login\s{1,9}(?:-\S{1,80}\s{1,9}){0,6}(?<secret>[^\s=-][^\s=]{7,1024})(?=\s|$)/g
]

export const findInCommands = (text: string, report: Report): void => {
  program.lastIndex = 0
  for (let match = program.exec(text); match !== null; match = program.exec(text)) {
    const rule = byProgram.get(match[0])
    if (rule !== undefined) program.lastIndex = findOptions(text, program.lastIndex, rule, report)
  }
  for (const phrase of phrases) {
    for (const match of text.matchAll(phrase)) {
      const secret = match.groups?.["secret"] ?? ""
      const start = match.index + match[0].lastIndexOf(secret)
      if (!isPlaceholder(secret) && !isPlainWord(secret))
        report({ start, end: start + secret.length, spreads: looksRandom(secret) })
    }
  }
}

interface Word {
  readonly start: number
  readonly text: string
}

const longestCommand = 4_096
const wordOrEnd = /[ \t]+|\\\r?\n|(?<end>[\r\n;|&]|\\[nr])|(?<word>(?:"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s"';|&])+)/y

/** Words of a command up to its end; a quoted word counts as one. */
const wordsFrom = (text: string, from: number): ReadonlyArray<Word> => {
  const found: Array<Word> = []
  const limit = Math.min(text.length, from + longestCommand)
  wordOrEnd.lastIndex = from
  while (wordOrEnd.lastIndex < limit) {
    const match = wordOrEnd.exec(text)
    if (match === null || match.groups?.["end"] !== undefined) break
    if (match.groups?.["word"] !== undefined) found.push({ start: match.index, text: match.groups["word"] })
  }
  return found
}

/** Reports the secrets among a program's options; answers with the end of its command. */
const findOptions = (text: string, from: number, rule: ProgramRule, report: Report): number => {
  const words = wordsFrom(text, from)
  const last = words[words.length - 1]
  const end = last === undefined ? from : last.start + last.text.length
  if (rule.verb !== undefined && !words.slice(0, 4).some((word) => word.text === rule.verb)) return from
  words.forEach((word, index) => {
    const form = rule.options[word.text] ?? rule.options[lastFlag(word.text)]
    const next = words[index + 1]
    if (form !== undefined && rule.attachedOnly !== true && next !== undefined && !next.text.startsWith("-")) {
      reportValue(next.start, next.text, form, report)
    }
    const option = rule.attached?.find((name) => word.text.startsWith(name) && word.text.length > name.length)
    if (option !== undefined)
      reportValue(word.start + option.length, word.text.slice(option.length), rule.options[option] ?? "secret", report)
    const equals = word.text.indexOf("=")
    const named = equals < 0 ? undefined : rule.options[word.text.slice(0, equals)]
    if (named !== undefined) reportValue(word.start + equals + 1, word.text.slice(equals + 1), named, report)
  })
  return end
}

/** `-sSu` is `-s -S -u`: the last one takes the value. */
const lastFlag = (word: string): string => (/^-[A-Za-z]{2,8}$/.test(word) ? `-${word.charAt(word.length - 1)}` : "")

const dividers: Readonly<Partial<Record<Form, string>>> = {
  "user:secret": ":",
  "user%secret": "%",
  "user,secret": ",",
  "pass:secret": ":"
}

const reportValue = (start: number, quoted: string, form: Form, report: Report): void => {
  const opening = /^["']/.test(quoted) ? 1 : 0
  const value = quoted.slice(opening).replace(opening === 1 ? /["']$/ : /$^/, "")
  const at = start + opening
  if (form === "cookies") {
    for (const match of value.matchAll(/[^\s=;]+=([^;\s]+)/g)) {
      const end = at + match.index + match[0].length
      report({ start: end - (match[1] ?? "").length, end, spreads: looksRandom(match[1] ?? "") })
    }
    return
  }
  const divider = dividers[form]
  const skip = divider === undefined ? 0 : value.indexOf(divider) + 1
  if (divider !== undefined && skip === 0) return
  if (form === "pass:secret" && !value.startsWith("pass:")) return
  const secret = value.slice(skip)
  if (secret === "" || isPlaceholder(secret) || /^\d+:\d+$/.test(value)) return
  report({ start: at + skip, end: at + skip + secret.length, spreads: true })
}
