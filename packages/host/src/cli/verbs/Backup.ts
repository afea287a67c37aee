/** `gatehouse backup` and `gatehouse restore`: the store as one file, verified on both ways. */

import { resolve } from "node:path"
import { restoreStore } from "@gatehouse/control-plane/maintenance/StoreFile.boundary"
import { type StoreVerdict, verifyFile } from "@gatehouse/control-plane/maintenance/VerifyStore"
import { Store } from "@gatehouse/control-plane/Store"
import type { StoreError } from "@gatehouse/control-plane/StoreError"
import { Home } from "@gatehouse/core/Home"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { homeLayer } from "../../home/HostHome.boundary.ts"
import { CommandFailed } from "../ExitStatus.ts"
import { homeFolder } from "../GlobalOptions.ts"
import { Invocation } from "../Invocation.ts"
import { localStoreLayer, storeFailed } from "../LocalStore.ts"
import { Output } from "../Output.ts"
import { renderVerdict } from "../render/StoreVerdict.ts"

export interface BackupArguments {
  readonly file: string
  readonly home: Option.Option<string>
  readonly json: boolean
}

/** Copies the store while hosts may work on it, to a file that does not exist yet, and verifies the copy. */
export const runBackup = Effect.fn("gatehouse backup")(
  function* (args: BackupArguments) {
    const output = yield* Output
    const file = resolve((yield* Invocation).cwd, args.file)
    const store = yield* Store
    yield* Effect.mapError(store.backup(file), noBackup)
    const verdict = yield* Effect.mapError(verifyFile(file), noBackup)
    yield* requireSound(verdict, "do not rely on this file; `gatehouse doctor` looks at the store it came from")
    yield* output.result(args.json ? JSON.stringify(verdict, null, 2) : renderVerdict(verdict))
  },
  (effect, args) => Effect.provide(effect, localStoreLayer(args.home))
)

/** Puts a backup into a home that has no store, after it was verified; nothing is ever overwritten. */
export const runRestore = Effect.fn("gatehouse restore")(
  function* (args: BackupArguments) {
    const output = yield* Output
    const file = resolve((yield* Invocation).cwd, args.file)
    const verdict = yield* Effect.mapError(verifyFile(file), (error) =>
      error.reason === "missing"
        ? new CommandFailed({ status: "not_found", message: `${file} is not there`, remedy: "name a backup" })
        : storeFailed(error)
    )
    yield* requireSound(verdict, "use another backup; this one was left as it is")
    const { root } = yield* Home
    yield* Effect.mapError(restoreStore(file, root), taken)
    yield* output.result(
      args.json
        ? JSON.stringify({ ...verdict, restored: root }, null, 2)
        : `${renderVerdict(verdict)}\nrestored into ${root}`
    )
  },
  (effect, args) =>
    Effect.flatMap(Invocation, (invocation) =>
      Effect.provide(effect, homeLayer(homeFolder(args.home, invocation)))
    ).pipe(Effect.catchTag("HomeError", (error) => Effect.fail(storeFailed(error))))
)

const requireSound = (verdict: StoreVerdict, remedy: string): Effect.Effect<void, CommandFailed> =>
  verdict.sound
    ? Effect.void
    : Effect.fail(new CommandFailed({ status: "failed", message: renderVerdict(verdict), remedy }))

const noBackup = (error: StoreError): CommandFailed =>
  error.reason === "missing"
    ? new CommandFailed({
        status: "not_found",
        message: "the folder of the backup is not there",
        remedy: "name a file in a folder that exists"
      })
    : storeFailed(error)

const taken = (error: StoreError): CommandFailed =>
  error.reason === "conflict"
    ? new CommandFailed({
        status: "failed",
        message: error.message,
        remedy: "name another home with --home, or end its hosts and move its store aside: `gatehouse store aside`"
      })
    : storeFailed(error)
