/** Homes in temporary folders, gone with the test. */

import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Home } from "@gatehouse/core/Home"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const temporaryHome = Effect.acquireRelease(
  Effect.sync(() => {
    const root = mkdtempSync(join(tmpdir(), "gatehouse-store-"))
    chmodSync(root, 0o700)
    return root
  }),
  (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
)

export const homeAt = (root: string): Layer.Layer<Home> => Layer.succeed(Home, { root, key: new Uint8Array(32) })
