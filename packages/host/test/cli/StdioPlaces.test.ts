import { assert, describe, it } from "@effect/vitest"
import { stdioPlaces } from "@gatehouse/host/cli/StdioPlaces"
import * as Option from "effect/Option"

describe("a command line that serves standard input and output", () => {
  const taken: ReadonlyArray<readonly [string, ReadonlyArray<string | null>]> = [
    ["serve", [null, null, null]],
    ["serve --core a --workspace b --home c", ["a", "b", "c"]],
    ["--home=c serve --core=a=b", ["a=b", null, "c"]],
    ["--core serve serve", ["serve", null, null]]
  ]
  it.each(taken)("%s", (line, [core, workspace, home]) => {
    const places = stdioPlaces(line.split(" "))
    assert.deepStrictEqual(
      places && [places.core, places.workspace, places.home],
      [core, workspace, home].map((value) => Option.fromNullable(value))
    )
  })

  const others = [
    "",
    "call",
    "serve serve",
    "serve --http 80",
    "serve --json",
    "serve --core",
    "serve --core=",
    "serve --core --home x",
    "serve --core a --core b",
    "serve --help",
    "--core serve"
  ]
  it.each(others)("is not %j", (line) => assert.isNull(stdioPlaces(line === "" ? [] : line.split(" "))))
})
