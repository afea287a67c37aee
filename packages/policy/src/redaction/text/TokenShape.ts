/** What a token looks like that is known by its shape alone, and made-up examples of such tokens. */

export interface TokenShape {
  readonly kind: string
  /** Where the shape is documented, or where it can be seen. */
  readonly source: string
  /** What every token of this kind begins with; found first, the pattern is tried there only. */
  readonly prefixes: ReadonlyArray<string>
  /** Without a prefix: what stands inside every such token and is found fast; the pattern is tried where it occurs. */
  readonly inner?: RegExp
  /** The whole token from its prefix on. Bounded, so that no text makes it slow. */
  readonly pattern: RegExp
  readonly matches: ReadonlyArray<string>
  readonly spares: ReadonlyArray<string>
}

export const letters = "abcdefghijklmnopqrstuvwxyz"
const alphabet = `${letters}0123456789${letters.toUpperCase()}`

/** FAKE and the alphabet in order, `length` characters: no key of anyone. */
export const fake = (length: number, from = alphabet): string => `FAKE${from.repeat(9)}`.slice(0, length)
export const fakeHex = (length: number): string => "0123456789abcdef".repeat(9).slice(0, length)
export const fakeUpper = (length: number): string => fake(length, letters.toUpperCase())
export const fakeLower = (length: number): string => fake(length, `${letters}0123456789`).toLowerCase()

/**
 * Before a token whose pattern begins with ordinary characters: no word, unless it is the end of an escape (`\n`, `%20`,
 * a colour). For patterns without a prefix; behind a prefix Tokens.ts sees to it.
 */
export const wordBegin =
  "(?<=^|[^A-Za-z0-9_]|\\\\[nrtbfv0]|\\\\u[0-9A-Fa-f]{4}|\\\\x[0-9A-Fa-f]{2}|%[0-9A-Fa-f]{2}|\\[[0-9;]{1,12}m)"
