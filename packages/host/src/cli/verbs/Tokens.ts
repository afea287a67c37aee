/** `gatehouse tokens`: who may use the endpoint over HTTP. */

import { Home } from "@gatehouse/core/Home"
import { inertJson } from "@gatehouse/policy/redaction/TerminalText"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import {
  firstTokenName,
  makeToken,
  readTokens,
  removeFirstToken,
  writeTokens
} from "../../endpoint/http/TokenFiles.boundary.ts"
import { isTokenName } from "../../endpoint/http/Tokens.ts"
import { homeLayer } from "../../home/HostHome.boundary.ts"
import { CommandFailed } from "../ExitStatus.ts"
import { homeFolder } from "../GlobalOptions.ts"
import { Invocation } from "../Invocation.ts"
import { storeFailed } from "../LocalStore.ts"
import { Output } from "../Output.ts"
import { table } from "../render/Table.ts"

export interface TokensArguments {
  readonly home: Option.Option<string>
  readonly json: boolean
}

interface NamedArguments extends TokensArguments {
  readonly name: string
}

/** Makes the home where it is missing, as every verb does that writes. */
const homeOf = ({ home }: TokensArguments) =>
  Effect.flatMap(Invocation, (invocation) =>
    Effect.map(Home, ({ root }) => root).pipe(Effect.provide(homeLayer(homeFolder(home, invocation))))
  )

export const runTokensCreate = Effect.fn("gatehouse tokens create")(function* (
  args: NamedArguments & { readonly principal: Option.Option<string> }
) {
  const output = yield* Output
  const principal = Option.getOrElse(args.principal, () => args.name)
  for (const name of [args.name, principal])
    if (!isTokenName(name))
      return yield* invalid(
        `${JSON.stringify(name.slice(0, 64))} is no name`,
        "use 1 to 64 letters, digits, dots, hyphens and underscores"
      )
  const home = yield* Effect.mapError(homeOf(args), storeFailed)
  const tokens = yield* Effect.mapError(readTokens(home), storeFailed)
  if (tokens.some(({ name }) => name === args.name))
    return yield* invalid(`there is a token ${args.name}`, "revoke it first, or take another name")
  const { entry, token } = yield* makeToken(args.name, principal, yield* Clock.currentTimeMillis)
  yield* Effect.mapError(writeTokens(home, [...tokens, entry]), storeFailed)
  yield* output.result(args.json ? JSON.stringify({ name: args.name, principal, token }) : token)
  if (!args.json) yield* output.note(`speaks for ${principal}; shown once, and kept as a hash only`)
})

export const runTokensList = Effect.fn("gatehouse tokens list")(function* (args: TokensArguments) {
  const output = yield* Output
  const tokens = yield* Effect.mapError(Effect.flatMap(homeOf(args), readTokens), storeFailed)
  const shown = tokens.map(({ created_at, name, principal }) => ({
    name,
    principal,
    created: new Date(created_at).toISOString()
  }))
  if (args.json) return yield* output.result(inertJson(shown, 2))
  if (shown.length === 0) return yield* output.result("no tokens; the first start of `serve --http` makes one")
  yield* output.result(
    table(
      ["NAME", "PRINCIPAL", "CREATED"],
      shown.map(({ created, name, principal }) => [name, principal, created]),
      output
    )
  )
})

export const runTokensRevoke = Effect.fn("gatehouse tokens revoke")(function* (args: NamedArguments) {
  const output = yield* Output
  const home = yield* Effect.mapError(homeOf(args), storeFailed)
  const tokens = yield* Effect.mapError(readTokens(home), storeFailed)
  const left = tokens.filter(({ name }) => name !== args.name)
  if (left.length === tokens.length)
    return yield* new CommandFailed({
      status: "not_found",
      message: `there is no token ${args.name.slice(0, 64)}`,
      remedy: "`gatehouse tokens list` shows the names"
    })
  yield* Effect.mapError(writeTokens(home, left), storeFailed)
  if (args.name === firstTokenName) yield* removeFirstToken(home)
  yield* output.result(args.json ? JSON.stringify({ revoked: args.name }) : `revoked ${args.name}`)
})

const invalid = (message: string, remedy: string): CommandFailed =>
  new CommandFailed({ status: "invalid", message, remedy })
