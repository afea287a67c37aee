/** The programs and libraries that a canary run needs, as this process has them. */

import { createRequire } from "node:module"
import type { CanaryPrograms } from "./CanaryCore.ts"

export const canaryPrograms = (): CanaryPrograms => ({
  node: process.execPath,
  effect: createRequire(import.meta.url).resolve("effect/Effect")
})
