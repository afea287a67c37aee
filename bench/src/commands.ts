/** The command review: of an everyday line and of a long script, against parsing alone; its first answer; hostile texts. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { noLookups } from "@gatehouse/policy/commands/CommandLookups"
import { programKnowledge } from "@gatehouse/policy/commands/ProgramKnowledge"
import { programs } from "@gatehouse/policy/commands/programs/Programs"
import { reviewCommand, textQuestion } from "@gatehouse/policy/commands/ReviewCommand"
import { parse } from "unbash"
import type { BenchRow } from "../lib/BenchRow.ts"

const knowledge = programKnowledge(programs)
const review = (command: string): string => reviewCommand(textQuestion(command), knowledge, noLookups).decision

/** 100 characters of what agents run all day. */
const everyday =
  "git log --oneline -20 -- packages/policy/src | head -5 && rg -n 'needle' packages/core/src | wc -l".padEnd(100)

const script = (length: number): string => {
  const lines = Array.from(
    { length: 600 },
    (_, index) => `sed -n '${index},${index + 9}p' src/part${index}/a.ts | sort -u | head -5`
  )
  return lines.join("\n").slice(0, length)
}

/** Units that nest, quote or multiply; each is repeated to fill a text. */
const hostile = [
  "(",
  "$(",
  "`",
  '"$(',
  "${x:-",
  "<(",
  "f() ",
  ' "`',
  "a|",
  "{a,b}",
  "$(')' ",
  "f(){ f|f& };",
  "cd a;",
  "x=$x$x;",
  "\u200b",
  "\u001b[0m"
]

export const measure = (): ReadonlyArray<BenchRow> => {
  const long = script(20_000)
  const ofLine = { review: best(400, () => review(everyday)), parsing: best(400, () => parse(everyday)) }
  const ofScript = { review: best(2, () => review(long)), parsing: best(2, () => parse(long)) }
  const worst = Math.max(...hostile.map((unit) => best(1, () => review(unit.repeat(1_000_000 / unit.length)), 2)))
  const worstParsed = Math.max(...hostile.map((unit) => best(1, () => review(unit.repeat(31_000 / unit.length)), 2)))
  return [
    { name: "review of 100 characters", value: ofLine.review, limit: 100, unit: "µs" },
    {
      name: "review of 100 characters to parsing alone",
      value: ofLine.review / ofLine.parsing,
      limit: 40,
      unit: "times"
    },
    { name: "review of a script of 20 kB", value: ofScript.review / 1000, limit: 25, unit: "ms" },
    {
      name: "review of a script of 20 kB to parsing alone",
      value: ofScript.review / ofScript.parsing,
      limit: 40,
      unit: "times"
    },
    { name: "worst of the hostile texts of 1 MB", value: worst / 1e6, limit: 1, unit: "s" },
    { name: "worst of the hostile texts of 31 kB", value: worstParsed / 1e6, limit: 1, unit: "s" },
    { name: "first review, its modules loaded", value: firstReview(), limit: 30, unit: "ms" },
    { name: "memory for hostile texts of 1 MB", value: memory(), limit: 64, unit: "MiB" }
  ]
}

/** Microseconds of one `work` in the best round. */
const best = (count: number, work: () => unknown, rounds = 30): number => {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    for (let index = 0; index < count; index++) work()
    least = Math.min(least, ((performance.now() - begun) * 1000) / count)
  }
  return least
}

/** Where the packages are found by their names. */
const bench = fileURLToPath(new URL("..", import.meta.url))

const modules = `
const [{ reviewCommand, textQuestion }, { programKnowledge }, { programs }, { noLookups }] = await Promise.all([
  import("@gatehouse/policy/commands/ReviewCommand"),
  import("@gatehouse/policy/commands/ProgramKnowledge"),
  import("@gatehouse/policy/commands/programs/Programs"),
  import("@gatehouse/policy/commands/CommandLookups")
])
`

/** What a fresh process prints; it runs the built packages, as a host does. */
const fresh = (program: string): number => {
  const { status, stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", modules + program], {
    cwd: bench,
    encoding: "utf8"
  })
  if (status !== 0) throw new Error(`the fresh process ended with ${status}: ${stderr}`)
  return Number(stdout)
}

const firstReview = (): number =>
  Math.min(
    ...Array.from({ length: 5 }, () =>
      fresh(`
const begun = performance.now()
reviewCommand(textQuestion(${JSON.stringify(everyday)}), programKnowledge(programs), noLookups)
console.log(performance.now() - begun)`)
    )
  )

/** Growth of the most memory that the process ever held, the texts themselves not counted. */
const memory = (): number =>
  fresh(`
const knowledge = programKnowledge(programs)
const texts = ${JSON.stringify(hostile)}.map((unit) => Buffer.from(unit.repeat(1_000_000 / unit.length)).toString())
reviewCommand(textQuestion("ls | head"), knowledge, noLookups)
const before = process.resourceUsage().maxRSS
for (const text of texts) reviewCommand(textQuestion(text), knowledge, noLookups)
console.log((process.resourceUsage().maxRSS - before) / 1024)`)
