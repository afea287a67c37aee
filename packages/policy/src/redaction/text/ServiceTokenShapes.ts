/** Tokens of single services, as {@link TokenShape} rules; those of platforms that everybody meets are in TokenShapes.ts. */
import { fake, fakeHex, fakeLower, fakeUpper, type TokenShape } from "./TokenShape.ts"

export const serviceTokenShapes: ReadonlyArray<TokenShape> = [
  {
    kind: "gitlab-runner-registration",
    source: "https://docs.gitlab.com/security/tokens/#token-prefixes",
    prefixes: ["GR1348941"],
    pattern: /GR1348941[\w-]{20,50}/y,
    matches: [`GR1348941${fake(20)}`],
    spares: ["GR1348941"]
  },
  {
    kind: "buildkite",
    source: "https://buildkite.com/docs/apis/managing-api-tokens",
    prefixes: ["bkua_", "bkct_"],
    pattern: /bk(?:ua_[a-f0-9]{40}|ct_[A-Za-z0-9]{36,80})/y,
    matches: [`bkua_${fakeHex(40)}`, `bkct_${fake(40)}`],
    spares: ["bkua_docs"]
  },
  {
    kind: "circleci",
    source: "https://circleci.com/docs/managing-api-tokens/",
    prefixes: ["CCIPAT_", "CCIPRJ_"],
    pattern: /CCIP(?:AT|RJ)_[A-Za-z0-9]{20,24}_[A-Fa-f0-9]{40}/y,
    matches: [`CCIPAT_${fake(22)}_${fakeHex(40)}`],
    spares: ["CCIPAT_docs"]
  },
  {
    kind: "heroku",
    source: "https://devcenter.heroku.com/articles/heroku-cli-commands",
    prefixes: ["HRKU-"],
    pattern: /HRKU-[\w-]{36,64}/y,
    matches: [`HRKU-AA${fake(58)}`],
    spares: ["HRKU-docs"]
  },
  {
    kind: "jfrog",
    source: "https://jfrog.com/help/r/jfrog-platform-administration-documentation/access-tokens",
    prefixes: ["AKCp", "cmVmdGtuOjAxO"],
    pattern: /(?:AKCp[A-Za-z0-9]{69}(?![A-Za-z0-9])|cmVmdGtuOjAxO[A-Za-z0-9+/]{40,80}={0,2})/y,
    matches: [`AKCp${fake(69)}`, `cmVmdGtuOjAxO${fake(51)}`],
    spares: ["AKCp", "cmVmdGtuOjAxO"]
  },
  {
    kind: "contentful",
    source: "https://www.contentful.com/developers/docs/references/authentication/",
    prefixes: ["CFPAT-"],
    pattern: /CFPAT-[\w-]{43}/y,
    matches: [`CFPAT-${fake(43)}`],
    spares: ["CFPAT-docs"]
  },
  {
    kind: "duffel",
    source: "https://duffel.com/docs/api/overview/making-requests/authentication",
    prefixes: ["duffel_live_", "duffel_test_"],
    pattern: /duffel_(?:live|test)_[\w=-]{43}/y,
    matches: [`duffel_test_${fake(43)}`],
    spares: ["duffel_test_mode"]
  },
  {
    kind: "dynatrace",
    source:
      "https://docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients/access-tokens",
    prefixes: ["dt0c01.", "dt0s01.", "dt0s02.", "dt0s16."],
    pattern: /dt0[cs]\d{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}/y,
    matches: [`dt0c01.${fakeUpper(24)}.${fakeUpper(64)}`],
    spares: ["dt0c01.docs"]
  },
  {
    kind: "easypost",
    source: "https://docs.easypost.com/docs/authentication",
    prefixes: ["EZAK", "EZTK"],
    pattern: /EZ[AT]K[A-Za-z0-9]{54}(?![A-Za-z0-9])/y,
    matches: [`EZAK${fake(54)}`],
    spares: ["EZAK", "EZTKT"]
  },
  {
    kind: "flutterwave",
    source: "https://developer.flutterwave.com/docs/authentication",
    prefixes: ["FLWSECK-", "FLWSECK_TEST-"],
    pattern: /FLWSECK(?:_TEST)?-[a-f0-9]{12,32}-X/y,
    matches: [`FLWSECK_TEST-${fakeHex(32)}-X`, `FLWSECK-${fakeHex(32)}-X`],
    spares: ["FLWSECK-docs"]
  },
  {
    kind: "1password-service-account",
    source: "https://developer.1password.com/docs/service-accounts/",
    prefixes: ["ops_eyJ"],
    pattern: /ops_eyJ[\w-]{100,4096}/y,
    matches: [`ops_eyJ${fake(250)}`],
    spares: ["ops_eyJ"]
  },
  {
    kind: "prefect",
    source: "https://docs.prefect.io/v3/how-to-guides/cloud/manage-users/api-keys",
    prefixes: ["pnu_", "pnb_"],
    pattern: /pn[ub]_[A-Za-z0-9]{36}(?![A-Za-z0-9])/y,
    matches: [`pnu_${fake(36)}`],
    spares: ["pnu_docs"]
  },
  {
    kind: "readme",
    source: "https://docs.readme.com/main/reference/intro/authentication",
    prefixes: ["rdme_"],
    pattern: /rdme_[a-z0-9]{70}/y,
    matches: [`rdme_${fakeLower(70)}`],
    spares: ["rdme_docs"]
  },
  {
    kind: "shippo",
    source: "https://docs.goshippo.com/docs/guides_general/authentication/",
    prefixes: ["shippo_live_", "shippo_test_"],
    pattern: /shippo_(?:live|test)_[a-f0-9]{40}/y,
    matches: [`shippo_live_${fakeHex(40)}`],
    spares: ["shippo_test_mode"]
  },
  {
    kind: "sourcegraph",
    source: "https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token",
    prefixes: ["sgp_"],
    pattern: /sgp_(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40}(?![a-f0-9])/y,
    matches: [`sgp_${fakeHex(16)}_${fakeHex(40)}`, `sgp_${fakeHex(40)}`],
    spares: ["sgp_docs"]
  },
  {
    kind: "vercel-blob",
    source: "https://vercel.com/docs/vercel-blob",
    prefixes: ["vercel_blob_rw_"],
    pattern: /vercel_blob_rw_[A-Za-z0-9]{8,24}_[A-Za-z0-9]{24,48}/y,
    matches: [`vercel_blob_rw_${fake(16)}_${fake(30)}`],
    spares: ["vercel_blob_rw_docs"]
  },
  {
    kind: "yandex",
    source: "https://yandex.cloud/en/docs/iam/concepts/authorization/api-key",
    prefixes: ["AQVN"],
    pattern: /AQVN[\w-]{35,38}(?![\w-])/y,
    matches: [`AQVN${fake(36)}`],
    spares: ["AQVN"]
  },
  {
    kind: "zuplo",
    source: "https://zuplo.com/docs/articles/api-key-leak-detection",
    prefixes: ["zpka_"],
    pattern: /zpka_[a-z0-9]{32}_[a-f0-9]{8}/y,
    matches: [`zpka_${fakeHex(32)}_${fakeHex(8)}`],
    spares: ["zpka_docs"]
  },
  {
    kind: "langsmith",
    source: "https://docs.langchain.com/langsmith/create-account-api-key",
    prefixes: ["lsv2_pt_", "lsv2_sk_"],
    pattern: /lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}/y,
    matches: [`lsv2_pt_${fakeHex(32)}_${fakeHex(10)}`],
    spares: ["lsv2_pt_docs"]
  },
  {
    kind: "langfuse",
    source: "https://langfuse.com/docs/api-and-data-platform/features/public-api",
    prefixes: ["sk-lf-"],
    pattern: /sk-lf-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}/y,
    matches: ["sk-lf-01234567-89ab-cdef-0123-456789abcdef"],
    spares: ["sk-lf-docs"]
  },
  {
    kind: "pinecone",
    source: "https://docs.pinecone.io/guides/projects/manage-api-keys",
    prefixes: ["pcsk_"],
    pattern: /pcsk_[A-Za-z0-9]{5,7}_[A-Za-z0-9]{60,66}/y,
    matches: [`pcsk_${fake(6)}_${fake(63)}`],
    spares: ["pcsk_docs"]
  },
  {
    kind: "tavily",
    source: "https://docs.tavily.com/documentation/quickstart",
    prefixes: ["tvly-"],
    pattern: /tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,64}/y,
    matches: [`tvly-${fake(32)}`, `tvly-dev-${fake(32)}`],
    spares: ["tvly-python"]
  },
  {
    kind: "nvidia",
    source: "https://docs.api.nvidia.com/nim/docs/api-quickstart",
    prefixes: ["nvapi-"],
    pattern: /nvapi-[\w-]{60,70}/y,
    matches: [`nvapi-${fake(64)}`],
    spares: ["nvapi-docs"]
  },
  {
    kind: "cerebras",
    source: "https://inference-docs.cerebras.ai/quickstart",
    prefixes: ["csk-"],
    pattern: /csk-[a-z0-9]{48}(?![A-Za-z0-9])/y,
    matches: [`csk-${fakeLower(48)}`],
    spares: ["csk-docs"]
  },
  {
    kind: "posthog",
    source: "https://posthog.com/docs/api#authentication",
    prefixes: ["phx_"],
    pattern: /phx_[A-Za-z0-9_]{40,56}/y,
    matches: [`phx_${fake(43)}`],
    spares: ["phx_docs"]
  },
  {
    kind: "tailscale",
    source: "https://tailscale.com/kb/1277/key-prefixes",
    prefixes: ["tskey-"],
    pattern: /tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,24}-[A-Za-z0-9]{20,48}/y,
    matches: [`tskey-auth-${fake(17)}-${fake(32)}`, `tskey-api-${fake(17)}-${fake(32)}`],
    spares: ["tskey-auth-docs"]
  },
  {
    kind: "plaid",
    source: "https://plaid.com/docs/api/items/",
    prefixes: ["access-sandbox-", "access-development-", "access-production-"],
    pattern: /access-(?:sandbox|development|production)-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}/y,
    matches: ["access-sandbox-01234567-89ab-cdef-0123-456789abcdef"],
    spares: ["access-sandbox-docs"]
  },
  {
    kind: "braintree",
    source: "https://developer.paypal.com/braintree/docs/guides/authorization/overview",
    prefixes: ["access_token$"],
    pattern: /access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}/y,
    matches: [`access_token$production$${fakeLower(16)}$${fakeHex(32)}`],
    spares: ["access_token$sandbox"]
  },
  {
    kind: "new-relic-insert",
    source: "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/",
    prefixes: ["NRIQ-"],
    pattern: /NRIQ-[\w-]{32}/y,
    matches: [`NRIQ-${fake(32)}`],
    spares: ["NRIQ-docs"]
  },
  {
    kind: "honeycomb",
    source: "https://docs.honeycomb.io/configure/environments/manage-api-keys/",
    prefixes: ["hcaik_", "hcbik_", "hcxik_", "hcxmk_"],
    pattern: /hc(?:[abx]ik|xmk)_[a-z0-9]{58}/y,
    matches: [`hcaik_${fakeLower(58)}`],
    spares: ["hcaik_docs"]
  },
  {
    kind: "notion-integration",
    source: "https://developers.notion.com/page/changelog (tokens began with secret_)",
    prefixes: ["secret_"],
    pattern: /secret_[A-Za-z0-9]{43}(?![\w])/y,
    matches: [`secret_${fake(43)}`],
    spares: ["secret_name", "secret_access_key_of_the_other_account_here_now"]
  },
  {
    kind: "deno-deploy",
    source: "https://docs.deno.com/deploy/classic/api/rest/",
    prefixes: ["ddp_", "ddo_"],
    pattern: /dd[po]_[A-Za-z0-9]{36}(?![A-Za-z0-9])/y,
    matches: [`ddp_${fake(36)}`],
    spares: ["ddp_docs"]
  },
  {
    kind: "google-hmac",
    source: "https://cloud.google.com/storage/docs/authentication/hmackeys",
    prefixes: ["GOOG1E"],
    pattern: /GOOG1E[A-Z0-9]{55,59}(?![A-Za-z0-9])/y,
    matches: [`GOOG1E${fakeUpper(57)}`],
    spares: ["GOOG1E"]
  },
  {
    kind: "alibaba-cloud",
    source: "https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair",
    prefixes: ["LTAI"],
    pattern: /LTAI[A-Za-z0-9]{20}(?![A-Za-z0-9])/y,
    matches: [`LTAI${fake(20)}`],
    spares: ["LTAI", "LTAIR"]
  }
]
