import { assert, describe, it } from "@effect/vitest"
import { snippet, withEndpoint } from "@gatehouse/host/clients/ClientConfig"
import { type ClientProfile, clientIds, clientProfiles, type Reach } from "@gatehouse/host/clients/ClientProfiles"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import { parse } from "jsonc-parser"

const stdio: Reach = { kind: "stdio", command: "gatehouse", args: ["serve", "--core", "/a core"] }
const http: Reach = { kind: "http", url: "http://127.0.0.1:8977/mcp", tokenFile: "/home/me/.gatehouse/endpoint-token" }
const profileOf = (id: keyof typeof clientProfiles): ClientProfile => clientProfiles[id]

const changed = (profile: ClientProfile, text: string, reach: Reach = stdio) =>
  Either.getOrThrowWith(withEndpoint(profile, text, reach), (why) => new Error(why))

describe("what a client is given", () => {
  const expected: Readonly<Record<keyof typeof clientProfiles, readonly [unknown, unknown]>> = {
    "claude-code": [
      { mcpServers: { gatehouse: { type: "stdio", command: "gatehouse", args: ["serve", "--core", "/a core"] } } },
      {
        mcpServers: {
          gatehouse: { type: "http", url: http.url, headers: { Authorization: "Bearer ${GATEHOUSE_TOKEN}" } }
        }
      }
    ],
    codex: [
      '[mcp_servers.gatehouse]\ncommand = "gatehouse"\nargs = ["serve","--core","/a core"]',
      '[mcp_servers.gatehouse]\nurl = "http://127.0.0.1:8977/mcp"\nbearer_token_env_var = "GATEHOUSE_TOKEN"'
    ],
    gemini: [
      { mcpServers: { gatehouse: { command: "gatehouse", args: ["serve", "--core", "/a core"] } } },
      { mcpServers: { gatehouse: { httpUrl: http.url, headers: { Authorization: "Bearer $GATEHOUSE_TOKEN" } } } }
    ],
    opencode: [
      { mcp: { gatehouse: { type: "local", command: ["gatehouse", "serve", "--core", "/a core"], enabled: true } } },
      {
        mcp: {
          gatehouse: {
            type: "remote",
            url: http.url,
            enabled: true,
            headers: { Authorization: "Bearer {env:GATEHOUSE_TOKEN}" }
          }
        }
      }
    ],
    vscode: [
      { servers: { gatehouse: { type: "stdio", command: "gatehouse", args: ["serve", "--core", "/a core"] } } },
      {
        servers: {
          gatehouse: { type: "http", url: http.url, headers: { Authorization: "Bearer ${env:GATEHOUSE_TOKEN}" } }
        }
      }
    ],
    cursor: [
      { mcpServers: { gatehouse: { command: "gatehouse", args: ["serve", "--core", "/a core"] } } },
      { mcpServers: { gatehouse: { url: http.url, headers: { Authorization: "Bearer ${env:GATEHOUSE_TOKEN}" } } } }
    ]
  }
  it.each(clientIds)("%s", (id) => {
    const profile = profileOf(id)
    const read = (reach: Reach): unknown =>
      profile.format === "json" ? JSON.parse(snippet(profile, reach)) : snippet(profile, reach)
    assert.deepStrictEqual([read(stdio), read(http)], [...expected[id]])
    assert.include(changed(profile, "").text, "gatehouse")
  })

  it("a command of Claude Code holds words of a shell, and no token", () => {
    assert.strictEqual(
      clientProfiles["claude-code"].command(stdio),
      "claude mcp add gatehouse -- gatehouse serve --core '/a core'"
    )
    assert.include(clientProfiles["claude-code"].command(http), "$(cat /home/me/.gatehouse/endpoint-token)")
  })
})

describe("a configuration that is there", () => {
  it("keeps comments, other servers and other settings", () => {
    const before = `{\n  // mine\n  "theme": "dark",\n  "mcpServers": {\n    "docs": { "command": "docs" }\n  }\n}\n`
    const { others, text } = changed(profileOf("cursor"), before)
    assert.include(text, "// mine")
    assert.deepStrictEqual(others, ["docs"])
    assert.deepStrictEqual(parse(text), {
      theme: "dark",
      mcpServers: {
        docs: { command: "docs" },
        gatehouse: { command: "gatehouse", args: ["serve", "--core", "/a core"] }
      }
    })
  })

  it("is the same after a second time, in every client", () => {
    for (const id of clientIds) {
      const once = changed(profileOf(id), "").text
      assert.strictEqual(changed(profileOf(id), once).text, once, id)
    }
  })

  it("is refused where it cannot be edited", () => {
    for (const text of ['{"mcpServers": [', "[]", '{"mcpServers": []}', '{"mcpServers": "x"}'])
      assert.isTrue(Either.isLeft(withEndpoint(profileOf("cursor"), text, stdio)), text)
  })

  it("in TOML loses nothing but the endpoint's own tables", () => {
    const before = `model = "m"\n\n[mcp_servers.docs]\ncommand = "docs"\n\n[mcp_servers.gatehouse]\ncommand = "old"\n\n[mcp_servers.gatehouse.env]\nA = "1"\n\n[profiles.x]\nmodel = "y"\n`
    const { others, text } = changed(profileOf("codex"), before)
    assert.deepStrictEqual(others, ["docs"])
    assert.notInclude(text, "old")
    assert.notInclude(text, 'A = "1"')
    for (const kept of ['model = "m"', "[mcp_servers.docs]", "[profiles.x]", 'model = "y"']) assert.include(text, kept)
    assert.strictEqual(text.split("[mcp_servers.gatehouse]").length, 2)
  })

  it("of any JSON stays what it was beside the endpoint", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (settings) => {
        const { mcpServers: _, ...rest } = settings
        const { mcpServers, ...kept } = JSON.parse(changed(profileOf("gemini"), JSON.stringify(rest)).text)
        assert.deepStrictEqual(kept, JSON.parse(JSON.stringify(rest)))
        assert.deepStrictEqual(Object.keys(mcpServers), ["gatehouse"])
      })
    )
  })
})
