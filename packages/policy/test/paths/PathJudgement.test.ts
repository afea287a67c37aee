import { assert, describe, it } from "@effect/vitest"
import { type LiteralNode, literalTree } from "@gatehouse/policy/paths/LiteralTree"
import { judgePath } from "@gatehouse/policy/paths/PathJudgement"
import type { PathPlatform } from "@gatehouse/policy/paths/PathSyntax"
import type { PathVerdict } from "@gatehouse/policy/paths/PathVerdict"
import * as FastCheck from "fast-check"
import { kinds, loadCases } from "../../../../test/vectors/run.mjs"

const vectors = loadCases("sensitive-paths")
const comparator = kinds["sensitive-paths"]

interface Question {
  readonly path: string
  readonly tree?: Readonly<Record<string, LiteralNode>>
  readonly platform?: PathPlatform
  readonly workspace?: string
  readonly home?: string
  readonly base?: string | null
  readonly hostPlaces?: ReadonlyArray<string>
}

const judge = ({ tree = {}, platform = "posix", ...question }: Question): PathVerdict =>
  judgePath(
    { workspace: "/ws", home: "/home/me", base: null, hostPlaces: [], platform, ...question },
    literalTree(tree, platform)
  )

const brief = (verdict: PathVerdict) =>
  `${verdict.insideWorkspace ? "inside" : "outside"} ${verdict.sensitive ? "sensitive" : "plain"} ${verdict.read} ${verdict.write}`

describe("shared cases", () => {
  it("agree", () => {
    assert.isAbove(vectors.length, 100)
    const faults = vectors.flatMap((test: { id: string; input: Question; expect: unknown }) => {
      const verdict = judge(test.input)
      const output = { ...verdict, inside_workspace: verdict.insideWorkspace }
      return comparator.compare(test, output).map((fault: string) => `${test.id} ${fault}`)
    })
    assert.deepStrictEqual(faults, [])
  })
})

describe("a table of neighbours", () => {
  const table: ReadonlyArray<[name: string, question: Question, expected: string]> = [
    [
      "a link to a link out",
      { path: "a/b", tree: { "/ws/a": { link: "c" }, "/ws/c": { link: "/out" } } },
      "outside plain prompt refuse"
    ],
    ["a dangling link out", { path: "n", tree: { "/ws/n": { link: "/out/new" } } }, "outside plain prompt refuse"],
    [
      "a dangling link to a secret",
      { path: "n", tree: { "/ws/n": { link: ".env" } } },
      "inside sensitive prompt prompt"
    ],
    [
      "a link named like a secret",
      { path: ".env", tree: { "/ws/.env": { link: "a.txt" } } },
      "inside plain auto allow"
    ],
    ["a link with a tilde", { path: "t", tree: { "/ws/t": { link: "~/x" } } }, "inside plain auto allow"],
    ["a link to itself", { path: "l", tree: { "/ws/l": { link: "l" } } }, "inside plain refuse refuse"],
    [
      "two links in a ring",
      { path: "a/x", tree: { "/ws/a": { link: "b" }, "/ws/b": { link: "a" } } },
      "inside plain refuse refuse"
    ],
    [
      "below a link into .git",
      { path: "g/hooks/x", tree: { "/ws/g": { link: ".git" } } },
      "inside sensitive prompt prompt"
    ],
    ["a socket", { path: "s", tree: { "/ws/s": { special: "socket" } } }, "inside plain refuse refuse"],
    [
      "a link to a pipe",
      { path: "l", tree: { "/ws/l": { link: "p" }, "/ws/p": { special: "fifo" } } },
      "inside plain refuse refuse"
    ],
    [
      "a second name of a secret outside",
      { path: "h", tree: { "/ws/h": { hardlink: "/home/me/.ssh/id_rsa" }, "/home/me/.ssh/id_rsa": "file" } },
      "inside plain prompt prompt"
    ],
    [
      "a second name of a secret inside",
      { path: "h", tree: { "/ws/h": { hardlink: "/ws/.env" }, "/ws/.env": "file" } },
      "inside plain prompt prompt"
    ],
    [
      "a second name of a plain file inside",
      { path: "h", tree: { "/ws/h": { hardlink: "/ws/a" }, "/ws/a": "file" } },
      "inside plain auto allow"
    ],
    [
      "the workspace is a link",
      { path: "a.txt", tree: { "/ws": { link: "/real" }, "/real": "dir" } },
      "inside plain auto allow"
    ],
    [
      "the home is a link",
      { path: "~/.ssh/x", tree: { "/home/me": { link: "/data/me" } } },
      "outside sensitive prompt refuse"
    ],
    ["a tilde inside", { path: "a/~/b" }, "inside plain auto allow"],
    ["the workspace is the home", { path: "~/a.txt", workspace: "/home/me" }, "inside plain auto allow"],
    ["the workspace's neighbour", { path: "/ws2/a" }, "outside plain prompt refuse"],
    ["the workspace's parent by dots", { path: "a/../.." }, "outside plain prompt refuse"],
    ["a base above", { path: "ws/a", base: "/" }, "inside plain auto allow"],
    ["a relative base", { path: "a", base: "src" }, "inside plain auto allow"],
    ["an empty path", { path: "" }, "inside plain refuse refuse"],
    ["half a character", { path: "a/\ud800" }, "inside plain refuse refuse"],
    ["a line break", { path: "a\nb" }, "inside plain prompt prompt"],
    ["more than 255 bytes of fewer characters", { path: "ä".repeat(128) }, "inside plain refuse refuse"],
    ["255 bytes", { path: "a".repeat(255) }, "inside plain auto allow"],
    ["a path too long as a whole", { path: "abc/".repeat(1100) }, "inside plain refuse refuse"],
    ["very many dots", { path: "../".repeat(20_000) }, "outside plain prompt refuse"],
    ["a manifest with scripts", { path: "sub/package.json" }, "inside plain auto prompt"],
    ["a workflow", { path: ".github/workflows/ci.yml" }, "inside plain auto prompt"],
    ["a tool of an agent core", { path: "agent/tools/x/module.ts" }, "inside plain auto prompt"],
    ["the environment of a process", { path: "/proc/self/environ" }, "outside sensitive refuse refuse"],
    ["facts of the machine", { path: "/proc/cpuinfo" }, "outside plain prompt refuse"],
    [
      "another's process by a link",
      { path: "p/environ", tree: { "/ws/p": { link: "/proc/1" } } },
      "outside sensitive refuse refuse"
    ],
    ["shadow", { path: "/etc/shadow" }, "outside sensitive prompt refuse"],
    ["a workspace whose own files are called so", { path: "etc/shadow" }, "inside plain auto allow"],
    [
      "the machine's secrets in a workspace that holds all",
      { path: "etc/shadow", workspace: "/" },
      "inside sensitive prompt prompt"
    ],
    ["a workspace among the machine's own", { path: "a", workspace: "/var/lib/docker/x" }, "inside plain auto allow"],
    ["a process, the workspace holding all", { path: "/proc/1/mem", workspace: "/" }, "inside sensitive refuse refuse"],
    [
      "the host's folder",
      { path: "~/.gatehouse/key", hostPlaces: ["/home/me/.gatehouse"] },
      "outside sensitive refuse refuse"
    ],
    [
      "a workspace in the host's folder",
      { path: "a", workspace: "/home/me/.gatehouse/run/1", hostPlaces: ["/home/me/.gatehouse"] },
      "inside plain auto allow"
    ],
    [
      "beside a workspace in the host's folder",
      { path: "../2/a", workspace: "/home/me/.gatehouse/run/1", hostPlaces: ["/home/me/.gatehouse"] },
      "outside sensitive refuse refuse"
    ],
    [
      "the host's folder in the workspace",
      { path: ".gatehouse/key", hostPlaces: ["/ws/.gatehouse"] },
      "inside sensitive refuse refuse"
    ]
  ]
  it.each(table)("%s", (_, question, expected) => assert.strictEqual(brief(judge(question)), expected))
})

describe("Windows", () => {
  const table: ReadonlyArray<[path: string, expected: string]> = [
    ["a.txt", "inside plain auto allow"],
    ["src\\..\\a.txt", "inside plain auto allow"],
    ["src/app.ts", "inside plain auto allow"],
    ["C:\\WS\\a.txt", "inside plain auto allow"],
    ["c:/ws/a.txt", "inside plain auto allow"],
    ["\\ws\\a.txt", "inside plain auto allow"],
    ["\\\\?\\C:\\ws\\a.txt", "inside plain auto allow"],
    ["..\\..\\etc", "outside plain prompt refuse"],
    ["C:\\ws2\\a.txt", "outside plain prompt refuse"],
    ["D:\\ws\\a.txt", "outside plain prompt refuse"],
    ["\\\\server\\share\\a.txt", "outside plain prompt refuse"],
    ["C:a.txt", "outside plain refuse refuse"],
    ["D:a.txt", "outside plain refuse refuse"],
    ["\\\\.\\PhysicalDrive0", "outside plain refuse refuse"],
    ["\\\\?\\GLOBALROOT\\Device\\x", "outside plain refuse refuse"],
    ["NUL", "inside plain refuse refuse"],
    ["src\\con.txt", "inside plain refuse refuse"],
    ["COM1 .log", "inside plain refuse refuse"],
    ["console.log", "inside plain auto allow"],
    ["a.txt:stream", "inside plain refuse refuse"],
    [".env::$DATA", "inside sensitive refuse refuse"],
    ["...", "inside plain refuse refuse"],
    ["a?b", "inside plain refuse refuse"],
    [".env. .", "inside sensitive prompt prompt"],
    [".ENV", "inside sensitive prompt prompt"],
    [".GIT\\config", "inside sensitive prompt prompt"],
    ["GIT~1\\config", "inside sensitive prompt prompt"],
    ["LONGNA~1.TXT", "inside plain prompt prompt"],
    ["~\\.ssh\\id_rsa", "outside sensitive prompt refuse"],
    ["C:\\Users\\me\\.aws\\credentials", "outside sensitive prompt refuse"]
  ]
  it.each(table)("%s", (path, expected) => {
    const verdict = judge({ path, platform: "windows", workspace: "C:\\ws", home: "C:\\Users\\me" })
    assert.strictEqual(brief(verdict), expected)
  })

  it("asks no other machine for a name", () => {
    const asked: Array<string> = []
    const question = { path: "\\\\server\\share\\a", workspace: "C:\\ws", home: "C:\\u", base: null, hostPlaces: [] }
    judgePath({ ...question, platform: "windows" }, { lookup: (path) => (asked.push(path), null), namesOf: () => null })
    assert.deepStrictEqual(
      asked.filter((path) => path.startsWith("\\\\")),
      []
    )
  })
})

const strictness = { auto: 0, allow: 0, prompt: 1, refuse: 2 } as const
const name = FastCheck.constantFrom(
  "a",
  "b",
  "src",
  ".env",
  ".ssh",
  ".git",
  "id_rsa",
  "..x",
  "package.json",
  "x.pem",
  "ä"
)
const pathParts = FastCheck.array(name, { minLength: 1, maxLength: 5 })

describe("properties", () => {
  it("what is judged inside lies inside, whatever dots, links and bases say", () => {
    const step = FastCheck.constantFrom("a", "b", "c", "..", ".", "", ".env", "~")
    const target = FastCheck.array(step, { maxLength: 4 }).map((parts) => parts.join("/"))
    const link = FastCheck.tuple(
      FastCheck.constantFrom("/ws/a", "/ws/b", "/ws/a/b", "/out/c"),
      FastCheck.oneof(
        target,
        target.map((text) => `/${text}`)
      )
    )
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(link, { maxLength: 4 }),
        FastCheck.array(step, { maxLength: 8 }),
        FastCheck.option(target),
        (links, steps, base) => {
          const tree = Object.fromEntries(links.map(([path, text]) => [path, { link: text }]))
          const verdict = judge({ path: steps.join("/"), tree, base })
          const parts = verdict.resolved.split("/")
          assert.isFalse(parts.includes("..") || parts.includes("."), verdict.resolved)
          assert.strictEqual(verdict.insideWorkspace, verdict.resolved === "/ws" || verdict.resolved.startsWith("/ws/"))
          if (verdict.read !== "refuse") {
            // Judged again where it led, the verdict is the same: nothing is gained by the way there.
            const again = judge({ path: verdict.resolved, tree })
            assert.strictEqual(brief(again), brief(verdict))
            assert.strictEqual(again.resolved, verdict.resolved)
          }
          if (!verdict.insideWorkspace) {
            assert.strictEqual(verdict.write, "refuse")
            assert.notStrictEqual(verdict.read, "auto")
          }
        }
      ),
      { numRuns: 2000 }
    )
  })

  it("a link never makes a place softer", () => {
    FastCheck.assert(
      FastCheck.property(pathParts, FastCheck.boolean(), (parts, outside) => {
        const place = `${outside ? "/out" : "/ws"}/${parts.join("/")}`
        const direct = judge({ path: place })
        const linked = judge({ path: "innocent.txt", tree: { "/ws/innocent.txt": { link: place } } })
        const hard = judge({ path: "innocent.txt", tree: { "/ws/innocent.txt": { hardlink: place }, [place]: "file" } })
        assert.strictEqual(brief(linked), brief(direct))
        assert.isAtLeast(strictness[hard.read], Math.min(strictness[direct.read], 1))
      })
    )
  })

  it("dots, doubled slashes and letter case never make a place softer", () => {
    FastCheck.assert(
      FastCheck.property(
        pathParts,
        FastCheck.constantFrom("./", "x/../", "/", "x/y/../../"),
        FastCheck.boolean(),
        (parts, detour, upper) => {
          const direct = judge({ path: parts.join("/") })
          const spelt = judge({ path: parts.map((part) => (upper ? part.toUpperCase() : part)).join(`/${detour}`) })
          assert.isAtLeast(strictness[spelt.read], strictness[direct.read])
          assert.isAtLeast(strictness[spelt.write], strictness[direct.write])
        }
      )
    )
  })

  it("no text breaks it, and Windows rules are as total", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.string({ unit: "binary", maxLength: 60 }),
        FastCheck.constantFrom("posix" as const, "windows" as const),
        (path, platform) => {
          const verdict = judge({ path, platform, workspace: platform === "posix" ? "/ws" : "C:\\ws" })
          if (path.includes("\0")) assert.strictEqual(verdict.read, "refuse")
          if (verdict.read === "refuse") assert.strictEqual(verdict.write, "refuse")
        }
      ),
      { numRuns: 2000 }
    )
  })
})
