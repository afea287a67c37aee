/** Nothing in the packages reaches a socket or asks for a name, except through the files that this promise names. */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const packages = fileURLToPath(new URL("../../../", import.meta.url))

const sources = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name === "dist" || entry.name === "test") return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sources(path)
    return /\.[cm]?[jt]s$/.test(entry.name) ? [path] : []
  })

const modules = ["net", "tls", "http", "https", "http2", "dgram", "dns", "dns/promises"]
const ways: ReadonlyArray<readonly [string, RegExp]> = [
  ...modules.map((name): readonly [string, RegExp] => [
    `node:${name}`,
    new RegExp(`(?:from|import\\(|require\\(|import)\\s*["'](?:node:)?${name}["']`)
  ]),
  ["undici", /(?:from|import\(|require\(|import)\s*["']undici["']/],
  ["fetch", /(?:^|[^.\w])(?:globalThis\.)?fetch\s*\((?!\s*(?:input|url)\s*:)/m],
  ["WebSocket", /\bnew\s+(?:globalThis\.)?WebSocket\b/],
  ["EventSource", /\bnew\s+(?:globalThis\.)?EventSource\b/],
  [
    "another HTTP client",
    /@effect\/platform(?:-node)?\/(?:FetchHttpClient|NodeHttpClient|NodeSocket|NodeHttpClientUndici)\b/
  ]
]

/** A listener takes connections and makes none: hosts may have one, in the folders of their faces. */
const listens = (path: string, line: string): boolean =>
  path.startsWith(join("host", "src")) &&
  /import (?:type )?\{[^}]*\}/.test(line) &&
  !/\b(?:connect|createConnection|request|get|Agent|Socket)\b/.test(line)

const own = [join("policy", "src", "http"), join("policy", "src", "urls")]

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/[^\n]*/g, "$1")

describe("one way out", () => {
  it("no other file opens a socket or looks up a name", () => {
    const files = sources(packages)
    assert.isAbove(files.length, 50)
    const found: Array<string> = []
    for (const file of files) {
      const path = relative(packages, file)
      if (own.some((folder) => path.startsWith(folder + sep))) continue
      for (const statement of withoutComments(readFileSync(file, "utf8")).split(/\n(?=\S)/)) {
        if (/^import type\b/.test(statement)) continue
        for (const [name, way] of ways)
          if (way.test(statement) && !listens(path, statement)) found.push(`${path}: ${name}`)
      }
    }
    assert.deepStrictEqual(found, [])
  })

  it("recognises every way", () => {
    const samples = [
      'import { connect } from "node:net"',
      "import tls from 'tls'",
      'const http = require("http")',
      'await import("node:https")',
      'import "node:http2"',
      'import * as dgram from "node:dgram"',
      'import { lookup } from "node:dns/promises"',
      'import { lookup } from "node:dns"',
      'import { request } from "undici"',
      "const answer = await fetch(address)",
      "globalThis.fetch(address)",
      "new WebSocket(address)",
      "new EventSource(address)",
      'import * as FetchHttpClient from "@effect/platform/FetchHttpClient"'
    ]
    for (const sample of samples)
      assert.isTrue(
        ways.some(([, way]) => way.test(sample)),
        sample
      )
    assert.isFalse(ways.some(([, way]) => way.test("safe.fetch(request)") || way.test("prefetch(request)")))
  })
})
