import { assert, describe, it } from "@effect/vitest"
import { noLookups } from "@gatehouse/policy/commands/CommandLookups"
import { CommandReview } from "@gatehouse/policy/commands/CommandReview"
import { reviewCommand, textQuestion } from "@gatehouse/policy/commands/ReviewCommand"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { exampleLines, knowledge, review, vectorLines } from "./Reviews.ts"

describe("a verdict", () => {
  it("names the words that made it ask, at their places", () => {
    const because = review("ls -la && sort -o out.txt in.txt | cat ../x").because
    assert.deepStrictEqual(
      because.map(({ text, start }) => [text, start]),
      [
        ["-o", 15],
        ["../x", 39]
      ]
    )
  })

  it("points into the inner command of plain quotes", () => {
    const command = "ls; sh -c 'cat a.txt; rm -rf /'"
    const [reason] = review(command).because.filter(({ rule }) => rule.startsWith("rm removes the root"))
    assert.strictEqual(reason?.text, "/")
    assert.strictEqual(reason?.start, command.lastIndexOf("/"))
  })

  it("points into the original where control characters were taken out", () => {
    const command = "ls\u001b[2K; r\u001b[0mm -rf /"
    const verdict = review(command)
    assert.strictEqual(verdict.decision, "block")
    for (const { text, start, end } of verdict.because) assert.strictEqual(command.slice(start, end), text)
  })

  it("always quotes the text at its positions, and agrees with itself", () => {
    for (const line of [...vectorLines, ...exampleLines]) {
      const { because, decision, risk, class: kind } = review(line)
      assert.isAbove(because.length, 0, line)
      for (const { text, start, end } of because) assert.strictEqual(line.slice(start, end).slice(0, 200), text, line)
      assert.strictEqual(decision === "allow", risk === "low", line)
      assert.strictEqual(decision === "block", risk === "critical" && kind === "destructive", line)
    }
  })
})

describe("the parts that a standing answer must cover", () => {
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<ReadonlyArray<string>>]> = [
    ["npm test", [["npm", "test"]]],
    ["npm 'te'st", [["npm", "test"]]],
    ["timeout 5 npm test", [["npm", "test"]]],
    [
      "npm test | tee out.txt",
      [
        ["npm", "test"],
        ["tee", "out.txt"]
      ]
    ],
    [
      "sudo npm test",
      [
        ["sudo", "npm", "test"],
        ["npm", "test"]
      ]
    ],
    [
      "sh -c 'npm test; rm a'",
      [
        ["sh", "-c", "npm test; rm a"],
        ["npm", "test"],
        ["rm", "a"]
      ]
    ],
    ["npm test > ~/x", []],
    [
      "npm test > out.txt",
      [
        ["npm", "test"],
        [">", "out.txt"]
      ]
    ],
    ["npm test 2>&1", [["npm", "test"]]],
    ["A=1 npm test", [["A=1", "npm", "test"]]],
    ["A=1; npm test", [["A=1"], ["npm", "test"]]],
    ["npm test <<'E'\nx\nE", [["npm", "test"], ["<<"]]]
  ]
  for (const [command, parts] of cases) {
    it(JSON.stringify(command), () => assert.deepStrictEqual(review(command).parts, parts))
  }

  it("are none where the shell decides at run time, or where the text is broken", () => {
    for (const command of [
      "npm $X",
      "npm $(id)",
      "npm *.ts",
      "npm `id`",
      "npm test &",
      "ls | xargs npm",
      "npm test |",
      "npm test (",
      "npm tes\u200bt",
      ""
    ]) {
      assert.deepStrictEqual(review(command).parts, [], command)
    }
  })
})

describe("circumstances", () => {
  const question = textQuestion("cat a.txt")
  const ask = (changed: Partial<typeof question>) => reviewCommand({ ...question, ...changed }, knowledge, noLookups)

  it("ask where variables are added or the folder is outside, and never soften a block", () => {
    assert.strictEqual(ask({}).decision, "allow")
    assert.strictEqual(ask({ environmentOverlay: ["LANG"] }).decision, "prompt")
    assert.strictEqual(ask({ cwdInWorkspace: false }).decision, "prompt")
    assert.strictEqual(
      ask({ command: "rm -rf /", environmentOverlay: ["LANG"], cwdInWorkspace: false }).decision,
      "block"
    )
  })

  it("tell ruin alone where there is ruin", () => {
    const { because } = review("npm test && sudo rm -rf / $X")
    assert.deepStrictEqual(
      because.map(({ text }) => text),
      ["/"]
    )
  })

  it("make paths relative to the folder that the command runs in", () => {
    const inside = { cwd: "/ws/src", workspace: "/ws" }
    assert.strictEqual(ask({ ...inside, command: "cat ../a.txt" }).decision, "allow")
    assert.strictEqual(ask({ ...inside, command: "cat ../../a.txt" }).decision, "prompt")
    assert.strictEqual(ask({ ...inside, command: "cat /ws/a.txt" }).decision, "allow")
    assert.strictEqual(ask({ ...inside, command: "rm -rf ../../*" }).decision, "block")
  })

  it("take a variable for empty only where nothing can have set it", () => {
    const unknown = [
      'read DIR; rm -rf "$DIR/"',
      'while read DIR; do rm -rf "$DIR/"; done < list',
      'source env.sh; rm -rf "$DIR/"',
      'eval "$(x)"; rm -rf "$DIR/"',
      'DIR=$(mktemp -d); rm -rf "$DIR/"',
      'export DIR=$(x); rm -rf "$DIR/"',
      'for DIR in $(x); do rm -rf "$DIR/"; done',
      'rm -rf "${DIR:?}/"',
      'rm -rf "${DIR:-build}/"',
      'rm -rf "$1/"',
      'rm -rf "$TMPDIR/"'
    ]
    for (const command of unknown) assert.strictEqual(ask({ command }).decision, "prompt", command)
    for (const command of [
      'rm -rf "$DIR/"',
      'DIR=; rm -rf "$DIR/"',
      'unset DIR; rm -rf "$DIR/"',
      'rm -rf "${DIR:-/}"'
    ]) {
      assert.strictEqual(ask({ command }).decision, "block", command)
    }
  })

  it("take a variable that the call adds for unknown, not for unset", () => {
    assert.strictEqual(ask({ command: 'rm -rf "$DIR/"' }).decision, "block")
    assert.strictEqual(ask({ command: 'rm -rf "$DIR/"', environmentOverlay: ["DIR"] }).decision, "prompt")
  })
})

describe("what bash and a plain sh read differently", () => {
  for (const command of [
    "ls &>/dev/null",
    "[[ -f a || ls ]]",
    "[[ a > b ]]",
    "[[ a =~ b|c ]]",
    "! ! ls",
    "ls $[1]",
    "ls (a",
    "< 2>&1 ls"
  ]) {
    it(`${command} asks`, () => assert.strictEqual(review(command).decision, "prompt"))
  }
  for (const command of ["((rm -rf /))", "[[ -f a || rm -rf / ]]", "!(rm -rf /)", "ls &>/dev/null; rm -rf /"]) {
    it(`${command} is ruin`, () => assert.strictEqual(review(command).decision, "block"))
  }
})

describe("functions", () => {
  for (const command of [
    ":(){ :|:& };:",
    "f(){ f|f& };f",
    "b() { b | b & }; b",
    "f() { f & }; f",
    "f() { (f | f); }; f"
  ]) {
    it(`${command} is a fork bomb`, () => assert.strictEqual(review(command).decision, "block"))
  }
  for (const command of [
    "f() { f; }; f",
    "f() { ls | head; }; f",
    "f() { f 1; f 2; }; f",
    "f() { echo f; sleep 1 & }"
  ]) {
    it(`${command} is none`, () => assert.strictEqual(review(command).decision, "prompt"))
  }
})

describe("folders", () => {
  const allowed = [
    "cd src && cat ../a.txt",
    "cd src && cd .. && ls",
    "(cd src; ls); cat a.txt",
    "cd src && git status",
    "git -C src log"
  ]
  const asking = [
    "cd src; cat ../a.txt",
    "cd src || ls ../..",
    "cd src && cd ../..",
    "cd $X && ls",
    "cd a; cd b; cat ../../x",
    "git -C .. log"
  ]
  for (const command of allowed) it(command, () => assert.strictEqual(review(command).decision, "allow"))
  for (const command of asking) it(command, () => assert.strictEqual(review(command).decision, "prompt"))
})

it.effect("the service reviews with the tables of this package", () =>
  Effect.gen(function* () {
    const { review: judge } = yield* CommandReview
    assert.strictEqual(judge(textQuestion("ls | head")).decision, "allow")
    assert.strictEqual(judge(textQuestion("npm test")).decision, "prompt")
  }).pipe(Effect.provide(CommandReview.layer))
)

it("any text has an answer, the same each time", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc
      .array(
        fc.constantFrom(
          "ls",
          "$(",
          ")",
          "'",
          '"',
          "`",
          "|",
          "&&",
          ";",
          "\n",
          "<<E",
          ">",
          "{",
          "}",
          "rm",
          "-rf",
          "/",
          "\\",
          " "
        ),
        { maxLength: 30 }
      )
      .map((pieces) => pieces.join(""))
  )
  fc.assert(
    fc.property(texts, (text) => {
      const verdict = review(text)
      assert.deepStrictEqual(review(text), verdict)
      for (const { start, end } of verdict.because) assert.isTrue(start >= 0 && start <= end && end <= text.length)
    }),
    { numRuns: 2000, examples: [["<<E`\\"]] }
  )
})
