/** A small agent core that works at once, as `gatehouse init` writes it. Pure: path in the core to text. */
import { jsonSchemaFiles } from "../manifests/JsonSchemas.ts"

/** Folder of the JSON Schemas in a core that `init` made: they are those of the version that made it. */
const schemaFolder = ".gatehouse"

/**
 * The files of a new core.
 *
 * @param id name of the agent, one line
 * @example
 * starterCore("helper")["agent.yaml"]
 */
export const starterCore = (id: string): Readonly<Record<string, string>> => ({
  "agent.yaml": agentYaml(id),
  "agent/tools/word_count/tool.yaml": toolYaml,
  "agent/tools/word_count/module.ts": toolModule,
  "README.md": readme(id),
  ...schemaFiles()
})

const schemaFiles = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(jsonSchemaFiles()).map(([name, text]) => [`${schemaFolder}/${name}`, text]))

/** The first line that makes editors complete and check a file; `depth` is the number of folders above it. */
export const schemaLine = (schema: "agent" | "tool" | "mcp" | "schedule", depth: number): string =>
  `# yaml-language-server: $schema=${"../".repeat(depth)}${schemaFolder}/${schema}.schema.json`

const agentYaml = (id: string): string => `${schemaLine("agent", 0)}
schema_version: 1
agent:
  id: ${JSON.stringify(id)}
  summary: Works on the files of its workspace.

tools:
  toolsets: [coding, control]

# Nothing is granted by declaration: a tool without its capability is denied.
capabilities:
  defaults:
    fs.read: {}
    fs.write: {}
    terminal.exec: {}

# Settings only tighten: what asks goes on asking.
approval:
  risks:
    critical: deny
`

const toolYaml = `${schemaLine("tool", 3)}
description: Counts the words of a text.
input_schema:
  type: object
  properties:
    text: { type: string, description: The text to count. }
  required: [text]
  additionalProperties: false
risk: low
approval_policy: auto
`

const toolModule = `/** Imported only after the gate and the approval have passed. */
export function execute(_ctx: unknown, args: { readonly text: string }) {
  const words = args.text.split(/\\s+/).filter((word) => word !== "")
  return { words: words.length }
}
`

const readme = (id: string): string => `# ${id}

An agent core for Gatehouse.

| file | what it is |
| --- | --- |
| \`agent.yaml\` | toolsets, grants, approval settings |
| \`agent/tools/<id>/\` | authored tools: \`tool.yaml\` and a module |
| \`agent/mcp/<server>.yaml\` | MCP servers; \`gatehouse import FILE\` takes over what another client has |
| \`.gatehouse/\` | JSON Schemas for your editor |

Try it in this folder:

    gatehouse catalog
    gatehouse call word_count '{"text":"one two three"}'
    gatehouse call read_file '{"path":"README.md"}'

Keep the folder under Git: its revision is part of every approval.
`
