/** The throw-away core and workspace that the tour shows things on. */
import type { PlaceFiles } from "../home/ThrowAwayPlace.boundary.ts"

/** The module leaves this file behind when it is imported: the tour looks for it before and after the gate. */
export const importWitness = "imported.txt"

export const tourFiles: PlaceFiles = {
  core: {
    "agent.yaml": `agent:
  id: tour
  summary: What Gatehouse does, in twenty seconds
tools:
  toolsets: [coding]
capabilities:
  defaults:
    fs.read: {scope: workspace}
    fs.write: {scope: workspace}
    terminal.exec: {scope: workspace}
    greeting.write: {scope: workspace}
`,
    "agent/tools/greet/tool.yaml": `description: Greets somebody by name.
input_schema:
  type: object
  properties:
    name: {type: string}
  required: [name]
capability: greeting.write
risk: low
approval_policy: prompt
`,
    "agent/tools/greet/module.mjs": `import { writeFileSync } from "node:fs"
import { join } from "node:path"

// Runs when the module is imported: the tour proves by it that nothing is imported before its gate.
writeFileSync(join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "${importWitness}"), "imported")

export const execute = (ctx, { name }) => ({ text: \`Hello, \${name}. The workspace is \${ctx.workspace.split("/").pop()}.\` })
`
  },
  workspace: { "README.md": "# A workspace\n\nThis folder lives for twenty seconds.\n" }
}
