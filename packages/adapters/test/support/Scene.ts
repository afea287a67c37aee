/** A throw-away folder with a workspace, a home and a place outside. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { PathJudge } from "@gatehouse/adapters/builtin/files/FilePlan"
import { Workspaces } from "@gatehouse/policy/paths/Workspaces"
import * as Effect from "effect/Effect"
import { turnIn } from "./CallEntry.ts"

export const makeScene = Effect.gen(function* () {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-adapters-")))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  for (const folder of ["ws", "out", "home/.ssh", "host"]) mkdirSync(join(root, folder), { recursive: true })
  const workspaces: PathJudge = yield* Effect.provide(
    Workspaces,
    Workspaces.layer({ home: join(root, "home"), hostPlaces: [join(root, "host")], platform: "posix" })
  )
  const put = (path: string, content: string | Uint8Array): string => {
    const place = join(root, path)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, content)
    return place
  }
  return { root, workspace: join(root, "ws"), workspaces, put, turn: turnIn(join(root, "ws")) }
})
