import { posix } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { buildCore } from "@gatehouse/catalog/cores/BuildCore"
import { importMcpServers } from "@gatehouse/catalog/imports/McpServersImport"
import { readManifest } from "@gatehouse/catalog/manifests/Manifest"
import { starterCore } from "@gatehouse/catalog/starter/StarterCore"
import { Fingerprint } from "@gatehouse/core/Fingerprint"
import { CoreRevision } from "@gatehouse/core/Identifiers"
import * as Either from "effect/Either"
import * as fc from "fast-check"

const coreFrom = (files: Readonly<Record<string, string>>) =>
  buildCore({
    root: "/core",
    revision: CoreRevision("tree:test"),
    paths: new Set(Object.keys(files)),
    texts: new Map(Object.entries(files).filter(([path]) => path.endsWith(".yaml"))),
    digestOf: () => Fingerprint("")
  })

describe("the starter core", () => {
  it("is valid without a single diagnostic, for any name", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((id) => id.trim() !== "" && !/[\p{Cc}\p{Cs}]/u.test(id)),
        (id) => {
          const core = Either.getOrThrow(coreFrom(starterCore(id)))
          assert.strictEqual(core.manifest.agent.id, id)
          assert.deepStrictEqual(core.diagnostics, [])
        }
      ),
      { numRuns: 30 }
    )
  })

  it("points editors at schemas that it brings along", () => {
    const files = starterCore("helper")
    for (const [path, text] of Object.entries(files)) {
      const [, schema] = /^# yaml-language-server: \$schema=(.+)$/m.exec(text) ?? []
      if (path.endsWith(".yaml")) assert.property(files, posix.join(posix.dirname(path), schema ?? "none"))
    }
  })
})

describe("taking over the servers of another client", () => {
  const taken = (json: unknown) => Either.getOrThrow(importMcpServers(json))

  it("writes valid declarations without secrets, and names what has to be set", () => {
    const secret = "sk-live-0123456789abcdefABCDEF"
    const { files, notes, variables } = taken({
      mcpServers: {
        github: {
          command: "npx",
          args: ["-y", "@scope/server-github", "--token", secret, `--api-key=${secret}`],
          env: { GITHUB_TOKEN: secret, LOG_LEVEL: "info" }
        },
        "remote docs": {
          type: "http",
          url: `https://docs.example/mcp?api_key=${secret}`,
          headers: { Authorization: `Bearer ${secret}`, Accept: "*/*" }
        },
        off: { command: "x", disabled: true, autoApprove: ["*"] }
      }
    })
    assert.deepStrictEqual(Object.keys(files), [
      "agent/mcp/github.yaml",
      "agent/mcp/remote-docs.yaml",
      "agent/mcp/off.yaml"
    ])
    for (const [path, text] of Object.entries(files)) {
      assert.notInclude(text, secret)
      const reading = readManifest(path, text)
      assert.isTrue(reading !== null && Either.isRight(reading), path)
    }
    assert.notInclude(JSON.stringify(notes), secret)
    assert.include(files["agent/mcp/github.yaml"], "@scope/server-github")
    assert.include(files["agent/mcp/github.yaml"], "LOG_LEVEL: info")
    assert.include(files["agent/mcp/remote-docs.yaml"], "Bearer ${REMOTE_DOCS_AUTHORIZATION}")
    assert.include(files["agent/mcp/off.yaml"], "enabled: false")
    assert.includeMembers([...variables], ["GITHUB_TOKEN", "REMOTE_DOCS_API_KEY", "REMOTE_DOCS_AUTHORIZATION"])
    assert.isTrue(
      notes.some(
        ({ kind, message, server }) => server === "off" && kind === "dropped" && message.includes("autoApprove")
      )
    )
    assert.strictEqual(notes.filter(({ kind }) => kind === "tightened").length, 3)
  })

  it("reads what VS Code writes", () => {
    const { files, variables } = taken({
      inputs: [],
      servers: {
        docs: { type: "stdio", command: "docs", env: { API_KEY: "${input:docs-key}", HOME_DIR: "${env:HOME}" } }
      }
    })
    assert.include(files["agent/mcp/docs.yaml"], "${DOCS_KEY}")
    assert.deepStrictEqual(variables, ["DOCS_KEY", "HOME"])
  })

  it("tells of a server that cannot be taken over, and takes the others", () => {
    const { files, notes } = taken({
      mcpServers: {
        bad: { url: "https://user:pw123456@x.example/" },
        "": { command: "x" },
        worse: 7,
        good: { command: "a" }
      }
    })
    assert.deepStrictEqual(Object.keys(files), ["agent/mcp/good.yaml"])
    assert.strictEqual(notes.filter(({ kind }) => kind === "refused").length, 3)
    assert.notInclude(JSON.stringify(notes), "pw123456")
  })

  it("refuses JSON that holds no servers", () => {
    for (const json of [{}, [], null, "x", { mcpServers: [] }, { servers: 1 }])
      assert.isTrue(Either.isLeft(importMcpServers(json)))
  })
})
