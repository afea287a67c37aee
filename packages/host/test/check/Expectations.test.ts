import { assert, describe, it } from "@effect/vitest"
import { readExpectations } from "@gatehouse/host/check/Expectations"
import * as Either from "effect/Either"

const cases = (file: string, text: string) =>
  Either.getOrThrow(readExpectations(file, text)).map(({ id, kind, place }) => `${place} ${kind ?? "-"} ${id}`)
const faults = (file: string, text: string) =>
  Either.match(readExpectations(file, text), {
    onLeft: (all) => all.join("\n"),
    onRight: () => assert.fail("was taken")
  })

const list = `- id: one
  kind: command
  input: { command: ls }
  expect: { decision: allow }
- id: two
  kind: call
  note: why
  input: { tool: note }
  expect: { decision: [run, ask] }
`
const map = `url:
  - id: one
    input: { url: "https://example.com/" }
    expect: { decision: [allow, deny] }
command:
  - { id: one, input: { command: ls }, expect: { decision: allow } }
`

describe("files of expectations", () => {
  it("hold a list of cases with their kinds, or lists by kind, each with its line", () => {
    assert.deepStrictEqual(cases("a.yaml", list), ["a.yaml:1 command one", "a.yaml:5 call two"])
    assert.deepStrictEqual(cases("a.yaml", map), ["a.yaml:6 command one", "a.yaml:2 url one"])
    assert.deepStrictEqual(cases("a.yaml", ""), [])
  })

  it("are read as JSON in the form of the shared vectors, where the kind is a family", () => {
    const text = JSON.stringify([
      { id: "one", kind: "plain-read", level: "must", input: {}, expect: { decision: "allow" } },
      { id: "two", kind: "url", input: {}, expect: 5 }
    ])
    assert.deepStrictEqual(cases("a.json", text), ["a.json - one", "a.json url two"])
    assert.deepStrictEqual(cases("-", text), ["- - one", "- url two"])
    assert.deepStrictEqual(cases("a.json", JSON.stringify({ input: {}, expect: {} })), ["a.json - 0"])
  })

  const wrong: ReadonlyArray<readonly [string, string, RegExp]> = [
    [
      "a misspelt field",
      list.replace("expect:", "expects:"),
      /^a\.yaml:4 0\.expects: is no field here\. Did you mean `expect`/m
    ],
    [
      "an unknown kind",
      list.replace("kind: call", "kind: cal"),
      /^a\.yaml:6 1\.kind: must be one of .*; it is a text of 3/m
    ],
    [
      "an unknown kind of a map",
      map.replace("url:", "urls:"),
      /^a\.yaml:1 urls: is no field here\. Did you mean `url`/m
    ],
    ["no expectation", "- { id: a, kind: url, input: {} }", /^a\.yaml:1 a: expect is missing/m],
    [
      "one id twice",
      list.replace("id: two", "id: one").replace("kind: call", "kind: command"),
      /^a\.yaml:5 one: has the id of the case at a\.yaml:1/m
    ],
    ["no list at all", "5", /^a\.yaml:1 must be/m],
    ["broken YAML", "- id: [", /^a\.yaml:1 /m]
  ]
  for (const [name, text, message] of wrong) {
    it(`tell what is wrong with its line: ${name}`, () => assert.match(faults("a.yaml", text), message))
  }

  it("refuse JSON that is none, and a case that expects nothing", () => {
    assert.match(faults("a.json", "["), /^a\.json: is no JSON/)
    assert.match(faults("a.json", '[{"id":"x","input":{}}]'), /^a\.json x: expect is missing/)
  })
})
