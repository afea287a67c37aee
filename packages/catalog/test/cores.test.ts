import { execFileSync } from "node:child_process"
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import * as Effect from "effect/Effect"

/** A new folder with `files`, removed when the scope closes. */
const folderWith = (files: Readonly<Record<string, string | Uint8Array>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-core-")))
      for (const [path, content] of Object.entries(files)) write(folder, path, content)
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

const write = (folder: string, path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

const agent = "agent:\n  id: helper\ncapabilities:\n  defaults:\n    fs.write: {}\n    fs.read: {}\n"

const full = {
  "agent.yaml": agent,
  "agent/tools/note/tool.yaml": "description: Notes\n",
  "agent/tools/note/module.js": "export const execute = () => 1\n",
  "agent/mcp/docs.yaml": "command: docs\n",
  "agent/schedules/morning.yaml": "cron: '0 7 * * *'\nprompt: Look around\n"
}

const load = (folder: string) => Effect.flatMap(AgentCores, (cores) => cores.load(folder))
const refusal = (folder: string) => Effect.flip(load(folder))

describe("AgentCores.load", () => {
  it.scoped("reads everything that a core holds", () =>
    Effect.gen(function* () {
      const root = yield* folderWith(full)
      const core = yield* load(root)
      assert.strictEqual(core.root, root)
      assert.deepStrictEqual(
        core.tools.map(({ component, id }) => [id, component]),
        [["note", "agent/tools/note"]]
      )
      assert.deepStrictEqual(
        core.servers.map(({ manifest, server }) => [server, manifest.capability]),
        [["docs", "mcp.call:docs"]]
      )
      assert.deepStrictEqual(
        core.schedules.map(({ id }) => id),
        ["morning"]
      )
      assert.deepStrictEqual(core.capabilities.defaults, ["fs.read", "fs.write"])
      assert.deepStrictEqual(core.diagnostics, [])
      assert.isTrue(
        Object.isFrozen(core) && Object.isFrozen(core.manifest.tools) && Object.isFrozen(core.tools[0]?.manifest)
      )
      assert.match(core.revision, /^tree:[0-9a-f]{64}$/)
    }).pipe(Effect.provide(AgentCores.layer))
  )

  it.scopedLive("is the same object while nothing changes, settled or not", () =>
    Effect.gen(function* () {
      const root = yield* folderWith(full)
      const core = yield* load(root)
      assert.strictEqual(yield* load(root), core)
      for (const path of ["agent.yaml", "agent/tools/note/module.js"]) utimesSync(join(root, path), 1, 1)
      assert.strictEqual(yield* load(root), core)
    }).pipe(Effect.provide(AgentCores.layer))
  )

  it.scopedLive("sees every change at once, one that keeps size and time of a file included", () =>
    Effect.gen(function* () {
      const root = yield* folderWith(full)
      const seen = new Set([(yield* load(root)).revision])
      const changes = [
        () => write(root, "agent/tools/note/module.js", "export const execute = () => 2\n"),
        () => utimesSync(join(root, "agent/tools/note/module.js"), 1, 1),
        () => {
          write(root, "agent/tools/note/module.js", "export const execute = () => 3\n")
          utimesSync(join(root, "agent/tools/note/module.js"), 1, 1)
        },
        () => chmodSync(join(root, "agent/tools/note/module.js"), 0o755),
        () => renameSync(join(root, "agent/tools/note"), join(root, "agent/tools/notes")),
        () => write(root, "agent/tools/notes/data.txt", ""),
        () => write(root, "agent.yaml", `${agent}# a comment\n`)
      ]
      for (const [index, change] of changes.entries()) {
        change()
        seen.add((yield* load(root)).revision)
        // The second change touches a time only.
        assert.strictEqual(seen.size, index === 0 ? 2 : index + 1)
      }
    }).pipe(Effect.provide(AgentCores.layer))
  )

  it.scoped("gives each tool a digest of its own folder", () =>
    Effect.gen(function* () {
      const root = yield* folderWith({
        ...full,
        "agent/tools/other/tool.yaml": "{}\n",
        "agent/tools/other/module.js": ""
      })
      const before = yield* load(root)
      write(root, "agent/tools/note/module.js", "export const execute = () => 2\n")
      const after = yield* load(root)
      assert.notStrictEqual(after.tools[0]?.digest, before.tools[0]?.digest)
      assert.strictEqual(after.tools[1]?.digest, before.tools[1]?.digest)
    }).pipe(Effect.provide(AgentCores.layer))
  )

  it.scoped(
    "names the commit that the core stands at, in a repository, a linked work tree, with packed references",
    () =>
      Effect.gen(function* () {
        const root = yield* folderWith({ ...full, "sub/agent.yaml": agent })
        const git = (...args: ReadonlyArray<string>) =>
          execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
            cwd: root,
            encoding: "utf8",
            stdio: "pipe"
          }).trim()
        git("init", "--quiet", "--initial-branch=main")
        assert.match((yield* load(root)).revision, /^tree:/)
        git("add", ".")
        git("commit", "--quiet", "--message=one")
        const commit = git("rev-parse", "HEAD")
        const core = yield* load(root)
        assert.match(core.revision, new RegExp(`^git:${commit}\\+[0-9a-f]{32}$`))
        assert.include((yield* load(join(root, "sub"))).revision, commit)

        git("pack-refs", "--all")
        assert.strictEqual(yield* load(root), core)
        git("worktree", "add", "--quiet", "--detach", join(root, "tree"))
        assert.strictEqual((yield* load(join(root, "tree"))).revision, core.revision)
        git("checkout", "--quiet", "--detach")
        assert.include((yield* load(root)).revision, commit)

        write(root, "agent/mcp/docs.yaml", "command: other\n")
        const dirty = (yield* load(root)).revision
        assert.include(dirty, commit)
        assert.notStrictEqual(dirty, core.revision)
      }).pipe(Effect.provide(AgentCores.layer))
  )
})

describe("a core that cannot be used", () => {
  it.scoped("tells every fault of every file, with line, field and remedy", () =>
    Effect.gen(function* () {
      const root = yield* folderWith({
        "agent.yaml": "agent:\n  id: helper\n  name: x\nruntime:\n  max_model_steps: 91\n",
        "agent/tools/note/tool.yaml": "risk: severe\n",
        "agent/tools/9lives/tool.yaml": "{}\n",
        "agent/mcp/docs.yaml": "cmd: x\n",
        "agent/mcp/my docs.yaml": "command: x\n"
      })
      const error = yield* refusal(root)
      assert.strictEqual(error.reason, "invalid")
      assert.deepStrictEqual(
        error.faults.map(({ field, file, line }) => [file, line, field]),
        [
          ["agent.yaml", 3, "agent.name"],
          ["agent.yaml", 5, "runtime.max_model_steps"],
          ["agent/mcp/docs.yaml", 1, "cmd"],
          ["agent/mcp/my docs.yaml", 1, ""],
          ["agent/tools/9lives/tool.yaml", 1, ""],
          ["agent/tools/note/tool.yaml", 1, "risk"]
        ]
      )
      assert.include(error.message, "agent/mcp/docs.yaml:1 cmd: is no field here. Did you mean `command`?")
    }).pipe(Effect.provide(AgentCores.layer))
  )

  it.scoped("is missing, empty, without agent.yaml, or a file", () =>
    Effect.gen(function* () {
      const root = yield* folderWith({ "empty/x/y": "", "other/agent.yml": agent, file: "" })
      for (const [path, words] of [
        ["nowhere", "is not there"],
        ["empty/x/y", "is a file"],
        ["other", "agent.yml"],
        ["empty", "holds no agent.yaml"]
      ] as const) {
        const error = yield* refusal(join(root, path))
        assert.strictEqual(error.reason, "missing")
        assert.include(error.message, words)
        assert.include(error.remedy, "gatehouse init")
      }
      rmSync(join(root, "empty/x"), { recursive: true })
      assert.include((yield* refusal(join(root, "empty"))).message, "empty folder")
    }).pipe(Effect.provide(AgentCores.layer))
  )

  it.scoped("cannot be read, or holds what is no text, leads out, goes in a circle, or is too large", () =>
    Effect.gen(function* () {
      const root = yield* folderWith(full)
      const outside = yield* folderWith({ "secret.txt": "secret" })
      const broken = (path: string, put: () => void) =>
        Effect.gen(function* () {
          put()
          const error = yield* refusal(root)
          rmSync(join(root, path), { recursive: true })
          return error
        })
      const link = (target: string, path: string) => () => symlinkSync(target, join(root, path))
      const loop = yield* broken("agent/loop", link("loop", "agent/loop"))
      assert.strictEqual(loop.reason, "unreadable")
      const out = yield* broken("agent/out", link(outside, "agent/out"))
      assert.include(out.message, "agent/out:1 is a link that leads out of the core")
      const dangling = yield* broken("agent/gone", link("nothing", "agent/gone"))
      assert.include(dangling.message, "agent/gone:1 is a link that leads nowhere")
      const circle = yield* broken("agent/circle", link(".", "agent/circle"))
      assert.include(circle.message, "nested deeper")
      const large = yield* broken("agent/mcp/big.yaml", () => write(root, "agent/mcp/big.yaml", "#".repeat(2_000_000)))
      assert.include(large.message, "agent/mcp/big.yaml:1 is larger than")
      const binary = yield* broken("agent/mcp/bin.yaml", () =>
        write(root, "agent/mcp/bin.yaml", Uint8Array.of(0xc3, 0x28))
      )
      assert.include(binary.message, "agent/mcp/bin.yaml:1 is not UTF-8")
      const heavy = yield* broken("agent/data", () => write(root, "agent/data", new Uint8Array(65 * 1024 * 1024)))
      assert.strictEqual(heavy.reason, "too_large")
      assert.strictEqual((yield* load(root)).tools.length, 1)
    }).pipe(Effect.provide(AgentCores.layer))
  )

  it.scoped("follows links that stay inside", () =>
    Effect.gen(function* () {
      const root = yield* folderWith(full)
      symlinkSync("note", join(root, "agent/tools/alias"))
      assert.deepStrictEqual(
        (yield* load(root)).tools.map(({ id }) => id),
        ["alias", "note"]
      )
    }).pipe(Effect.provide(AgentCores.layer))
  )
})

describe("diagnostics of a core", () => {
  it.scoped("name manifests that nobody reads and modules that are not there", () =>
    Effect.gen(function* () {
      const root = yield* folderWith({
        "agent.yaml": agent,
        "agent/mcp/docs.yml": "command: x\n",
        "agent/tools/note/tool.yaml": "entrypoint: main:run\n"
      })
      const { diagnostics } = yield* load(root)
      assert.deepStrictEqual(
        diagnostics.map(({ subject }) => subject),
        ["agent/mcp/docs.yml", "agent/tools/note/tool.yaml"]
      )
    }).pipe(Effect.provide(AgentCores.layer))
  )
})

describe("AgentCores.find", () => {
  it.scoped("looks upwards for the nearest agent.yaml", () =>
    Effect.gen(function* () {
      const root = yield* folderWith({ "agent.yaml": agent, "a/b/c.txt": "", "a/agent.yaml": agent })
      const cores = yield* AgentCores
      assert.strictEqual(yield* cores.find(join(root, "a/b")), join(root, "a"))
      assert.strictEqual(yield* cores.find(root), root)
      assert.strictEqual((yield* Effect.flip(cores.find(dirname(root)))).reason, "missing")
    }).pipe(Effect.provide(AgentCores.layer))
  )
})
