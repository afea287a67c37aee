/** The tokens of a home: `endpoint-tokens.json` with hashes, and the first token in clear beside it, both 0600. */
import { randomBytes } from "node:crypto"
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type NamedToken, TokenList, tokenBytes, tokenHash, writeToken } from "./Tokens.ts"

const listName = "endpoint-tokens.json"

/** Holds the token that was made at the first start, for `gatehouse connect` and for its owner. */
export const firstTokenFile = "endpoint-token"

/** Name of that token. */
export const firstTokenName = "first"

export class TokenFileError extends Data.TaggedError("TokenFileError")<{
  readonly message: string
  readonly remedy: string
}> {}

export const readTokens = (home: string): Effect.Effect<ReadonlyArray<NamedToken>, TokenFileError> =>
  Effect.suspend((): Either.Either<ReadonlyArray<NamedToken>, TokenFileError> => {
    const path = join(home, listName)
    try {
      return Either.mapBoth(decode(JSON.parse(readFileSync(path, "utf8"))), {
        onLeft: () => broken(path, "it is no list of tokens"),
        onRight: ({ tokens }) => tokens
      })
    } catch (error) {
      return isMissing(error) ? Either.right([]) : Either.left(broken(path, messageOf(error)))
    }
  })

/** Replaces the list whole, so that no reader meets half of one. */
export const writeTokens = (home: string, tokens: ReadonlyArray<NamedToken>): Effect.Effect<void, TokenFileError> =>
  writePrivate(join(home, listName), `${JSON.stringify({ tokens }, null, 2)}\n`)

/** A fresh token and its entry. The token itself is kept nowhere. */
export const makeToken = (name: string, principal: string, now: number) =>
  Effect.sync(() => {
    const token = writeToken(randomBytes(tokenBytes))
    return { token, entry: { name, principal, sha256: tokenHash(token), created_at: now } }
  })

/** The first token, where it was made and is there still. */
export const readFirstToken = (home: string): Effect.Effect<string | null> =>
  Effect.sync(() => {
    try {
      return readFileSync(join(home, firstTokenFile), "utf8").trim()
    } catch {
      return null
    }
  })

export const writeFirstToken = (home: string, token: string): Effect.Effect<void, TokenFileError> =>
  writePrivate(join(home, firstTokenFile), `${token}\n`)

export const removeFirstToken = (home: string): Effect.Effect<void> =>
  Effect.sync(() => rmSync(join(home, firstTokenFile), { force: true }))

/** The tokens as they are now, read again only when the file is another: one look at the file for each request. */
export const watchedTokens = (home: string): (() => ReadonlyArray<NamedToken>) => {
  const path = join(home, listName)
  let seen = ""
  let tokens: ReadonlyArray<NamedToken> = []
  return () => {
    try {
      const { ino, mtimeMs, size } = statSync(path)
      const now = `${ino} ${mtimeMs} ${size}`
      if (now !== seen) {
        tokens = Either.match(decode(JSON.parse(readFileSync(path, "utf8"))), {
          onLeft: () => [],
          onRight: (list) => list.tokens
        })
        seen = now
      }
      return tokens
    } catch {
      // What cannot be read opens nothing.
      seen = ""
      return []
    }
  }
}

const decode = Schema.decodeUnknownEither(TokenList)

const writePrivate = (path: string, text: string): Effect.Effect<void, TokenFileError> =>
  Effect.try({
    try: () => {
      const fresh = `${path}.${randomBytes(8).toString("hex")}`
      try {
        writeFileSync(fresh, text, { mode: 0o600, flag: "wx" })
        renameSync(fresh, path)
      } finally {
        rmSync(fresh, { force: true })
      }
    },
    catch: (error) => new TokenFileError({ message: `${path} cannot be written: ${messageOf(error)}`, remedy: "" })
  })

const broken = (path: string, why: string): TokenFileError =>
  new TokenFileError({ message: `${path} cannot be used: ${why}`, remedy: "remove it, and make tokens anew" })

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "unknown fault")
