/**
 * Whether the name of a field, header, option, parameter or variable says that its value is a secret.
 *
 * The list follows behaviour line C27 and what providers' own documentation names so. A name is read as words:
 * `X-Api-Key`, `x_api_key` and `xApiKey` are one name. A name that only speaks about a secret (`token_count`,
 * `secretName`, `cookie_banner`) is open.
 */

/**
 * `secret`: the value is hidden, whatever it is. `counted`: numbers stay, everything else is hidden (`max_tokens`).
 * `likely`: hidden where the value looks random (`auth`, `signature`). `open`: judged by its text alone.
 */
export type Sensitivity = "secret" | "counted" | "likely" | "open"

/** Words that make a name secret wherever they stand in one word of it (`pgpassword`, `authtoken`). */
const secretWord =
  /passw(?:or)?d|passphrase|passcode|secret|token|credential|authorization|cookie|apikey|privatekey|secretkey|accesskey/

/** Words of their own: too short, or too common inside other words, to be looked for there. */
const secretWholeWords = new Set("creds bearer mnemonic passkey phpsessid jsessionid passwort kennwort".split(" "))

/** Short words that a name has to end with, with a digit at most. */
const secretLastWord = /(?:(?:^|[^a-z])(?:pwd|jwt|t?otp|senha)|pass)\d?$/

/** Two words in a row that are a secret together; neither is one alone. */
export const secretPairs: ReadonlySet<string> = new Set(
  (
    "api key,private key,secret key,access key,signing key,encryption key,decryption key,master key,account key," +
    "shared key,auth key,session key,service key,hmac key,ssh key,deploy key,storage key,webhook key,license key," +
    "app key,application key,consumer key,subscription key,key data,seed phrase,recovery phrase,recovery codes,recovery code," +
    "recovery codes,backup code,backup codes,connection string,conn str,shared access,one time,pass word,pass phrase," +
    "verification code,mfa code,auth code,device code,sas url,webhook url"
  ).split(",")
)

/** Names whose values are hidden only where they look random. */
const likelyNames = new Set("x-amz-signature x-goog-signature".split(" "))

/** Words that contain a secret word and have nothing to do with one. */
const friendlyWord =
  /^(?:de|re|un|sub)?tokeni[sz]|^secretar|^secretion|^cookiecutter$|less$|^(?:by|com|sur|tres|encom|over|under|im)pass$/

/** Last words of a name that speak about a secret and do not hold one. */
const aboutWords = new Set(
  (
    "count counts counter limit limits length len size sizes max min total used usage budget price cost rate type types " +
    "kind name names label labels endpoint endpoints uri url urls path paths file files filename dir policy policies rule " +
    "rules banner consent notice preference preferences required enabled disabled supported optional valid invalid " +
    "present exists missing verified changed rotated expired expires expiry expiration expire ttl age lifetime " +
    "at in on by method methods format algorithm alg encoding scope scopes status version description strength regex " +
    "pattern schema ref refs reference selector position index offset class classes domain samesite httponly secure " +
    "provider issuer strategy store manager service help mode settings options config configuration form field fields " +
    "param parameter placeholder prompt attempts retries history days hours minutes seconds ms distance " +
    "per second ratio stdin window stats details link source env var variable"
  ).split(" ")
)

/** A header's name speaks of its value, or is asked for as one (`authorization_header`, `token_header`). */
const headerWord = /^headers?$/

/** First words that turn one token into a number of tokens. */
const countingWords = new Set(
  "max min num n total avg input output prompt completion cached reasoning remaining used per context".split(" ")
)

/** A token that marks a place in a list: the model needs it to go on, and it opens nothing. */
const cursorWords = new Set("next page continuation pagination cursor sync previous prev skip resume".split(" "))

/** A key's own identifier is public (`access_key_id`, `private_key_id`). */
const keyIdentifier = /key id$/

/** What the name says of its value. Pure, and costly enough to be cached by whoever asks often. */
export const sensitivityOf = (name: string): Sensitivity => {
  const words = wordsOf(name)
  if (words.length === 0) return "open"
  const last = words[words.length - 1] ?? ""
  if (words.length > 1 && headerWord.test(last)) {
    return sensitivityOf(words.slice(0, -1).join(" ")) === "open" ? "open" : "likely"
  }
  if (words.length > 1 && (aboutWords.has(last) || keyIdentifier.test(words.slice(-2).join(" ")))) return "open"
  if (words.length > 1 && last === "data" && words[words.length - 2] !== "key") words.pop()
  if (last === "auth" || likelyNames.has(name.toLowerCase())) return "likely"
  if (
    !words.some((word, index) => isSecretAt(words, word, index)) &&
    !(secretLastWord.test(spaced(name)) && !friendlyWord.test(last))
  )
    return "open"
  return countingOf(words)
}

/** The words of a name in lower case: `X-Goog-Api-Key` and `xGoogApiKey` are both `x goog api key`. */
export const wordsOf = (name: string): Array<string> =>
  spaced(name)
    .split(/[^a-z]+/)
    .filter((word) => word !== "")

/** A name in small letters, with a blank where a capital letter began a word. */
const spaced = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(/[\u200b-\u200f\u2060\ufeff\u00ad]/g, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()

const isSecretAt = (words: ReadonlyArray<string>, word: string, index: number): boolean => {
  if (friendlyWord.test(word)) return false
  if (secretWord.test(word) || secretWholeWords.has(word)) return true
  const next = words[index + 1]
  return next !== undefined && secretPairs.has(`${word} ${next}`)
}

const countingOf = (words: ReadonlyArray<string>): Sensitivity => {
  const last = words[words.length - 1]
  const counts = words.length > 1 && countingWords.has(words[0] ?? "")
  if (last === "tokens" || last === "pass" || (last === "token" && counts)) return "counted"
  if (last === "token" && words.length > 1 && cursorWords.has(words[words.length - 2] ?? "")) return "open"
  return "secret"
}
