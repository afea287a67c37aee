/**
 * Promise: `gatehouse check` starts nothing, writes nothing, opens no socket and makes no home, whatever it is asked about.
 * Watched from outside the code: the trees on disk with every time of every file, the children of this process, its
 * descriptors, and a socket that listens.
 */

import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { runCheck } from "@gatehouse/host/cli/verbs/Check"
import { runCheckAll } from "@gatehouse/host/cli/verbs/CheckAll"
import { runCheckCall } from "@gatehouse/host/cli/verbs/CheckCall"
import { runStandingTest } from "@gatehouse/host/cli/verbs/StandingAnswers"
import * as Effect from "effect/Effect"
import { type CliPlace, cliPlace, commandLayer } from "../../packages/host/test/support/CliPlace.ts"

/** Leaves a file behind when it is imported, started or asked. */
const witness = (path: string) =>
  `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(path)}, "")\n`

const files = {
  "core/agent.yaml": `agent: { id: watched }
tools: { toolsets: [coding, control] }
capabilities:
  defaults:
    fs.read: { scope: workspace }
    fs.write: { scope: workspace }
    terminal.exec: { scope: workspace }
    network.fetch: { scope: workspace }
    note.write: { scope: workspace }
    "mcp.connect:docs": { scope: workspace }
    "secret.bind:TOKEN": { scope: workspace }
`,
  "core/agent/tools/note/tool.yaml": "description: Notes.\ncapability: note.write\napproval_policy: auto\n",
  "core/agent/tools/note/module.mjs": `${witness("imported")}export const execute = () => "noted"\n`,
  "core/agent/mcp/docs.yaml": "transport: stdio\ncommand: node\nargs: [server.mjs]\n",
  "core/agent/policy/calls.yaml": `call:
  - id: notes-run
    input: { tool: note }
    expect: { decision: run }
  - id: tests-ask
    input: { tool: terminal, arguments: { command: npm test } }
    expect: { decision: ask }
command:
  - id: readers-run
    input: { command: cat README.md }
    expect: { decision: allow }
`,
  "workspace/README.md": "# Watched\n",
  "workspace/server.mjs": witness("started"),
  "workspace/package.json": '{ "scripts": { "test": "touch ran" } }\n',
  "workspace/.git/HEAD": "ref: refs/heads/main\n",
  "workspace/.git/config": "[core]\n\tfsmonitor = ./fsmonitor\n",
  "workspace/fsmonitor": "#!/bin/sh\ntouch monitored\n"
}

const calls = (port: number): ReadonlyArray<readonly [string, unknown]> => [
  ["read_file", { path: "README.md" }],
  ["write_file", { path: "new/file.txt", content: "text" }],
  ["patch", { path: "README.md", old: "Watched", new: "Changed" }],
  ["search_files", { query: "Watched" }],
  ["terminal", { command: "npm test" }],
  ["terminal", { command: "git status" }],
  ["terminal", { command: "touch made", secret_bindings: [{ source: "env:TOKEN", target: "TOKEN" }] }],
  ["terminal", { command: "sleep 5 & sleep 5" }],
  ["web_extract", { url: `http://127.0.0.1:${port}/` }],
  ["web_extract", { url: "https://name-that-nobody-has.example/" }],
  ["note", {}],
  ["docs", {}],
  ["tools_list", {}]
]

/** Every path below `root` with what would tell that it was made, written or replaced. */
const tree = (root: string): ReadonlyArray<string> => {
  const seen: Array<string> = []
  const visit = (path: string): void => {
    const { ctimeNs, ino, mode, mtimeNs, size }: BigIntStats = lstatSync(path, { bigint: true })
    seen.push(`${path} ${ino} ${mode} ${size} ${mtimeNs} ${ctimeNs}`)
    if (lstatSync(path).isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name))
  }
  visit(root)
  return seen
}

/**
 * Children that are there, and the page faults of those that were and are gone (proc(5): `cminflt`, `cmajflt`): starting
 * even one makes hundreds.
 */
const children = (): string => {
  const here = readdirSync("/proc/self/task").flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean)
  )
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
  return `${here.join(" ")} faults ${fields[8]} ${fields[10]}`
}

/** What this process has open: files by their names, sockets by their numbers. */
const descriptors = (): ReadonlyArray<string> =>
  readdirSync("/proc/self/fd")
    .map((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`)
      } catch {
        return "" // The one that lists them.
      }
    })
    .filter((target) => target !== "" && !target.startsWith("/proc/"))
    .sort()

/** A listener on loopback that counts who comes. */
const listener = Effect.acquireRelease(
  Effect.async<{ readonly port: number; readonly came: () => number; readonly close: () => void }>((resume) => {
    let came = 0
    const server = createServer((socket) => {
      came += 1
      socket.destroy()
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ port, came: () => came, close: () => void server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

/** What must be as it was when `verify` is called; descriptors from the moment on when `settled` is. */
const watch = (place: CliPlace) => {
  const before = { tree: tree(place.root), children: children() }
  let opened: ReadonlyArray<string> | null = null
  return {
    settled: () => void (opened = descriptors()),
    verify: (what: string) => {
      assert.deepStrictEqual(tree(place.root), before.tree, `${what}: a file`)
      assert.strictEqual(children(), before.children, `${what}: a process`)
      if (opened !== null) assert.deepStrictEqual(descriptors(), opened, `${what}: a descriptor`)
    }
  }
}

/** A host is composed for each of some thirty questions. */
const slowMillis = 90_000

describe("gatehouse check", () => {
  for (const [name, settings] of [
    ["without a home", null],
    ["with the settings of a home", "network: { private_addresses: allowed }\napproval: { default: auto }\n"]
  ] as const) {
    it.live(
      `does nothing, ${name}`,
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const place = yield* cliPlace({
              ...files,
              ...(settings === null ? {} : { "home/settings.yaml": settings })
            })
            const { came, port } = yield* listener
            const run = <A, E>(command: Effect.Effect<A, E, never>) => Effect.either(command)
            const options = { ...place.places, as: "local", json: true, expect: null }
            const call = (tool: string, args: unknown) =>
              runCheckCall({ ...options, rest: [tool, JSON.stringify(args)] }).pipe(Effect.provide(commandLayer(place)))
            const { settled, verify } = watch(place)
            // What is loaded once may open a descriptor; files and processes are watched from the beginning.
            for (const [tool, args] of calls(port)) {
              yield* run(call(tool, args))
              verify(`the first ${tool}`)
            }
            settled()
            for (const [tool, args] of calls(port)) {
              yield* run(call(tool, args))
              verify(`${tool} ${JSON.stringify(args)}`)
            }
            yield* runCheckAll(options).pipe(Effect.provide(commandLayer(place)))
            verify("check all")
            yield* runStandingTest({ ...options, tool: "terminal", args: '{"command":"npm test"}' }).pipe(
              Effect.provide(commandLayer(place))
            )
            verify("approvals standing test")
            for (const [kind, text] of [
              ["command", "npm test"],
              ["url", `http://127.0.0.1:${port}/`]
            ] as const) {
              yield* runCheck({ kind, rest: [text], json: true, expect: null }).pipe(
                Effect.provide(commandLayer(place))
              )
              verify(`check ${kind}`)
            }
            assert.strictEqual(came(), 0)
            assert.isTrue(
              place.said.result.some((line) => line.includes('"decision":"ask"')),
              "questions were answered"
            )
          })
        ),
      slowMillis
    )
  }
})
