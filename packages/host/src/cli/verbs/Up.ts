/** `gatehouse up`: the endpoint on this machine for daily work, and what to paste into each client. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { snippet } from "../../clients/ClientConfig.ts"
import {
  type ClientProfile,
  clientIds,
  clientProfiles,
  type Reach,
  tokenVariable
} from "../../clients/ClientProfiles.ts"
import { firstTokenFile, readFirstToken } from "../../endpoint/http/TokenFiles.boundary.ts"
import type { Places } from "../GlobalOptions.ts"
import { Invocation } from "../Invocation.ts"
import { Output } from "../Output.ts"
import { openHttp, stopped } from "./ServeHttp.ts"

export interface UpArguments extends Places {
  readonly port: number
}

/** The port that `up` takes where none is named. */
export const usualPort = 8977

export const runUp = Effect.fn("gatehouse up")(function* (args: UpArguments) {
  const output = yield* Output
  const { stop, userHome, cwd } = yield* Invocation
  const { home, url } = yield* openHttp(`127.0.0.1:${args.port}`, {
    ...args,
    http: Option.none(),
    allowRemote: false,
    withoutToken: false,
    names: [],
    tlsCert: Option.none(),
    tlsKey: Option.none()
  })
  const tokenFile = (yield* readFirstToken(home)) === null ? null : join(home, firstTokenFile)
  yield* output.result(`serving ${url}`)
  yield* output.result(pasting({ kind: "http", url, tokenFile: tokenFile ?? "TOKEN_FILE" }, { userHome, cwd }))
  yield* output.note(
    tokenFile === null
      ? "the first token was revoked; `gatehouse tokens create NAME` makes another"
      : `clients read the token from ${tokenVariable}:  export ${tokenVariable}="$(cat '${tokenFile}')"`
  )
  yield* output.note("questions wait in `gatehouse approvals watch`; Ctrl-C ends")
  yield* stopped(stop)
}, Effect.scoped)

/** What each client takes: its own command, or a part of its file. */
export const pasting = (reach: Reach, place: { readonly userHome: string; readonly cwd: string }): string =>
  clientIds
    .map((id) => {
      const profile: ClientProfile = clientProfiles[id]
      const [where, what] =
        profile.command === undefined ? [profile.file(place), snippet(profile, reach)] : ["", profile.command(reach)]
      return `\n${profile.title}${where === "" ? "" : `, ${where}`}\n${what.replaceAll(/^/gm, "  ")}`
    })
    .join("\n")
