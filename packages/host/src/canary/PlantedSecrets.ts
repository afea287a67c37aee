/** The secrets of one canary run: each its own, so that a find says which way it got out. None of them opens anything. */

/** A secret, and the place where it is planted, in words. */
export interface PlantedSecret {
  readonly place: string
  readonly value: string
}

/** Bytes from a source of chance. */
type Chance = (length: number) => Uint8Array

const digits = "0123456789"
const alphabet = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz${digits}`

/** A digit stands in each: letters alone, behind a name in prose, could be a word of it. */
const letters = (chance: Chance, length: number): string =>
  [...chance(length)]
    .map((byte, index) => (index === 4 ? digits.charAt(byte % digits.length) : alphabet.charAt(byte % alphabet.length)))
    .join("")

/** `kind` tells what the value looks like: a word, a word with characters that every encoding spells otherwise, a token. */
const makers: Readonly<Record<"word" | "odd" | "github" | "gitlab" | "jwt" | "key", (chance: Chance) => string>> = {
  word: (chance) => letters(chance, 24),
  odd: (chance) => `${letters(chance, 12)}+/&"%x=${letters(chance, 12)}`,
  github: (chance) => ["gh", "p_", letters(chance, 36)].join(""),
  gitlab: (chance) => ["glp", "at-", letters(chance, 20)].join(""),
  jwt: (chance) => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")
    return `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: letters(chance, 16) })}.${letters(chance, 43)}`
  },
  // One line of the inside of a private key.
  key: (chance) => Buffer.from(chance(48)).toString("base64")
}

/** Every place that is planted, and what is planted there. */
const places = {
  boundToken: ["a secret bound for a command, from a variable whose name tells", "odd"],
  boundQuiet: ["a secret bound for a command, from a variable whose name tells nothing", "word"],
  environment: ["a variable of the host", "word"],
  argumentField: ["a field api_key of arguments", "word"],
  argumentHeader: ["an authorization header inside arguments", "word"],
  overlay: ["a variable that a call adds, repeated in its command", "word"],
  mcpToken: ["a variable of an MCP server, by reference", "word"],
  mcpQuiet: ["a variable of an MCP server whose name tells nothing", "word"],
  mcpOption: ["an option of an MCP server", "word"],
  header: ["a header of a server at a URL", "word"],
  url: ["the query of a server's URL", "word"],
  page: ["the query of a page's URL", "word"],
  pageText: ["the text of a page", "github"],
  thrown: ["an error that a tool throws", "word"],
  stack: ["the stack of an error", "github"],
  result: ["a field of a tool's result", "word"],
  resultText: ["the text of a tool's result", "jwt"],
  file: ["a file, by the name in front of it", "word"],
  fileToken: ["a file, by its shape", "github"],
  fileKey: ["a private key in a file", "key"],
  written: ["the content of a written file", "gitlab"],
  split: ["a token that is printed in two halves", "github"],
  stderr: ["standard error of a command", "gitlab"],
  large: ["output that is kept in a file", "github"],
  mcpText: ["the text of an MCP result, by its shape", "gitlab"],
  mcpLarge: ["an MCP result that is kept in a file", "github"],
  mcpStderr: ["standard error of an MCP server, by its shape", "github"],
  invalid: ["arguments that do not fit the schema", "word"],
  denied: ["arguments of a call that is denied", "word"]
} as const satisfies Readonly<Record<string, readonly [place: string, kind: keyof typeof makers]>>

export type Planted = Readonly<Record<keyof typeof places, PlantedSecret>>

/** Fresh secrets for every place. */
export const plantSecrets = (chance: Chance): Planted => {
  const planted: Record<string, PlantedSecret> = {}
  for (const [name, [place, kind]] of Object.entries(places)) planted[name] = { place, value: makers[kind](chance) }
  // `places` has every name, so the record does.
  return planted as Planted
}
