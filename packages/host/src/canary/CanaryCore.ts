/** The core and the workspace of a canary run: tools, servers and files that give away what they hold, wherever they can. */
import type { PlaceFiles } from "../home/ThrowAwayPlace.boundary.ts"
import { canaryServer } from "./CanaryServer.ts"
import type { Planted } from "./PlantedSecrets.ts"

/** What the core's programs are found by. */
export interface CanaryPrograms {
  /** Absolute path of `node`. */
  readonly node: string
  /** Where the library is that tools may describe their work with. */
  readonly effect: string
}

/** The variables of the host that is put to the test. */
export const canaryEnvironment = (planted: Planted): Readonly<Record<string, string>> => ({
  CANARY_SERVICE_TOKEN: planted.boundToken.value,
  CANARY_QUIET: planted.boundQuiet.value,
  CANARY_API_KEY: planted.environment.value,
  CANARY_MCP_TOKEN: planted.mcpToken.value,
  CANARY_MCP_WORD: planted.mcpQuiet.value,
  CANARY_HEADER: `Bearer ${planted.header.value}`,
  CANARY_URL_WORD: planted.url.value
})

/** Text of the host's settings. */
export const canarySettings = "network:\n  private_addresses: allowed\n"

const agent = (servers: ReadonlyArray<string>): string => `agent:
  id: canary
tools:
  toolsets: [coding, control]
capabilities:
  defaults:
    fs.read: {scope: workspace}
    fs.write: {scope: workspace}
    terminal.exec: {scope: workspace}
    network.fetch: {scope: workspace}
    canary.call: {scope: workspace}
    secret.bind:CANARY_SERVICE_TOKEN: {scope: workspace}
    secret.bind:CANARY_QUIET: {scope: workspace}
${servers.map((server) => `    mcp.connect:${server}: {}\n    mcp.call:${server}: {}\n`).join("")}`

/** Everything that the first turn is prepared from. */
export const canaryFiles = (planted: Planted, { effect, node }: CanaryPrograms): PlaceFiles => ({
  core: {
    "agent.yaml": agent(["canary"]),
    "agent/tools/betray/tool.yaml": `description: Gives away what it is given.
capability: canary.call
approval_policy: prompt
input_schema:
  type: object
  properties:
    how: {type: string}
    api_key: {type: string}
    headers: {type: object}
  required: [how]
  additionalProperties: false
`,
    "agent/tools/betray/module.mjs": betray(planted, effect),
    "agent/mcp/canary.yaml": `command: ${JSON.stringify(node)}
args: [canary-server.mjs, "--access-token", "${planted.mcpOption.value}"]
env:
  CANARY_TOKEN: "\${CANARY_MCP_TOKEN}"
  CANARY_WORD: "\${CANARY_MCP_WORD}"
`
  },
  workspace: {
    "canary-server.mjs": canaryServer(planted),
    "notes.txt": `The service is at example.invalid.\npassword: ${planted.file.value}\nSee ${planted.fileToken.value} too.\nThe host has ${planted.environment.value}.\n`,
    "large.txt": `${"A line of words that says nothing at all.\n".repeat(600)}${planted.large.value}\n${"And more of them.\n".repeat(900)}`,
    "key.txt": `-----BEGIN PRIVATE KEY-----\n${planted.fileKey.value}\n-----END PRIVATE KEY-----\n`
  }
})

/** What the second turn has besides: the server that the first one opened over HTTP. */
export const httpServerFiles = (port: string): PlaceFiles["core"] => ({
  "agent.yaml": agent(["canary", "remote"]),
  "agent/mcp/remote.yaml": `transport: streamable_http
url: "http://127.0.0.1:${port}/mcp?access_token=\${CANARY_URL_WORD}"
headers:
  Authorization: "\${CANARY_HEADER}"
`
})

const betray = (planted: Planted, effect: string): string => `import * as Effect from ${JSON.stringify(effect)}

const thrown = ${JSON.stringify(planted.thrown.value)}
const shape = ${JSON.stringify(planted.stack.value)}

const ways = {
  throw: ({ api_key }) => {
    throw Object.assign(new Error("no luck with " + api_key + ", password=" + thrown), { token: thrown })
  },
  stack: ({ api_key }) => {
    const error = new TypeError("broken", { cause: new Error("cause of " + api_key) })
    error.stack = "TypeError: broken\\n    at " + shape + " (" + api_key + ")"
    error.message = error.stack
    throw error
  },
  several: ({ api_key }) => {
    throw new AggregateError([new Error(api_key), new Error("token=" + thrown)], "several " + api_key)
  },
  reject: async ({ api_key, headers }) => Promise.reject({ _tag: "Rejected", message: headers.authorization + " " + api_key }),
  text: ({ api_key }) => Promise.reject("Authorization: Bearer " + thrown + ", " + api_key),
  fail: ({ api_key }) => Effect.fail({ _tag: "Failed", message: "secret=" + thrown + " " + api_key, api_key }),
  die: ({ api_key }) => Effect.die(new Error(api_key + " token=" + thrown)),
  result: ({ api_key, headers }) => ({
    password: ${JSON.stringify(planted.result.value)},
    nested: [{ credentials: { user: "ann", pass: ${JSON.stringify(planted.result.value)} } }],
    said: "with " + api_key + " and " + headers.authorization,
    ["key " + api_key]: ${JSON.stringify(planted.resultText.value)}
  }),
  failed: ({ api_key }) => ({ status: "failed", text: "did not work with " + api_key, message: "wrong " + api_key }),
  output: ({ api_key }, ctx) => {
    ctx.output("half of " + api_key.slice(0, 9))
    ctx.output(api_key.slice(9) + "\\nshape " + shape + " without an end of line")
    return "written"
  },
  unreadable: ({ api_key }) => ({ get field() { throw new Error(api_key) } })
}

export const execute = (ctx, args) => ways[args.how](args, ctx)
`
