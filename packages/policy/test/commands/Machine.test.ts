/** The review with its look-ups on real files: programs in a PATH, links, settings of repositories. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { liveLookups } from "@gatehouse/policy/commands/CommandLookups.boundary"
import type { CommandQuestion } from "@gatehouse/policy/commands/CommandReview"
import { reviewCommand } from "@gatehouse/policy/commands/ReviewCommand"
import { knowledge } from "./Reviews.ts"

let root = ""
let workspace = ""

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-review-")))
  workspace = join(root, "ws")
  mkdirSync(workspace)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const put = (path: string, text: string, mode = 0o644): string => {
  const place = join(root, path)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, text)
  chmodSync(place, mode)
  return place
}

const ask = (command: string, changed: Partial<CommandQuestion> = {}) =>
  reviewCommand(
    {
      command,
      cwd: workspace,
      workspace,
      cwdInWorkspace: true,
      environmentOverlay: [],
      background: false,
      searchPath: null,
      ...changed
    },
    knowledge,
    liveLookups
  )

describe("programs", () => {
  it("are found in the child's own PATH, and the place is part of the answer", () => {
    const place = put("bin/ls", "", 0o755)
    chmodSync(join(root, "bin"), 0o755)
    const verdict = ask("ls", { searchPath: `${join(root, "none")}:${join(root, "bin")}` })
    assert.strictEqual(verdict.decision, "allow")
    assert.deepStrictEqual(verdict.resolved, { ls: place })
  })

  it("of the workspace, of a folder that others may write, or of a relative folder ask", () => {
    put("ws/bin/ls", "", 0o755)
    put("open/ls", "", 0o755)
    chmodSync(join(root, "open"), 0o777)
    put("linked/keep", "")
    symlinkSync(join(root, "open/ls"), join(root, "linked/ls"))
    for (const searchPath of [join(workspace, "bin"), join(root, "open"), join(root, "linked")]) {
      const verdict = ask("cd src && ls | head", { searchPath })
      assert.strictEqual(verdict.decision, "prompt", searchPath)
      assert.strictEqual(verdict.class, "project_code")
    }
  })

  it("that only a later folder has are not those of a file that cannot run", () => {
    put("first/ls", "", 0o644)
    const place = put("second/ls", "", 0o755)
    chmodSync(join(root, "second"), 0o755)
    assert.strictEqual(
      ask("ls", { searchPath: `${join(root, "first")}:${join(root, "second")}` }).resolved["ls"],
      place
    )
  })

  it("of the shell itself are not looked up", () => {
    assert.deepStrictEqual(ask("echo a; pwd", { searchPath: join(root, "open") }).resolved, {})
  })
})

describe("links", () => {
  it("count by where they lead", () => {
    put("outside/secret.txt", "")
    put("ws/.env", "")
    put("ws/src/a.ts", "")
    symlinkSync(join(root, "outside/secret.txt"), join(workspace, "notes.txt"))
    symlinkSync(join(root, "outside"), join(workspace, "out"))
    symlinkSync(".env", join(workspace, "settings.txt"))
    symlinkSync("src", join(workspace, "code"))
    assert.strictEqual(ask("cat code/a.ts").decision, "allow")
    for (const command of [
      "cat notes.txt",
      "cat out/new.txt",
      "cat settings.txt",
      "cd out && ls",
      "wc -l < notes.txt",
      "cat code/../../outside/secret.txt"
    ]) {
      assert.strictEqual(ask(command).decision, "prompt", command)
    }
  })
})

describe("git", () => {
  const repository = (name: string, config: string): string => {
    put(`ws/${name}/.git/HEAD`, "ref: refs/heads/main\n")
    put(`ws/${name}/.git/config`, config)
    return join(workspace, name)
  }

  it("runs unasked in a repository that chooses no program", () => {
    const cwd = repository(
      "plain",
      '[core]\n\tbare = false\n\tfsmonitor = false\n[remote "origin"]\n\turl = x\n[alias]\n\tst = !id\n'
    )
    for (const command of [
      "git status",
      "git diff",
      "git log -p",
      "git blame a",
      "git grep x",
      "git show",
      "git branch"
    ]) {
      assert.strictEqual(ask(command, { cwd }).decision, "allow", command)
    }
    assert.strictEqual(ask("git -C plain status").decision, "allow")
    assert.strictEqual(ask("cd plain && git status").decision, "allow")
  })

  const settings: ReadonlyArray<readonly [string, string, ReadonlyArray<string>, ReadonlyArray<string>]> = [
    [
      "fsmonitor",
      "[core]\n\tfsmonitor = ./x",
      ["git status", "git diff", "git ls-files"],
      ["git log", "git rev-parse HEAD"]
    ],
    ["hooks", "[core]\n\thooksPath = hooks", ["git status"], ["git log", "git branch"]],
    ["external", "[diff]\n\texternal = ./x", ["git diff", "git show", "git status -v"], ["git branch", "git ls-files"]],
    ["driver", '[diff "pdf"]\n\tcommand = ./x', ["git diff"], ["git tag"]],
    [
      "textconv",
      '[diff "pdf"]\n\ttextconv = ./x',
      ["git diff", "git log -p", "git show", "git blame a"],
      ["git grep x", "git remote"]
    ],
    ["filter", '[filter "lfs"]\n\tclean = ./x', ["git status", "git diff"], ["git log"]],
    ["pager", "[core]\n\tpager = ./x", ["git log", "git diff", "git branch"], ["git rev-parse HEAD"]],
    ["own-pager", "[pager]\n\tlog = ./x\n\tdiff = false", ["git log"], ["git diff"]],
    ["signature", "[log]\n\tshowSignature = true", ["git log", "git show"], ["git status"]],
    ["gpg", '[gpg "ssh"]\n\tprogram = ./x', ["git log"], ["git diff"]],
    ["partial", '[remote "o"]\n\tpromisor = true', ["git diff", "git show HEAD:a"], ["git status", "git branch"]],
    ["worktree", "[core]\n\tworktree = /", ["git status", "git ls-files", "git log"], []]
  ]
  for (const [name, config, asking, quiet] of settings) {
    it(`asks where ${name} is set, for the subcommands that would use it`, () => {
      const cwd = repository(name, config)
      for (const command of asking) assert.strictEqual(ask(command, { cwd }).decision, "prompt", command)
      for (const command of quiet) assert.strictEqual(ask(command, { cwd }).decision, "allow", command)
      for (const command of asking) assert.strictEqual(ask(`cd ${name} && ${command}`).decision, "prompt", command)
      for (const command of asking)
        assert.strictEqual(ask(command.replace("git", `git -C ${name}`)).decision, "prompt", command)
    })
  }

  it("follows includes, work trees, submodules, folders above, and bare repositories", () => {
    const evil = "[core]\n\tfsmonitor = ./x\n"
    const included = repository("included", '[includeIf "onbranch:main"]\n\tpath = more\n')
    put("ws/included/.git/more", "[include]\n\tpath = ../.git/more\n\tpath = deeper/last\n")
    put("ws/included/.git/deeper/last", evil)

    repository("main", evil)
    put("ws/linked/.git", `gitdir: ${join(workspace, "main/.git/worktrees/linked")}\n`)
    put("ws/main/.git/worktrees/linked/HEAD", "ref: refs/heads/x\n")
    put("ws/main/.git/worktrees/linked/commondir", "../..\n")

    const parent = repository("parent", "")
    put("ws/parent/.gitmodules", '[submodule "s"]\n\tpath = sub/s\n')
    put("ws/parent/sub/s/.git", "gitdir: ../../.git/modules/s\n")
    put("ws/parent/.git/modules/s/config", evil)

    put("ws/bare/HEAD", "ref: refs/heads/main\n")
    put("ws/bare/config", evil)
    mkdirSync(join(workspace, "bare/objects"))

    repository("hooked", "")
    put("ws/hooked/.git/hooks/post-index-change", "", 0o755)

    for (const cwd of [
      included,
      join(workspace, "linked"),
      parent,
      join(workspace, "bare"),
      join(workspace, "main"),
      join(workspace, "hooked")
    ]) {
      assert.strictEqual(ask("git status", { cwd }).decision, "prompt", cwd)
    }
    mkdirSync(join(workspace, "main/a/b"), { recursive: true })
    assert.strictEqual(ask("git status", { cwd: join(workspace, "main/a/b") }).decision, "prompt")
  })

  it("asks where the settings are too large to be read", () => {
    const cwd = repository("large", `[a]\n${"\tb = c\n".repeat(200_000)}`)
    assert.strictEqual(ask("git status", { cwd }).decision, "prompt")
  })
})
