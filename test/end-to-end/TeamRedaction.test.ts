/** A team's own names and patterns, of its core and of its host, add to what is hidden. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const gatehouse = fileURLToPath(new URL("../../packages/host/bin/gatehouse.js", import.meta.url))

const inFolders = (
  core: string,
  settings: string,
  use: (run: (...args: ReadonlyArray<string>) => { status: number | null; stdout: string; stderr: string }) => void
) => {
  const root = mkdtempSync(join(tmpdir(), "gatehouse-team-"))
  try {
    for (const folder of ["core", "home", "workspace"]) mkdirSync(join(root, folder))
    writeFileSync(join(root, "core/agent.yaml"), core)
    writeFileSync(join(root, "home/settings.yaml"), settings)
    writeFileSync(join(root, "workspace/note.txt"), "badge ACME-123456 and room R-99-77\n")
    use((...args) =>
      spawnSync(
        process.execPath,
        [
          gatehouse,
          ...args,
          "--core",
          join(root, "core"),
          "--home",
          join(root, "home"),
          "--workspace",
          join(root, "workspace")
        ],
        { encoding: "utf8" }
      )
    )
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const core = (redaction: string) => `agent: {id: team}
tools: {toolsets: [coding]}
capabilities: {defaults: {fs.read: {}}}
${redaction}`

describe("a team's own redaction", () => {
  it("hides what the core and the host name, in every view", () => {
    inFolders(
      core('redaction: {patterns: ["ACME-[0-9]{6}"]}'),
      'redaction: {patterns: ["R-[0-9]{2}-[0-9]{2}"]}\n',
      (run) => {
        const { status, stdout } = run("call", "read_file", '{"path":"note.txt"}', "--json", "--view", "all")
        assert.strictEqual(status, 0)
        assert.notInclude(stdout, "ACME-123456")
        assert.notInclude(stdout, "R-99-77")
        assert.include(stdout, "badge ")
      }
    )
  })
  it("refuses a pattern that cannot be used, and names the line", () => {
    inFolders(core('redaction:\n  patterns:\n    - "(a+)+"\n'), "", (run) => {
      const { status, stderr } = run("call", "read_file", '{"path":"note.txt"}')
      assert.strictEqual(status, 2)
      assert.match(stderr, /agent\.yaml:6 redaction\.patterns\.0/)
    })
  })
})
