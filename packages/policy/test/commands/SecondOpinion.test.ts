import { spawnSync } from "node:child_process"
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { exampleLines, review, vectorLines } from "./Reviews.ts"

/** The shell itself, told to read and not to run. */
const isUnderstood = (command: string): boolean => spawnSync("sh", ["-n", "-c", command]).status === 0

const pieces: ReadonlyArray<string> = [
  " ",
  "\n",
  "\\\n",
  "<<'E'\n",
  "E\n",
  "[ -f a ]",
  "{ ls; }",
  "cat a.txt",
  "\\",
  ...`ls echo a ' " ; | && || & ( ) { } # < 2>&1 >/dev/null if then fi ! pwd -n = ~ '' a#b $ \` $[ case in esac do`.split(
    " "
  ),
  ..."done for while function $( <<< a() (( )) coproc time".split(" ")
]

it("what runs unasked is a command to the shell as well", () => {
  const allowed = new Set(
    [...vectorLines, ...exampleLines].filter((line) => review(line).decision === "allow").slice(0, 120)
  )
  const texts = fc.tuple(fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 9 }), fc.constantFrom("", " "))
  for (const [words, blank] of fc.sample(texts, 8_000)) {
    const text = words.join(blank)
    if (allowed.size < 320 && review(text).decision === "allow") allowed.add(text)
  }
  assert.isAbove(allowed.size, 200)
  for (const text of allowed) assert.isTrue(isUnderstood(text), JSON.stringify(text))
})
