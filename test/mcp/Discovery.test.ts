/** How servers are opened: side by side within the limit, each in its own time, whatever the others do. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  admit,
  call,
  diagnosticsOf,
  fixture,
  hostOf,
  makePerson,
  makePlace,
  mcpNames,
  newSession,
  processesOf,
  stdioYaml,
  withDeclarations,
  withServers,
  writeCore,
  writeServer
} from "./Harness.ts"

/** A server that notes when it starts, and when it has listed its tools. */
const gauge = (journal: string, delay: number): string => `
  const { appendFileSync } = require("node:fs");
  appendFileSync(${JSON.stringify(journal)}, "+");
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line); if (id === undefined) return;
    const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
    if (method === "initialize") return answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "g", version: "1" } });
    setTimeout(() => { appendFileSync(${JSON.stringify(journal)}, "-"); answer({ tools: [{ name: "read", inputSchema: { type: "object" } }] }) }, ${delay});
  }).on("close", () => process.exit(0));`

describe("discovery", () => {
  it.live("bad servers cost themselves only, and leave nothing behind", () =>
    withServers(
      {
        never: { fixture: "init-never", more: "connect_timeout_seconds: 1\n" },
        hang: { fixture: "init-list-hang", more: "connect_timeout_seconds: 1\n" },
        slow: {
          fixture: "init-slow",
          args: ["--delay", "700", "--list-delay", "700"],
          more: "connect_timeout_seconds: 1\n"
        },
        exit: { fixture: "init-exit", args: ["--code", "3"] },
        early: { fixture: "init-exit", args: ["--code", "4", "--early"] },
        good: { fixture: "init-slow", args: ["--delay", "100"] }
      },
      ({ place, turn }) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(mcpNames(turn), ["good__echo"])
          const told = diagnosticsOf(turn)
          for (const server of ["never", "hang", "slow"])
            assert.match(told, new RegExp(`${server}: is not open.*timed out`))
          assert.match(told, /exit: is not open.*exit code 3/)
          assert.match(told, /early: is not open.*exit code 4/)
          assert.match(told, /exit code 3.*it wrote: /)
          for (const name of ["init-never", "init-list-hang", "init-exit"])
            assert.deepStrictEqual(processesOf(fixture(name)), [])
          const log = join(place.home, "logs/mcp/exit.log")
          assert.strictEqual(statSync(log).mode & 0o777, 0o600)
          assert.strictEqual(statSync(join(place.home, "logs/mcp")).mode & 0o777, 0o700)
          assert.include(readFileSync(log, "utf8"), "exit code 3")
          assert.strictEqual((yield* call(turn, "good__echo", { value: "x" })).status, "succeeded")
        })
    )
  )

  it.live("four at once over all sessions and never five, names in the order of the declarations", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const place = yield* makePlace
        const person = makePerson()
        const journal = join(place.root, "journal")
        writeFileSync(journal, "")
        const servers = Array.from({ length: 6 }, (_, index) => `s${index}`)
        writeCore(place, servers)
        for (const [index, server] of servers.entries()) {
          writeServer(
            place,
            server,
            `command: ${JSON.stringify(process.execPath)}\nargs: [-e, ${JSON.stringify(gauge(journal, index % 2 === 0 ? 250 : 100))}]\n`
          )
        }
        yield* Effect.gen(function* () {
          const sessions = [yield* newSession(place), yield* newSession(place)]
          const turns = yield* Effect.forEach(sessions, (session) => admit(place, session), { concurrency: 2 })
          for (const turn of turns) {
            assert.deepStrictEqual(
              mcpNames(turn),
              servers.map((server) => `${server}__read`)
            )
          }
        }).pipe(Effect.scoped, Effect.provide(hostOf({ place, person })))
        let inside = 0
        let most = 0
        for (const mark of readFileSync(journal, "utf8")) {
          inside += mark === "+" ? 1 : -1
          most = Math.max(most, inside)
        }
        assert.strictEqual(inside, 0)
        assert.strictEqual(most, 4)
      })
    )
  )

  it.live("a failure is remembered for its server, and the healthy ones keep their process", () =>
    withServers({ bad: { fixture: "init-exit" }, good: { fixture: "init-slow" } }, ({ person, place, session, turn }) =>
      Effect.gen(function* () {
        const asked = person.asked.length
        const pids = processesOf(fixture("init-slow"))
        const next = yield* admit(place, session)
        assert.strictEqual(next.catalog, turn.catalog)
        assert.strictEqual(person.asked.length, asked)
        assert.deepStrictEqual(processesOf(fixture("init-slow")), pids)
        assert.deepStrictEqual(next.catalog.diagnostics, turn.catalog.diagnostics)
      })
    )
  )

  it.live("a flood on standard error neither blocks nor grows, and its end is kept", () =>
    withServers({ docs: { fixture: "stderr-flood", args: ["--megabytes", "20"] } }, ({ turn }) =>
      Effect.sync(() => assert.isAbove(mcpNames(turn).length, 0))
    )
  )
})

describe("nothing before its gates", () => {
  const touching = (path: string): string =>
    `command: ${JSON.stringify(process.execPath)}\nargs: [-e, ${JSON.stringify(`require("fs").writeFileSync(${JSON.stringify(path)}, "ran")`)}]\n`

  it.live("a denied question starts nothing, and is asked again in the next turn", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const place = yield* makePlace
        const person = makePerson()
        person.answer = () => "deny"
        const mark = join(place.root, "mark")
        writeCore(place, ["docs"])
        writeServer(place, "docs", touching(mark))
        yield* Effect.gen(function* () {
          const session = yield* newSession(place)
          const turn = yield* admit(place, session)
          assert.include(diagnosticsOf(turn), "docs: is not open (denied)")
          yield* admit(place, session)
        }).pipe(Effect.scoped, Effect.provide(hostOf({ place, person })))
        assert.strictEqual(person.asked.length, 2)
        assert.isFalse(existsSync(mark))
      })
    )
  )

  it.live("without the capability nobody is asked; with another folder, a missing variable or a bad URL neither", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const place = yield* makePlace
        const person = makePerson()
        const mark = join(place.root, "mark")
        writeCore(place, ["cwd", "gone", "variable", "url", "link"])
        writeServer(place, "plain", touching(mark))
        writeServer(place, "cwd", `${touching(mark)}cwd: ..\n`)
        writeServer(place, "gone", `${touching(mark)}cwd: nowhere\n`)
        writeServer(place, "variable", `${touching(mark)}env: {TOKEN: "\${NOT_THERE}"}\n`)
        writeServer(place, "url", "transport: streamable_http\nurl: http://169.254.169.254/mcp\n")
        yield* Effect.gen(function* () {
          const turn = yield* admit(place, yield* newSession(place))
          const told = diagnosticsOf(turn)
          assert.match(told, /plain: is not open \(denied\).*capability/)
          assert.match(told, /cwd: is not open \(denied\).*outside the workspace/)
          assert.match(told, /gone: is not open \(invalid\).*no folder/)
          assert.match(told, /variable: is not open \(invalid\).*NOT_THERE/)
          assert.match(told, /url: is not open \(denied\)/)
        }).pipe(Effect.scoped, Effect.provide(hostOf({ place, person })))
        assert.deepStrictEqual(person.asked, [])
        assert.isFalse(existsSync(mark))
      })
    )
  )

  it.live("the question shows names and shapes, and no value", () =>
    withDeclarations(
      {
        docs: `${stdioYaml({ fixture: "echo-environment", args: ["--token=tok-canary-1", "--flag", "positional-canary"] })}env: {API_KEY: "key-canary-3", PLAIN: "\${HOST_VALUE}"}\n`
      },
      ({ person, place, turn }) =>
        Effect.gen(function* () {
          const question = JSON.stringify(person.asked[0])
          for (const value of ["tok-canary", "positional-canary", "key-canary", "host-canary"])
            assert.notInclude(question, value)
          for (const name of ["API_KEY", "PLAIN", "--token", "--flag"]) assert.include(question, name)
          const result = yield* call(turn, "docs__environment")
          assert.strictEqual(result.status, "succeeded")
          const told = result.views.model.text
          assert.notInclude(told, "key-canary-3")
          assert.notInclude(told, "UNLISTED")
          assert.notInclude(told, "host-canary-4")
          assert.include(told, `"cwd": "${place.workspace}"`)
          assert.include(told, '"PLAIN"')
        }),
      { environment: { HOST_VALUE: "host-canary-4", UNLISTED: "unlisted-canary" } }
    )
  )
})
