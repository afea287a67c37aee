// Every test, then one plain closing line. A test that leaves a process behind fails the run.
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const scratch = mkdtempSync(join(tmpdir(), "gatehouse-test-"))
const mark = `GATEHOUSE_TEST_RUN=${randomBytes(8).toString("hex")}`
const [name, value] = mark.split("=")

const read = (path) => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}
const leftRunning = () =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .filter(
      (pid) => read(`/proc/${pid}/environ`).includes(mark) && !/^State:\s+[ZX]/m.test(read(`/proc/${pid}/status`))
    )

try {
  const report = join(scratch, "report.json")
  const { status } = spawnSync(
    join(root, "node_modules/.bin/vitest"),
    ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...process.argv.slice(2)],
    { cwd: root, stdio: "inherit", env: { ...process.env, [name]: value, TMPDIR: scratch } }
  )
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(read(report) || "{}")
  const left = process.platform === "linux" ? leftRunning() : []
  for (const pid of left) console.error(`left running: ${pid} ${read(`/proc/${pid}/cmdline`).replaceAll("\0", " ")}`)
  const files = readdirSync(scratch).filter(
    (entry) => entry !== "report.json" && !/^(node-compile-cache|jiti|v8-compile-cache)/.test(entry)
  )
  for (const entry of files) console.error(`left behind: a temporary file or folder ${entry}`)
  const skipped = (numPendingTests ?? 0) + (numTodoTests ?? 0)
  if (skipped > 0) console.error(`${skipped} tests were skipped: none may be`)
  const wrong = (numFailedTests ?? 0) + left.length + files.length + skipped
  const broken = wrong > 0 || status !== 0 || !numPassedTests
  console.log(`${numPassedTests ?? 0} passed, ${broken ? Math.max(1, wrong) : 0} failed`)
  process.exitCode = broken ? 1 : 0
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
