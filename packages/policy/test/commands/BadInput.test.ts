import { assert, describe, it } from "@effect/vitest"
import { review } from "./Reviews.ts"

/** Of processor time: a shared machine may be busy with something else. */
const second = 1_000_000

const timed = (command: string): { readonly decision: string; readonly micros: number } => {
  const before = process.cpuUsage()
  const { decision } = review(command)
  return { decision, micros: process.cpuUsage(before).user }
}

describe("hostile texts are answered in time, and never run unasked", () => {
  const units = [
    "(",
    "$(",
    "`",
    '"$(',
    "{ ",
    "if ",
    "while ",
    "! ",
    "${x:-",
    "$((",
    "<(",
    "[[ ( ",
    "f() ",
    "case x in ",
    "'",
    '"',
    "\\",
    "coproc ",
    "@(",
    "cat <<A\n",
    "x=(",
    "\\`",
    "$[",
    "if a;then ",
    ' "`',
    "<<<",
    "&",
    "$'",
    "*[",
    "$(case x in x) ",
    "${x/${x/",
    "$(')' ",
    "env ",
    "eval ",
    "xargs ",
    "nice ",
    "x=$x$x;",
    "{a,b}",
    "cd a;",
    "cd a && ",
    "f(){ f|f& };",
    "strace a b c d ",
    "\u200b",
    "\uff52",
    "\u001b[0m",
    "\ud800",
    "\0",
    "a|",
    "rm -rf $X;"
  ]
  for (const unit of units) {
    it(JSON.stringify(unit), () => {
      for (const size of [31_000, 1_000_000]) {
        const { decision, micros } = timed(unit.repeat(Math.floor(size / unit.length)))
        assert.notStrictEqual(decision, "allow")
        assert.isBelow(micros, second)
      }
    })
  }
})

describe("ruin is found behind padding", () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ["letters", `echo ${"a".repeat(20_000)}; rm -rf /`],
    ["blanks", `${" ".repeat(20_000)}rm -rf /`],
    ["more than is parsed", `echo ${"a".repeat(900_000)}; rm -rf /`],
    ["line breaks", `${"\n".repeat(30_000)}rm -rf /`],
    ["brackets too deep to be parsed", `${"(".repeat(60)}rm -rf /${")".repeat(60)}`],
    ["quotes", `echo ${"''".repeat(2_000)}; rm -rf /`],
    ["a broken beginning", "fi; rm -rf /"]
  ]
  for (const [name, command] of cases) it(name, () => assert.strictEqual(review(command).decision, "block"))
})

describe("texts of other worlds ask", () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ["fish", "for f in *.ts; cat $f; end"],
    ["fish", "if test -f a; ls; end"],
    ["zsh", "ls **/*(.om[1,3])"],
    ["zsh", "print -l ${(f)$(ls)}"],
    ["zsh", "=ls"],
    ["PowerShell", "Get-ChildItem | Where-Object { $_.Length -gt 1kb }"],
    ["cmd", "dir C:\\Users & del /s /q C:\\"],
    ["a Windows path", "cat 'C:\\Users\\me\\.ssh\\id_rsa'"],
    ["CRLF", "ls\r\n"],
    ["CRLF between commands", "ls\r\npwd\r\n"],
    ["a null byte", "ls\0"],
    ["half of a surrogate pair", "ls \ud83d"],
    ["a byte order mark", "\ufeffls"],
    ["an unfinished here-document", "cat <<EOF\nls"],
    ["nothing", ""],
    ["blanks", " \t\n"],
    ["a comment", "# ls"]
  ]
  for (const [name, command] of cases) {
    it(`${name}: ${JSON.stringify(command)}`, () => assert.strictEqual(review(command).decision, "prompt"))
  }

  it("letters of other alphabets alone do not", () => {
    for (const command of [
      "cat文 a",
      "cat 文件.txt",
      "grep -n 'größer' docs/übersicht.md",
      "ls Документы",
      "echo 'naïve ✓'"
    ].slice(1)) {
      assert.strictEqual(review(command).decision, "allow", command)
    }
  })
})
