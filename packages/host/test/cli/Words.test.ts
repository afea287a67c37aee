import { readFileSync } from "node:fs"
import { parseCallInput } from "@gatehouse/host/cli/CallInput"
import { hoistGlobalOptions } from "@gatehouse/host/cli/GlobalOptions"
import { renderFields } from "@gatehouse/host/cli/render/Fields"
import { decodeSettings } from "@gatehouse/host/settings/ReadHostSettings.boundary"
import { commandSetting } from "@gatehouse/host/settings/TurnSettings"
import { version } from "@gatehouse/host/Version"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { assert, describe, it } from "vitest"

describe("the arguments of a call", () => {
  const refusal = (text: string): string => {
    const parsed = parseCallInput(text)
    return Either.isLeft(parsed) ? parsed.left.message : "accepted"
  }
  it("are one JSON object", () => {
    assert.deepStrictEqual(Either.getOrThrow(parseCallInput('{"path":"README.md"}')), { path: "README.md" })
    assert.match(refusal("[1]"), /no JSON object/)
    assert.match(refusal('"text"'), /no JSON object/)
    assert.match(refusal("{path: 1}"), /no JSON/)
  })
  it("name no field twice, at any depth", () => {
    assert.match(refusal('{"a":1,"a":2}'), /the field a twice/)
    assert.match(refusal('{"a":{"b":[{"c":1,"c":2}]}}'), /the field a\.b\.0\.c twice/)
    assert.strictEqual(refusal('{"a":{"b":1},"b":{"a":1}}'), "accepted")
  })
  it("are bounded, and no prototype", () => {
    assert.match(refusal(`{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`), /nested deeper/)
    assert.match(refusal('{"__proto__":{"x":1}}'), /prototype/)
  })
  it("are not repeated where they are refused", () => {
    assert.notInclude(refusal('{"token":"canary-0123456789" oops'), "canary")
  })
})

describe("global options", () => {
  it("may stand before the verb", () => {
    assert.deepStrictEqual(hoistGlobalOptions(["--core", "x", "--json", "catalog", "diff"]), [
      "catalog",
      "--core",
      "x",
      "--json",
      "diff"
    ])
    assert.deepStrictEqual(hoistGlobalOptions(["--home=/h", "call", "t"]), ["call", "--home=/h", "t"])
    assert.deepStrictEqual(hoistGlobalOptions(["call", "t", "--core", "x"]), ["call", "t", "--core", "x"])
    assert.deepStrictEqual(hoistGlobalOptions(["--help"]), ["--help"])
  })
})

describe("limits of commands", () => {
  const settings = (text: string) => Effect.runSync(decodeSettings(text)).settings
  it("are those of the host where the core says nothing", () => {
    assert.deepStrictEqual(commandSetting(null, settings("limits: {wall_seconds: 5, memory_mib: 64, niceness: 3}\n")), {
      wallSeconds: 5,
      limits: { memoryBytes: 64 * 1024 * 1024, niceness: 3 },
      sandbox: "none"
    })
    assert.strictEqual(commandSetting(null, settings("sandbox: workspace\n")).sandbox, "workspace")
  })
})

it("fields are one a line, lists of plain values on their own line", () => {
  assert.strictEqual(
    renderFields({ a: "x", names: ["HOME", "PATH"], deep: { b: 1 }, none: [] }, { colours: false }),
    "a      x\nnames  HOME, PATH\ndeep\n  b  1"
  )
})

it("the version is that of the package", () => {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8")
  assert.strictEqual(JSON.parse(text).version, version)
})
