/** `gatehouse serve --http`: the endpoint for many clients, each with its own session, behind tokens. */
import { resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { listenHttp } from "../../endpoint/http/HttpEndpoint.boundary.ts"
import { endpointPath } from "../../endpoint/http/HttpGuard.ts"
import {
  firstTokenFile,
  firstTokenName,
  makeToken,
  readTokens,
  watchedTokens,
  writeFirstToken,
  writeTokens
} from "../../endpoint/http/TokenFiles.boundary.ts"
import { version } from "../../Version.ts"
import { CommandFailed } from "../ExitStatus.ts"
import { homeFolder } from "../GlobalOptions.ts"
import { readInput } from "../Input.boundary.ts"
import { Invocation } from "../Invocation.ts"
import { type ListenAddress, listenAddress, urlOf } from "../ListenAddress.ts"
import { Output } from "../Output.ts"
import type { ServeArguments } from "./Serve.ts"
import { makeServeHost } from "./ServeHost.ts"

/** Serves until it is stopped. */
export const serveHttp = Effect.fn("gatehouse serve --http")(function* (address: string, args: ServeArguments) {
  const { stop } = yield* Invocation
  const output = yield* Output
  const { fresh, url } = yield* openHttp(address, args)
  yield* output.result(`serving ${url}`)
  if (args.withoutToken) yield* output.note("no token is asked for: whoever runs a program on this machine is let in")
  if (fresh !== null)
    yield* output.note(`Authorization: Bearer ${fresh}\n  shown once; it is kept in ${firstTokenFile} of the home`)
  yield* stopped(stop)
}, Effect.scoped)

/** Listens as long as the scope; `fresh` is the token that was made, where this is the first start. */
export const openHttp = Effect.fnUntraced(
  function* (text: string, args: ServeArguments) {
    const invocation = yield* Invocation
    const address = yield* Either.mapLeft(listenAddress(text), (why) => invalid(`--http: ${why}`, ""))
    yield* judge(address, args)
    const tls = yield* tlsOf(args, invocation.cwd)
    const home = homeFolder(args.home, invocation)
    const host = yield* makeServeHost(args)
    const fresh = args.withoutToken ? null : yield* firstToken(home)
    const { port } = yield* listenHttp({
      host: address.host,
      port: address.port,
      guard: { isLoopback: address.isLoopback, names: args.names.map((name) => name.toLowerCase()) },
      tls,
      tokens: args.withoutToken ? null : watchedTokens(home),
      version,
      open: (connection, principal) =>
        Effect.flatMap(host.principal(principal), (scope) => host.openSession(connection, scope))
    })
    return { url: `${urlOf(tls === null ? "http" : "https", address.host, port)}${endpointPath}`, fresh, home }
  },
  Effect.mapError((error) =>
    error instanceof CommandFailed
      ? error
      : new CommandFailed({ status: "failed", message: error.message, remedy: error.remedy })
  )
)

/** Another address than loopback is meant, and never open. */
const judge = ({ isLoopback }: ListenAddress, { allowRemote, withoutToken }: ServeArguments) => {
  if (isLoopback) return Effect.void
  if (!allowRemote)
    return invalid("--http: this address can be reached from other machines", "add --allow-remote where that is meant")
  return withoutToken
    ? invalid("--without-token is for this machine only", "leave it out, and give clients a token")
    : Effect.void
}

const tlsOf = Effect.fnUntraced(function* ({ tlsCert, tlsKey }: ServeArguments, cwd: string) {
  if (Option.isNone(tlsCert) && Option.isNone(tlsKey)) return null
  if (Option.isNone(tlsCert) || Option.isNone(tlsKey))
    return yield* invalid("--tls-cert and --tls-key go together", "name both files")
  return {
    cert: yield* readInput(resolve(cwd, tlsCert.value)),
    key: yield* readInput(resolve(cwd, tlsKey.value))
  }
})

/** Made where the home has no token yet; null where there is one. */
const firstToken = Effect.fnUntraced(function* (home: string) {
  if ((yield* readTokens(home)).length > 0) return null
  const { entry, token } = yield* makeToken(firstTokenName, "local", yield* Clock.currentTimeMillis)
  yield* writeFirstToken(home, token)
  yield* writeTokens(home, [entry])
  return token
})

/** The end of the command: the first signal. */
export const stopped = (stop: AbortSignal): Effect.Effect<void> =>
  Effect.async((resume) => {
    const onAbort = (): void => resume(Effect.void)
    if (stop.aborted) onAbort()
    else stop.addEventListener("abort", onAbort, { once: true })
    return Effect.sync(() => stop.removeEventListener("abort", onAbort))
  })

const invalid = (message: string, remedy: string): CommandFailed =>
  new CommandFailed({ status: "invalid", message, remedy })
