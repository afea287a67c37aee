import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { makeFolder } from "@gatehouse/host/home/MakeFolder.boundary"

describe("a folder with those above it", () => {
  it("is made, and may be there already", () => {
    const root = mkdtempSync(join(tmpdir(), "gatehouse-folder-"))
    makeFolder(join(root, "a", "b"), 0o700)
    makeFolder(join(root, "a", "b"), 0o700)
    assert.isTrue(existsSync(join(root, "a", "b")))
    writeFileSync(join(root, "file"), "")
    assert.throws(() => makeFolder(join(root, "file", "b")), /ENOTDIR/)
    rmSync(root, { recursive: true })
  })
  it("fails, and does not try for ever, where nothing can be made", { skip: !existsSync("/proc/self") }, () =>
    assert.throws(() => makeFolder("/proc/gatehouse/home"), /ENOENT|EACCES|EPERM|EROFS/)
  )
})
