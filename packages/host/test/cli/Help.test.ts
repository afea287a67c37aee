import { assert, describe, it } from "@effect/vitest"
import { gatehouse } from "@gatehouse/host/cli/Gatehouse"
import { helpFor } from "@gatehouse/host/cli/render/Help"

const help = (...args: ReadonlyArray<string>) => helpFor(gatehouse.descriptor, args, "0.0.0", 100)

describe("the help of the command", () => {
  it("is shown for no words, --help, -h and help", () => {
    for (const args of [[], ["--help"], ["-h"], ["help"]]) assert.match(help(...args) ?? "", /^ {2}call +One effect/m)
  })
  it("names each verb once, at most 110 characters wide", () => {
    const lines = (help() ?? "").split("\n")
    assert.deepStrictEqual(
      lines.filter((line) => line.length > 110),
      []
    )
    for (const verb of ["tour", "approvals", "doctor"])
      assert.lengthOf(
        lines.filter((line) => line.startsWith(`  ${verb} `)),
        1
      )
  })
  it("goes down to the last verb", () => {
    assert.match(
      help("approvals", "standing", "add", "--help") ?? "",
      /^Usage: gatehouse approvals standing add \[OPT/m
    )
    assert.match(help("catalog", "--core", "x", "--help") ?? "", /^ {2}diff +What changed/m)
    assert.match(help("tokens") ?? "", /^ {2}revoke +Ends it/m)
  })
  it("is not in the way of a verb", () => {
    for (const args of [["catalog"], ["call", "x", "{}"], ["tokens", "list"], ["frob"], ["call", "--", "--help"]])
      assert.isNull(help(...args))
  })
})
