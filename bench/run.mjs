// The figures, each as a ratio against a peer or a limit in the same run. `npm run bench -- redaction` runs one file.
import { readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { createJiti } from "jiti"

const folder = join(dirname(fileURLToPath(import.meta.url)), "src")
const wanted = process.argv.slice(2)
const jiti = createJiti(import.meta.url)
let over = 0
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith(".ts"))
  .sort()) {
  const name = file.slice(0, -3)
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const { measure } = await jiti.import(join(folder, file))
  console.log(`\n${name}`)
  for (const row of await measure()) {
    const within = row.atLeast ? row.value >= row.limit : row.value <= row.limit
    if (!within) over += 1
    const limit = `${row.atLeast ? "at least" : "at most"} ${row.limit}`
    console.log(`  ${within ? "ok  " : "OVER"} ${row.name}: ${Number(row.value.toPrecision(3))} ${row.unit} (${limit})`)
  }
}
console.log(over === 0 ? "\nall within their limits" : `\n${over} over their limit`)
process.exitCode = over === 0 ? 0 : 1
