// Writes packages/catalog/schemas from the schemas that read the files. Build first: `npm run build`.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { jsonSchemaFiles } from "../dist/manifests/JsonSchemas.js"

for (const [name, text] of Object.entries(jsonSchemaFiles())) {
  writeFileSync(join(import.meta.dirname, "../schemas", name), text)
}
