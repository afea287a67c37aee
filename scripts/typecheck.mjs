// Types of sources and tests, and proof that the Effect diagnostics look at anything at all: a planted fault is found.
import { spawnSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const tsc = (...args) => spawnSync(join(root, "node_modules/.bin/tsc"), args, { cwd: root, encoding: "utf8" })

const planted = join(root, "packages/core/.planted")
mkdirSync(planted, { recursive: true })
try {
  writeFileSync(join(planted, "floating.ts"), 'import * as Effect from "effect/Effect"\nEffect.succeed(1)\n')
  writeFileSync(
    join(planted, "tsconfig.json"),
    JSON.stringify({
      extends: "../../../tsconfig.base.json",
      compilerOptions: {
        noEmit: true,
        composite: false,
        allowImportingTsExtensions: true,
        rewriteRelativeImportExtensions: false
      },
      include: ["*.ts"]
    })
  )
  const { status, stdout } = tsc("-p", planted)
  if (status === 0 || !/floatingEffect|must be yielded or assigned/i.test(stdout)) {
    console.error(`The Effect diagnostics found nothing in a planted fault: is the compiler patched?\n${stdout}`)
    process.exit(1)
  }
} finally {
  rmSync(planted, { recursive: true, force: true })
}

const { status, stdout, stderr } = tsc("-b")
process.stdout.write(stdout + stderr)
process.exit(status ?? 1)
