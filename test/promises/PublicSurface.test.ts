/**
 * What each package exports is a decision: it changes on purpose, with `npm test -- test/promises/PublicSurface -u`, and
 * the difference is read in review.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const packages = fileURLToPath(new URL("../../packages/", import.meta.url))

const modulesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isDirectory()) return entry.name === "internal" ? [] : modulesOf(join(folder, entry.name))
      return entry.name.endsWith(".ts") ? [join(folder, entry.name)] : []
    })

const declared = /^export (?:declare )?(?:abstract )?(?:const|class|function\*?|interface|type) (\w+)/gm
const listed = /^export (?:type )?\{([^}]*)\}/gm

const exportsOf = (text: string): ReadonlyArray<string> => {
  const named = [...text.matchAll(declared)].map(([, name]) => name ?? "")
  const gathered = [...text.matchAll(listed)].flatMap(([, names]) =>
    (names ?? "").split(",").map(
      (name) =>
        name
          .trim()
          .split(/\s+as\s+/)
          .at(-1) ?? ""
    )
  )
  return [...new Set([...named, ...gathered])].filter((name) => name !== "").sort()
}

for (const name of ["core", "catalog", "policy", "process", "control-plane", "adapters", "host"]) {
  it(`@gatehouse/${name} exports what was decided`, async () => {
    const root = join(packages, name, "src")
    const surface = modulesOf(root)
      .map((file) => [relative(root, file).replace(/\.ts$/, ""), exportsOf(readFileSync(file, "utf8"))] as const)
      .filter(([, names]) => names.length > 0)
      .map(([module, names]) => `${module}: ${names.join(", ")}`)
    await expect(`${surface.join("\n")}\n`).toMatchFileSnapshot(`./public-surface/${name}.txt`)
  })
}
