import { assert, describe, it } from "@effect/vitest"
import { gitSettings } from "@gatehouse/policy/commands/git/GitSettings"
import { awkDoubt } from "@gatehouse/policy/commands/languages/AwkProgram"
import { sedEffects } from "@gatehouse/policy/commands/languages/SedScript"

describe("sed scripts", () => {
  const plain = [
    "p",
    "10,20p",
    "$p",
    "/a/,/b/p",
    "s/a/b/g",
    "s|a|b|",
    "s/[^/]*$//",
    "s/[[:space:]]/x/p",
    "/x/{p;q}",
    "1!G;h;$!d",
    "y/abc/xyz/",
    "5q",
    "a\\\nw out",
    "i text w out",
    "# w out",
    ":a;N;$!ba;s/\\n/ /g",
    "\\,x,p",
    "0,/x/d",
    "2~3p",
    "/a/I,+2p"
  ]
  for (const script of plain)
    it(`${JSON.stringify(script)} only prints`, () => assert.deepStrictEqual(sedEffects(script), []))

  const files: ReadonlyArray<readonly [string, "reads" | "writes", string]> = [
    ["w out", "writes", "out"],
    ["/x/wout", "writes", "out"],
    ["s/a/b/w out.txt", "writes", "out.txt"],
    ["s,a,b,gw out.txt", "writes", "out.txt"],
    ["\\,x,w out", "writes", "out"],
    ["1!W out", "writes", "out"],
    ["y/a/b/;w out", "writes", "out"],
    ["$r .env", "reads", ".env"],
    ["R list", "reads", "list"],
    ["/[/]/w out", "writes", "out"],
    ["a\\\ntext\nw out", "writes", "out"]
  ]
  for (const [script, kind, file] of files) {
    it(`${JSON.stringify(script)} ${kind} ${file}`, () => assert.deepInclude(sedEffects(script), { kind, file }))
  }

  for (const script of ["e", "1e id", "s/a/b/e", "s/a/b/ge", "/x/{e\n}", "y/[/]/;e id", "1eid"]) {
    it(`${JSON.stringify(script)} starts a command`, () => assert.deepInclude(sedEffects(script), { kind: "runs" }))
  }

  for (const script of ["s/a", "/x", "k", "s/[a/b/", "w", "s/[\\]/]/x/", "y/a"]) {
    it(`${JSON.stringify(script)} is not understood`, () => assert.strictEqual(sedEffects(script)[0]?.kind, "unknown"))
  }
})

describe("awk programs", () => {
  for (const program of [
    "{print $1}",
    "NR > 5",
    "NR>1{print $2}",
    "END{print NR}",
    '$1 == "a" || $2',
    'BEGIN{FS=","}{s+=$1}END{print s}'
  ]) {
    it(`${program} only prints`, () => assert.isNull(awkDoubt(program)))
  }
  for (const program of [
    '{print > "f"}',
    '{print | "sh"}',
    'BEGIN{system("id")}',
    '{"id"|getline}',
    '@load "x"',
    '{print ENVIRON["A"]}',
    'BEGIN{ARGV[1]="x"}',
    '{printf "a" >> "f"}'
  ]) {
    it(`${program} may do more`, () => assert.isNotNull(awkDoubt(program)))
  }
})

describe("git settings", () => {
  it("are read with sections, subsections, quotes, comments, continued lines", () => {
    const text =
      '[Core]\n\tFSMonitor = ./x # why\n[diff "pdf"] textconv = "a; b" \n[a.B]\nc\n[alias]\n\tst = sta\\\ntus\n; no\n'
    assert.deepStrictEqual(gitSettings(text), [
      { key: "core.fsmonitor", value: "./x" },
      { key: "diff.pdf.textconv", value: "a; b" },
      { key: "a.B.c", value: "true" },
      { key: "alias.st", value: "status" }
    ])
  })
})
