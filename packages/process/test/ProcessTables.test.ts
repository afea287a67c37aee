import { assert, describe, it } from "@effect/vitest"
import { linuxProcessTable, parseStat } from "@gatehouse/process/table/LinuxProcessTable.boundary"
import { platformProcessTable } from "@gatehouse/process/table/PlatformProcessTable"
import { parsePsLine } from "@gatehouse/process/table/PsProcessTable.boundary"
import { sendSignal } from "@gatehouse/process/table/Signal.boundary"

const statLine = (pid: number, name: string, state: string): string =>
  `${pid} (${name}) ${state} 7 8 9 0 -1 4194304 222 59 0 0 0 0 0 0 20 0 1 0 348153 2560000 355 18446744073709551615`

describe("/proc/<pid>/stat", () => {
  it("is read past any name", () => {
    for (const name of ["sleep", "a b", "x) S 1 2 3 (y", "(((", ")", "", "1 (2) R"]) {
      assert.deepStrictEqual(parseStat(statLine(12, name, "S"), "boot"), {
        pid: 12,
        name,
        gone: false,
        parent: 7,
        group: 8,
        session: 9,
        start: "boot:348153",
        startedAt: 348_153
      })
    }
  })

  it("tells zombies and the dead from the living", () => {
    for (const [state, gone] of [
      ["Z", true],
      ["X", true],
      ["x", true],
      ["R", false],
      ["D", false],
      ["T", false],
      ["t", false],
      ["I", false]
    ] as const) {
      assert.strictEqual(parseStat(statLine(1, "n", state), "b")?.gone, gone, state)
    }
  })

  it("is nothing where it is cut or foreign", () => {
    for (const text of ["", "12", "12 (name) S 1 2", "no such thing"]) assert.isNull(parseStat(text, "b"))
  })
})

describe("the table of this machine", () => {
  const table = linuxProcessTable()

  it("shows this process, its environment and its limits", () => {
    const own = table.status(process.pid)
    assert.deepInclude(own, { pid: process.pid, parent: process.ppid, gone: false })
    assert.include(table.pids(), process.pid)
    assert.strictEqual(table.variable(process.pid, "PATH"), process.env["PATH"] ?? null)
    assert.isNull(table.variable(process.pid, "ATH"))
    assert.isNotNull(table.limits(process.pid))
    assert.isAtLeast(table.now() ?? 0, own?.startedAt ?? Number.POSITIVE_INFINITY)
    assert.isAbove(table.newestPid() ?? 0, 0)
    assert.match(table.place ?? "", /^[0-9a-f]{8}-\d+$/)
  })

  it("shows nothing of a pid that is not there", () => {
    assert.isNull(table.status(2 ** 22 + 1))
    assert.isNull(table.variable(2 ** 22 + 1, "PATH"))
  })

  it("never calls kill with a number that means more than one child", () => {
    for (const target of [0, 1, -1, Number.NaN, 1.5]) assert.strictEqual(sendSignal(target, "KILL"), "refused")
  })
})

describe("other platforms", () => {
  it("read ps", () => {
    const line = "  501   1  501      0 Ss   Tue Dec  1 18:22:19 2026 /usr/sbin/some daemon\n"
    assert.deepInclude(parsePsLine(line), {
      pid: 501,
      parent: 1,
      group: 501,
      gone: false,
      name: "some daemon",
      start: "Tue Dec 1 18:22:19 2026"
    })
    assert.strictEqual(parsePsLine("9 1 9 0 Z+ Tue Dec  1 18:22:19 2026 (sh)")?.gone, true)
    assert.isNull(parsePsLine(""))
  })

  it("say what is missing where a tree cannot be owned", () => {
    assert.match(platformProcessTable("win32").missing ?? "", /job object/)
    assert.match(platformProcessTable("plan9").missing ?? "", /plan9/)
    assert.isNull(platformProcessTable("linux").missing)
  })
})
