/** `gatehouse serve`: the governed MCP endpoint for any MCP client, on standard input and output or over HTTP. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Places } from "../GlobalOptions.ts"
import { loadServeHttp } from "../Verbs.boundary.ts"
import { serveStdio } from "./ServeStdio.ts"

export interface ServeArguments extends Places {
  /** `HOST:PORT`, or a port of this machine; without it, standard input and output. */
  readonly http: Option.Option<string>
  readonly allowRemote: boolean
  readonly withoutToken: boolean
  /** Names that clients reach the endpoint by, besides addresses. */
  readonly names: ReadonlyArray<string>
  readonly tlsCert: Option.Option<string>
  readonly tlsKey: Option.Option<string>
}

export const runServe = (args: ServeArguments) =>
  Option.match(args.http, {
    onNone: () => serveStdio(args),
    onSome: (address) => Effect.flatMap(loadServeHttp, ({ serveHttp }) => serveHttp(address, args))
  })
