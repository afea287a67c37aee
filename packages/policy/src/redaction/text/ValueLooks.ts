/** What a value behind a telling name looks like: a placeholder, a word of prose or code, or something random. */

/**
 * A reference to a value that stands elsewhere (`${DB_PASSWORD}`, `$TOKEN`, `{{ secret }}`, `%TOKEN%`, `<token>`), or
 * a mask. It is worth more unmasked: it says where the value comes from.
 */
export const isPlaceholder = (value: string): boolean => placeholder.test(value)

/** The name of a variable, or a reference to one (`SERVICE_TOKEN`, `env:SERVICE_TOKEN`): it says where a value is, too. */
export const isVariable = (value: string): boolean => /^(?:env:)?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value)

const placeholder =
  /^(?:\$\{[\w.:/-]{1,120}\}|\$\{\{[^{}]{1,120}\}\}|\$\([^()]{1,120}\)|\$[A-Z_][A-Z0-9_]{0,80}|\$env:\w{1,80}|\{\{[^{}]{0,120}\}\}|\{[a-z_]{1,40}\}|%[A-Z_][A-Z0-9_]{0,80}%|<[a-z][\w .-]{0,60}>|\[(?:redacted|filtered|masked|hidden)\]|\*{2,}|x{3,}|X{3,}|\.{2,}|…+|-+)$/i

/** A literal, a type or a word that says the value is not here. */
export const isPlainWord = (value: string): boolean => plainWords.has(value.toLowerCase().replace(/[?!.]+$/, ""))

const plainWords = new Set(
  (
    "null none nil undefined true false yes no on off string str text number integer int boolean bool any unknown void " +
    "object array bytes byte char varchar optional required default empty missing invalid incorrect wrong expired " +
    "unset disabled enabled hidden masked redacted todo changeme example new self this function async await return " +
    "const let var if else not is was are has must should can will the a an of to in for and or with from by as it"
  ).split(" ")
)

/** A word of prose: letters only, not long. */
export const isLetters = (value: string): boolean => /^[A-Za-z]{1,24}[.,;:!?]?$/.test(value)

/**
 * A value that nobody would write as a word: at least `length` characters without blanks, with letters and digits
 * or signs mixed, and no path, no dotted name, no number with a unit.
 */
export const looksRandom = (value: string, length = 8): boolean =>
  value.length >= length && !/\s/.test(value) && /[A-Za-z]/.test(value) && /\d/.test(value) && !/^[./~]/.test(value)

/** An expression of source code whose value is not in the text: a call, a lookup, a field of something. */
export const isCode = (value: string): boolean =>
  /^(?:new\s|await\s|\(|[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*\??[([{<])/.test(value) || isLookup(value)

/** `config.token`, `process.env.API_TOKEN`, `this.password`. */
const isLookup = (value: string): boolean =>
  /^(?:this|self|process|config|cfg|env|os|settings|options|opts|args|params|props|req|request|ctx|context|user|data|body|input|event|state|secrets|vault|conf|app|module|import|std|local|var|each|values)\??\.[A-Za-z_$][\w$.?!]*[,;]?$/i.test(
    value
  )
