/** Bearer tokens of the endpoint: who holds one speaks for its principal. The home keeps hashes only. Pure. */
import { createHash, timingSafeEqual } from "node:crypto"
import * as Schema from "effect/Schema"

const Name = Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/))

/** One token: its owner's name for it, the principal it speaks for, and the SHA-256 of the token in hexadecimal. */
export const NamedToken = Schema.Struct({
  name: Name,
  principal: Name,
  sha256: Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/)),
  /** Milliseconds since the epoch. */
  created_at: Schema.Number
})
export type NamedToken = typeof NamedToken.Type

export const TokenList = Schema.Struct({ tokens: Schema.Array(NamedToken) })
export type TokenList = typeof TokenList.Type

const isName = Schema.is(Name)

export const isTokenName = (text: string): boolean => isName(text)

/** Bytes of a token: none can be guessed, so a plain hash is enough to keep it by. */
export const tokenBytes = 32

/** How a token is written: a mark that scanners for secrets find, and its bytes. */
export const writeToken = (bytes: Uint8Array): string => `ghe_${Buffer.from(bytes).toString("base64url")}`

export const tokenHash = (token: string): string => createHash("sha256").update(token, "utf8").digest("hex")

/** The token of an `Authorization` header (RFC 6750, section 2.1); null where there is none. */
export const bearerOf = (authorization: string | null): string | null =>
  /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i.exec(authorization ?? "")?.[1] ?? null

/** Whose token it is, in a time that does not tell how much of any was right. */
export const ownerOf = (token: string, tokens: ReadonlyArray<NamedToken>): NamedToken | null => {
  const hash = Buffer.from(tokenHash(token), "hex")
  let owner: NamedToken | null = null
  for (const known of tokens) if (timingSafeEqual(hash, Buffer.from(known.sha256, "hex"))) owner = known
  return owner
}
