/**
 * Tokens without a prefix, or with one that begins ordinary words too (`pat`, `re_`): looking for it would find it
 * everywhere. Each of them is one long run of letters, digits, `.`, `-` and `_`, which texts hold seldom: the quick
 * look finds the runs, see LongRuns.ts.
 */
import { fake, fakeHex, fakeLower, type TokenShape, wordBegin } from "./TokenShape.ts"

export const longRunShapes: ReadonlyArray<TokenShape> = [
  {
    kind: "hubspot",
    source: "https://developers.hubspot.com/docs/guides/apps/private-apps/overview",
    prefixes: ["pat-na", "pat-eu"],
    pattern: /pat-(?:na|eu)\d-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}/y,
    matches: ["pat-na1-01234567-89ab-cdef-0123-456789abcdef"],
    spares: ["pat-native", "pat-eu1-docs"]
  },
  {
    kind: "airtable",
    source: "https://airtable.com/developers/web/guides/personal-access-tokens",
    prefixes: ["pat"],
    pattern: /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}(?![\w])/y,
    matches: [`pat${fake(14)}.${fakeHex(64)}`],
    spares: ["patch.diff", "patFAKEabcdefghij.txt"]
  },
  {
    kind: "replicate",
    source: "https://replicate.com/docs/topics/security/api-tokens",
    prefixes: ["r8_"],
    pattern: /r8_[A-Za-z0-9]{37}(?![\w])/y,
    matches: [`r8_${fake(37)}`],
    spares: ["r8_model", "r8_short"]
  },
  {
    kind: "facebook",
    source: "https://developers.facebook.com/docs/facebook-login/guides/access-tokens",
    prefixes: ["EAA"],
    pattern: /EAA[A-Za-z0-9]{77,400}(?![\w])/y,
    matches: [`EAACEdEose0cBA${fake(80)}`, `EAAG${fake(150)}`],
    spares: ["EAAA", "EAAB"]
  },
  {
    kind: "square-access-token",
    source: "https://developer.squareup.com/docs/build-basics/access-tokens",
    prefixes: ["EAAA"],
    pattern: /EAAA[\w-]{60}(?![\w-])/y,
    matches: [`EAAA${fake(60)}`],
    spares: ["EAAA"]
  },
  {
    kind: "dropbox",
    source: "https://developers.dropbox.com/oauth-guide",
    prefixes: ["sl."],
    pattern: /sl\.(?:u\.)?[\w-]{125,1400}/y,
    matches: [`sl.${fake(130)}`, `sl.u.${fake(200)}`],
    spares: ["sl.example", "sl.u.example"]
  },
  {
    kind: "crates-io",
    source: "https://doc.rust-lang.org/cargo/reference/registry-web-api.html (tokens begin with cio)",
    prefixes: ["cio"],
    pattern: /cio[A-Za-z0-9]{32}(?![\w])/y,
    matches: [`cio${fake(32)}`],
    spares: ["cio-client", "cio_x"]
  },
  {
    kind: "nuget",
    source: "https://learn.microsoft.com/nuget/nuget-org/publish-a-package (keys begin with oy2)",
    prefixes: ["oy2"],
    pattern: /oy2[a-z0-9]{43}(?![\w])/y,
    matches: [`oy2${fakeLower(43)}`],
    spares: ["oy2"]
  },
  {
    kind: "resend",
    source: "https://resend.com/docs/dashboard/api-keys/introduction",
    prefixes: ["re_"],
    pattern: /re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![\w])/y,
    matches: [`re_${fake(8)}_${fake(24)}`],
    spares: ["re_export", "re_import_of_all_the_things_in_the_module"]
  },
  {
    kind: "mailchimp",
    source: "https://mailchimp.com/developer/marketing/guides/quick-start/ (a key ends with its data centre)",
    prefixes: [],
    inner: /-us\d/,
    pattern: new RegExp(`${wordBegin}[a-f0-9]{32}-us\\d{1,2}(?![\\w-])`, "y"),
    matches: [`${fakeHex(32)}-us12`],
    spares: ["0123456789abcdef-us-east-1", "0123456789abcdef0123456789abcdef-usb"]
  },
  {
    kind: "new-relic-licence",
    source: "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/ (a licence key ends with NRAL)",
    prefixes: [],
    inner: /NRAL/,
    pattern: new RegExp(`${wordBegin}[a-f0-9]{36}NRAL(?![\\w])`, "y"),
    matches: [`${fakeHex(36)}NRAL`],
    spares: ["NRAL", "0123NRAL"]
  },
  {
    kind: "discord-bot",
    source: "https://discord.com/developers/docs/reference#authentication",
    prefixes: [],
    inner: /\.[\w-]{6}\.[\w-]{27}/,
    pattern: new RegExp(
      `${wordBegin}[MNO][A-Za-z\\d]{23,25}\\.[\\w-]{6}\\.(?=[\\w-]*\\d)(?=[\\w-]*[A-Z])[\\w-]{27,38}(?![\\w-])`,
      "y"
    ),
    matches: [`MTA${fake(23)}.G${fake(5)}.${fake(38)}`],
    spares: [
      "MTAwMDA.short.sig",
      "Module.method.anotherName",
      "MyVeryLongClassNameForAll.inner2.aMethodNameThatIsVeryLongIndeed"
    ]
  },
  {
    kind: "azure-devops",
    source:
      "https://learn.microsoft.com/azure/devops/organizations/accounts/use-personal-access-tokens-to-authenticate",
    prefixes: [],
    inner: /AZDO/,
    pattern: new RegExp(`${wordBegin}[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![\\w])`, "y"),
    matches: [`${fake(76)}AZDO${fake(4)}`],
    spares: ["AZDO", "FAKEAZDOfake"]
  }
]
