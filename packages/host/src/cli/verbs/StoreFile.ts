/** `gatehouse store`: whether it is whole, what it no longer has to keep, and moving it out of the way. */

import { join } from "node:path"
import { applyRetention } from "@gatehouse/control-plane/maintenance/Retention"
import { setStoreAside } from "@gatehouse/control-plane/maintenance/StoreFile.boundary"
import { verifyFile } from "@gatehouse/control-plane/maintenance/VerifyStore"
import { Store, storeFileName } from "@gatehouse/control-plane/Store"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { retentionOf } from "../../settings/HostSettings.ts"
import { readHostSettings } from "../../settings/ReadHostSettings.boundary.ts"
import { alreadyShown } from "../ExitStatus.ts"
import { homeFolder } from "../GlobalOptions.ts"
import { Invocation } from "../Invocation.ts"
import { localStoreLayer, storeFailed } from "../LocalStore.ts"
import { Output } from "../Output.ts"
import { renderVerdict } from "../render/StoreVerdict.ts"

export interface StoreFileArguments {
  readonly home: Option.Option<string>
  readonly json: boolean
}

/** Reads all of it, and changes nothing. */
export const runStoreVerify = Effect.fn("gatehouse store verify")(function* (args: StoreFileArguments) {
  const output = yield* Output
  const path = join(homeFolder(args.home, yield* Invocation), storeFileName)
  const verdict = yield* Effect.mapError(verifyFile(path), storeFailed)
  yield* output.result(args.json ? JSON.stringify(verdict, null, 2) : renderVerdict(verdict))
  if (!verdict.sound) yield* alreadyShown("failed")
})

/** What a host does once a day, now. */
export const runStorePrune = Effect.fn("gatehouse store prune")(
  function* (args: StoreFileArguments) {
    const output = yield* Output
    const { settings } = yield* readHostSettings(homeFolder(args.home, yield* Invocation))
    const gone = yield* Effect.flatMap(Store, (store) => applyRetention(store, retentionOf(settings)))
    const { approvals, effects, events, tasks } = gone
    yield* output.result(
      args.json
        ? JSON.stringify(gone)
        : `removed ${events} events, ${effects} calls, ${approvals} approvals, ${tasks} tasks`
    )
  },
  Effect.mapError(storeFailed),
  (effect, args) => Effect.provide(effect, localStoreLayer(args.home))
)

/** The next host starts with an empty store. The old one stays, under a name of its own. */
export const runStoreAside = Effect.fn("gatehouse store aside")(function* (args: StoreFileArguments) {
  const output = yield* Output
  const root = homeFolder(args.home, yield* Invocation)
  const aside = yield* Effect.mapError(setStoreAside(root), storeFailed)
  yield* output.result(
    args.json ? JSON.stringify({ aside }) : `moved to ${aside}; the next host starts with an empty store`
  )
})
