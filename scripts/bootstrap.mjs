// The door for people who have Node and npm only: installs with the pinned pnpm, and builds, each where it is due.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const changedAt = (path) => (existsSync(join(root, path)) ? statSync(join(root, path)).mtimeMs : 0)

const run = (what, command, args) => {
  process.stderr.write(`${what} ...\n`)
  const started = performance.now()
  // Whatever npm tells its children about itself would be taken by pnpm for its own settings.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(registry|cache|.*proxy|nodedir))/i.test(name))
  )
  const { status, error } = spawnSync(command, args, { cwd: root, env, stdio: ["ignore", 2, 2] })
  if (status !== 0) {
    process.stderr.write(
      `${what} failed${error ? `: ${error.message}` : ""}. Run \`${[command, ...args].join(" ")}\` to see why.\n`
    )
    process.exit(1)
  }
  process.stderr.write(`${what} done in ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
}

if (changedAt("node_modules/.modules.yaml") < changedAt("pnpm-lock.yaml")) {
  run("Installing the packages of the lockfile (the first time about a minute)", "npx", [
    "--yes",
    packageManager,
    "install",
    "--frozen-lockfile"
  ])
}
run("Building", join(root, "node_modules/.bin/tsc"), ["-b", "tsconfig.build.json"])
