/**
 * Tokens that are known by their shape alone. One rule a kind: where it is documented, its shape, and texts that it
 * must and must not match; a test refuses a rule without both lists and runs both.
 */
import { longRunShapes } from "./LongRunShapes.ts"
import { serviceTokenShapes } from "./ServiceTokenShapes.ts"
import { fake, fakeHex, fakeUpper, letters, type TokenShape } from "./TokenShape.ts"

const github = "https://github.blog/engineering/behind-githubs-new-authentication-token-formats/"
const gitlab = "https://docs.gitlab.com/security/tokens/#token-prefixes"
const slack = "https://api.slack.com/authentication/token-types"
const stripe = "https://docs.stripe.com/keys"

/** Shapes that the quick look finds by their prefixes. */
export const prefixedShapes: ReadonlyArray<TokenShape> = [
  {
    kind: "github",
    source: github,
    prefixes: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    pattern: /gh[pousr]_[A-Za-z0-9]{36,255}/y,
    matches: ["p", "o", "u", "s", "r"].map((letter) => `gh${letter}_${fake(36)}`),
    spares: ["ghp_short", "ghx_prefix_of_nothing_that_is_known_to_be_real"]
  },
  {
    kind: "github-fine-grained",
    source: github,
    prefixes: ["github_pat_"],
    pattern: /github_pat_[A-Za-z0-9]{20,30}_[A-Za-z0-9]{40,80}/y,
    matches: [`github_pat_${fake(22)}_${fake(59)}`],
    spares: ["github_pat_in_a_variable_name"]
  },
  {
    kind: "gitlab",
    source: gitlab,
    prefixes: [
      "glpat-",
      "gldt-",
      "glrt-",
      "glcbt-",
      "glptt-",
      "glft-",
      "glimt-",
      "glagent-",
      "gloas-",
      "glsoat-",
      "glffct-"
    ],
    pattern: /gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[\w.-]{19,255}\w/y,
    matches: ["glpat-", "gldt-", "glrt-", "glcbt-"].map((prefix) => prefix + fake(20)),
    spares: ["glpat-short", "glrt-runner"]
  },
  {
    kind: "aws-access-key",
    source: "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids",
    prefixes: ["AKIA", "ASIA", "ABIA", "ACCA"],
    pattern: /A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])/y,
    matches: [`AKIA${fakeUpper(16)}`, `ASIA${fakeUpper(16)}`],
    spares: ["AKIA", "ASIATIC", `AKIA${fakeUpper(15)}`, `ASIA${fakeUpper(20)}`]
  },
  {
    kind: "aws-bedrock",
    source: "https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html",
    prefixes: ["ABSK", "bedrock-api-key-"],
    pattern: /(?:ABSK[A-Za-z0-9+/]{100,269}={0,2}|bedrock-api-key-[A-Za-z0-9+/=]{20,8192})/y,
    matches: [`ABSK${fake(128)}`],
    spares: ["ABSKIP", "bedrock-api-key-name"]
  },
  {
    kind: "slack",
    source: slack,
    prefixes: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe-", "xoxe.", "xoxc-", "xoxd-"],
    pattern: /xox(?:[abcoprs]-[A-Za-z0-9-]{10,255}|d-[\w%+/=-]{10,1024}|e(?:\.xox[bp])?-\d-[A-Za-z0-9-]{10,1024})/y,
    matches: [`xoxb-12345678901-123456789012-${fake(24)}`, `xoxp-1234567890-${fake(24)}`, `xoxe-1-${fake(60)}`],
    spares: ["xoxb-", "xoxo-hugs"]
  },
  {
    kind: "slack-app",
    source: slack,
    prefixes: ["xapp-"],
    pattern: /xapp-\d-[A-Za-z0-9]{8,20}-\d{8,20}-[A-Za-z0-9]{30,128}/y,
    matches: [`xapp-1-A${fakeUpper(10)}-1234567890123-${fake(64)}`],
    spares: ["xapp-1-demo"]
  },
  {
    kind: "slack-webhook",
    source: "https://api.slack.com/messaging/webhooks",
    prefixes: ["hooks.slack.com/"],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/-]{20,255}/y,
    matches: [`hooks.slack.com/services/T0FAKE00/B0FAKE00/${fake(24)}`],
    spares: ["hooks.slack.com/services", "hooks.slack.com/docs"]
  },
  {
    kind: "discord-webhook",
    source: "https://discord.com/developers/docs/resources/webhook",
    prefixes: ["discord.com/api/", "discordapp.com/api/"],
    pattern: /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{15,22}\/[\w-]{50,100}/y,
    matches: [`discord.com/api/webhooks/123456789012345678/${fake(68)}`],
    spares: ["discord.com/api/webhooks", "discord.com/api/users/123456789012345678"]
  },
  {
    kind: "teams-webhook",
    source: "https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook",
    prefixes: ["webhook.office.com/webhookb2/"],
    pattern: /webhook\.office\.com\/webhookb2\/[\w@-]{20,100}\/IncomingWebhook\/[\w/-]{20,200}/y,
    matches: [
      `webhook.office.com/webhookb2/${fakeHex(36)}@${fakeHex(36)}/IncomingWebhook/${fakeHex(32)}/${fakeHex(36)}`
    ],
    spares: ["webhook.office.com/webhookb2/docs"]
  },
  {
    kind: "telegram-bot",
    source: "https://core.telegram.org/bots/api#authorizing-your-bot",
    prefixes: ["api.telegram.org/bot"],
    pattern: /api\.telegram\.org\/bot\d{6,12}:[\w-]{30,50}/y,
    matches: [`api.telegram.org/bot123456789:${fake(35)}`],
    spares: ["api.telegram.org/bots", "api.telegram.org/bot123"]
  },
  {
    kind: "stripe",
    source: stripe,
    prefixes: ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_", "whsec_"],
    pattern: /(?:[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9+/=]{24,255})/y,
    matches: [`sk_live_${fake(24)}`, `rk_live_${fake(24)}`, `sk_test_${fake(24)}`, `whsec_${fake(32)}`],
    spares: ["pk_live_published", "sk_live_demo", "whsec_short"]
  },
  {
    kind: "openai",
    source: "https://platform.openai.com/docs/api-reference/authentication",
    prefixes: ["sk-"],
    pattern:
      /sk-(?:(?:proj|svcacct|admin|service|None)-[\w-]{20,255}|[A-Za-z0-9]{20,64}(?![\w-])|[\w-]{10,120}T3BlbkFJ[\w-]{10,120})/y,
    matches: [`sk-${fake(48)}`, `sk-proj-${fake(66)}T3BlbkFJ${fake(66)}`, `sk-svcacct-${fake(58)}T3BlbkFJ${fake(58)}`],
    spares: ["sk-learn", "sk-toggleable-content-label-arrow", "sk-proj-docs"]
  },
  {
    kind: "anthropic",
    source: "https://docs.anthropic.com/en/api/admin-api/apikeys/get-api-key",
    prefixes: ["sk-ant-"],
    pattern: /sk-ant-[a-z]{2,8}\d{2}-[\w-]{20,255}/y,
    matches: [`sk-ant-api03-${fake(93)}AA`, `sk-ant-admin01-${fake(93)}AA`],
    spares: ["sk-ant-colony", "sk-ant-api03-short"]
  },
  {
    kind: "openrouter",
    source: "https://openrouter.ai/docs/api-reference/authentication",
    prefixes: ["sk-or-"],
    pattern: /sk-or-(?:v\d-)?[A-Za-z0-9]{32,128}/y,
    matches: [`sk-or-v1-${fakeHex(64)}`],
    spares: ["sk-or-v1-docs"]
  },
  {
    kind: "google-api-key",
    source: "https://cloud.google.com/docs/authentication/api-keys",
    prefixes: ["AIza"],
    pattern: /AIza[\w-]{35}(?![\w-])/y,
    matches: [`AIza${fake(35)}`],
    spares: ["AIzawa", `AIza${fake(30)}`]
  },
  {
    kind: "google-oauth",
    source: "https://developers.google.com/identity/protocols/oauth2",
    prefixes: ["ya29.", "GOCSPX-", "1//0"],
    pattern: /(?:ya29\.[\w-]{20,2048}|GOCSPX-[\w-]{28}|1\/\/0[\w-]{40,200})/y,
    matches: [`ya29.${fake(60)}`, `GOCSPX-${fake(28)}`, `1//0${fake(60)}`],
    spares: ["ya29.short", "GOCSPX-", "1//0 is a comment"]
  },
  {
    kind: "jwt",
    source: "https://www.rfc-editor.org/rfc/rfc7519 (a JSON object in base64url begins with eyJ)",
    prefixes: ["eyJ"],
    pattern: /eyJ[\w-]{8,8192}\.[\w-]{2,65536}(?:\.[\w-]{0,65536}){1,3}/y,
    matches: [`eyJ${fake(20)}.eyJ${fake(20)}.${fake(43)}`, `eyJ${fake(20)}.eyJ${fake(20)}.`],
    spares: ["eyJ", `eyJ${fake(20)}`, "eyJson.parse"]
  },
  {
    kind: "pem-in-base64",
    source: "https://www.rfc-editor.org/rfc/rfc7468 (five hyphens in base64, as in a kubeconfig)",
    prefixes: ["LS0tLS1CRUdJTi"],
    pattern:
      /LS0tLS1CRUdJTi[A-Za-z0-9+/]{0,80}(?:UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW)[A-Za-z0-9+/=]{0,65536}/y,
    matches: [Buffer.from(`-----BEGIN RSA PRIVATE KEY-----\n${fake(64)}`).toString("base64")],
    spares: [Buffer.from(`-----BEGIN CERTIFICATE-----\n${fake(64)}`).toString("base64")]
  },
  {
    kind: "npm",
    source: "https://docs.npmjs.com/about-access-tokens",
    prefixes: ["npm_"],
    pattern: /npm_[A-Za-z0-9]{36,64}/y,
    matches: [`npm_${fake(36)}`],
    spares: ["npm_config_registry", "npm_lifecycle_event"]
  },
  {
    kind: "pypi",
    source: "https://pypi.org/help/#apitoken",
    prefixes: ["pypi-"],
    pattern: /pypi-AgE[\w-]{50,1024}/y,
    matches: [`pypi-AgEIcHlwaS5vcmc${fake(60)}`],
    spares: ["pypi-publish", "pypi-AgE"]
  },
  {
    kind: "rubygems",
    source: "https://guides.rubygems.org/api-key-scopes/",
    prefixes: ["rubygems_"],
    pattern: /rubygems_[a-f0-9]{48}/y,
    matches: [`rubygems_${fakeHex(48)}`],
    spares: ["rubygems_version"]
  },
  {
    kind: "sendgrid",
    source: "https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys",
    prefixes: ["SG."],
    pattern: /SG\.[\w-]{16,32}\.[\w-]{32,64}/y,
    matches: [`SG.${fake(22)}.${fake(43)}`],
    spares: ["SG.example", "SG.short.short"]
  },
  {
    kind: "digitalocean",
    source: "https://docs.digitalocean.com/reference/api/create-personal-access-token/",
    prefixes: ["dop_v1_", "doo_v1_", "dor_v1_"],
    pattern: /do[opr]_v1_[a-f0-9]{64}/y,
    matches: [`dop_v1_${fakeHex(64)}`, `doo_v1_${fakeHex(64)}`],
    spares: ["dop_v1_", `dop_v1_${fakeHex(10)}`]
  },
  {
    kind: "vault",
    source: "https://developer.hashicorp.com/vault/docs/concepts/tokens#token-prefixes",
    prefixes: ["hvs.", "hvb.", "hvr."],
    pattern: /hv[sbr]\.[\w-]{20,512}/y,
    matches: [`hvs.${fake(90)}`, `hvb.${fake(130)}`],
    spares: ["hvs.example", "hvs."]
  },
  {
    kind: "terraform-cloud",
    source: "https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens",
    prefixes: [],
    inner: /\.atlasv1\./,
    pattern: /[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,80}/y,
    matches: [`${fake(14)}.atlasv1.${fake(67)}`],
    spares: ["demo.atlasv1.docs"]
  },
  {
    kind: "databricks",
    source: "https://docs.databricks.com/aws/en/dev-tools/auth/pat",
    prefixes: ["dapi"],
    pattern: /dapi[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])/y,
    matches: [`dapi${fakeHex(32)}`, `dapi${fakeHex(32)}-2`],
    spares: ["dapi", `dapi${fakeHex(20)}`]
  },
  {
    kind: "linear",
    source: "https://linear.app/developers/graphql",
    prefixes: ["lin_api_", "lin_oauth_"],
    pattern: /lin_(?:api|oauth)_[A-Za-z0-9]{32,128}/y,
    matches: [`lin_api_${fake(40)}`],
    spares: ["lin_api_docs"]
  },
  {
    kind: "notion",
    source: "https://developers.notion.com/page/changelog (tokens begin with ntn_)",
    prefixes: ["ntn_"],
    pattern: /ntn_[A-Za-z0-9]{40,64}/y,
    matches: [`ntn_12345678901${fake(35)}`],
    spares: ["ntn_short"]
  },
  {
    kind: "age",
    source: "https://age-encryption.org/v1",
    prefixes: ["AGE-SECRET-KEY-"],
    pattern: /AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,128}/y,
    matches: [`AGE-SECRET-KEY-1${fakeUpper(58)}`],
    spares: ["AGE-SECRET-KEY-1", "age1fakepublicrecipient"]
  },
  {
    kind: "docker-hub",
    source: "https://docs.docker.com/security/access-tokens/",
    prefixes: ["dckr_pat_", "dckr_oat_"],
    pattern: /dckr_[po]at_[\w-]{24,64}/y,
    matches: [`dckr_pat_${fake(27)}`],
    spares: ["dckr_pat_"]
  },
  {
    kind: "hugging-face",
    source: "https://huggingface.co/docs/hub/security-tokens",
    prefixes: ["hf_", "api_org_"],
    pattern: /(?:hf|api_org)_[A-Za-z]{34}(?![\w])/y,
    matches: [`hf_${fake(34, letters)}`],
    spares: ["hf_hub_download", "hf_transfer"]
  },
  {
    kind: "shopify",
    source: "https://shopify.dev/docs/apps/build/authentication-authorization",
    prefixes: ["shpat_", "shpca_", "shppa_", "shpss_"],
    pattern: /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/y,
    matches: [`shpat_${fakeHex(32)}`],
    spares: ["shpat_docs"]
  },
  {
    kind: "square",
    source: "https://developer.squareup.com/docs/build-basics/access-tokens",
    prefixes: ["sq0atp-", "sq0csp-"],
    pattern: /sq0(?:atp|csp)-[\w-]{22,60}/y,
    matches: [`sq0atp-${fake(22)}`],
    spares: ["sq0atp-"]
  },
  {
    kind: "mapbox",
    source: "https://docs.mapbox.com/help/getting-started/access-tokens/",
    prefixes: ["sk.eyJ"],
    pattern: /sk\.eyJ[\w-]{20,512}\.[\w-]{20,64}/y,
    matches: [`sk.eyJ${fake(60)}.${fake(22)}`],
    spares: ["sk.eyJ"]
  },
  {
    kind: "atlassian",
    source: "https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/",
    prefixes: ["ATATT3", "ATCTT3", "ATBB"],
    pattern: /AT(?:[AC]TT3[\w=-]{60,250}|BB[A-Za-z0-9]{32}(?![A-Za-z0-9]))/y,
    matches: [`ATATT3${fake(180)}`, `ATBB${fake(32)}`],
    spares: ["ATATT3", "ATBB"]
  },
  {
    kind: "grafana",
    source: "https://grafana.com/docs/grafana/latest/administration/service-accounts/",
    prefixes: ["glsa_", "glc_"],
    pattern: /(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,400}={0,2})/y,
    matches: [`glsa_${fake(32)}_${fakeHex(8)}`, `glc_${fake(64)}`],
    spares: ["glsa_demo", "glc_short"]
  },
  {
    kind: "new-relic",
    source: "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/",
    prefixes: ["NRAK-", "NRJS-", "NRII-"],
    pattern: /NR(?:AK-[A-Z0-9]{27}|JS-[a-f0-9]{19}|II-[\w-]{32})/y,
    matches: [`NRAK-${fakeUpper(27)}`],
    spares: ["NRAK-docs"]
  },
  {
    kind: "doppler",
    source: "https://docs.doppler.com/docs/service-tokens",
    prefixes: ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
    pattern: /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}/y,
    matches: [`dp.pt.${fake(43)}`, `dp.st.dev.${fake(43)}`],
    spares: ["dp.st.dev"]
  },
  {
    kind: "pulumi",
    source: "https://www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens/",
    prefixes: ["pul-"],
    pattern: /pul-[a-f0-9]{40}(?![a-f0-9])/y,
    matches: [`pul-${fakeHex(40)}`],
    spares: ["pul-up"]
  },
  {
    kind: "planetscale",
    source: "https://planetscale.com/docs/api/reference/service-tokens",
    prefixes: ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"],
    pattern: /pscale_(?:tkn|pw|oauth)_[\w.-]{32,64}/y,
    matches: [`pscale_tkn_${fake(43)}`],
    spares: ["pscale_tkn_"]
  },
  {
    kind: "supabase",
    source: "https://supabase.com/docs/guides/api/api-keys",
    prefixes: ["sbp_", "sb_secret_"],
    pattern: /(?:sbp_(?:oauth_)?[a-f0-9]{40}|sb_secret_[\w-]{20,80})/y,
    matches: [`sbp_${fakeHex(40)}`, `sb_secret_${fake(31)}`],
    spares: ["sbp_docs", "sb_secret_key"]
  },
  {
    kind: "postman",
    source: "https://learning.postman.com/docs/developer/postman-api/authentication/",
    prefixes: ["PMAK-"],
    pattern: /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/y,
    matches: [`PMAK-${fakeHex(24)}-${fakeHex(34)}`],
    spares: ["PMAK-docs"]
  },
  {
    kind: "azure-ad-client-secret",
    source: "https://learn.microsoft.com/entra/identity-platform/quickstart-register-app (a secret holds 8Q~ or 7Q~)",
    prefixes: [],
    inner: /[78]Q~/,
    pattern: /[A-Za-z0-9_~.]{3}[78]Q~[\w~.-]{31,34}(?![\w~-])/y,
    matches: [`FAK8Q~${fake(34)}`],
    spares: ["8Q~", "FAK8Q~short"]
  },
  {
    kind: "groq",
    source: "https://console.groq.com/docs/quickstart",
    prefixes: ["gsk_"],
    pattern: /gsk_[A-Za-z0-9]{48,64}/y,
    matches: [`gsk_${fake(52)}`],
    spares: ["gsk_short"]
  },
  {
    kind: "xai",
    source: "https://docs.x.ai/docs/overview",
    prefixes: ["xai-"],
    pattern: /xai-[A-Za-z0-9]{70,90}/y,
    matches: [`xai-${fake(80)}`],
    spares: ["xai-sdk"]
  },
  {
    kind: "perplexity",
    source: "https://docs.perplexity.ai/guides/getting-started",
    prefixes: ["pplx-"],
    pattern: /pplx-[A-Za-z0-9]{40,64}/y,
    matches: [`pplx-${fake(48)}`],
    spares: ["pplx-api"]
  },
  {
    kind: "figma",
    source: "https://www.figma.com/developers/api#access-tokens",
    prefixes: ["figd_", "figu_"],
    pattern: /fig[du]_[\w-]{38,60}/y,
    matches: [`figd_${fake(40)}`],
    spares: ["figd_docs"]
  },
  {
    kind: "fly",
    source: "https://fly.io/docs/security/tokens/",
    prefixes: ["FlyV1 ", "fm1r_", "fm2_", "fo1_"],
    pattern: /(?:FlyV1 )?(?:fm1[ar]_|fm2_|fo1_)[A-Za-z0-9+/=_,-]{40,2048}/y,
    matches: [`fm2_${fake(80)}`, `fo1_${fake(43)}`],
    spares: ["fm2_demo"]
  },
  {
    kind: "sentry",
    source: "https://docs.sentry.io/account/auth-tokens/",
    prefixes: ["sntrys_", "sntryu_"],
    pattern: /sntry(?:s_[A-Za-z0-9+/=_]{60,512}|u_[a-f0-9]{64})/y,
    matches: [`sntrys_${fake(120)}`, `sntryu_${fakeHex(64)}`],
    spares: ["sntrys_docs"]
  },
  {
    kind: "netlify",
    source: "https://docs.netlify.com/api/get-started/#authentication",
    prefixes: ["nfp_", "nfc_", "nfo_", "nfu_"],
    pattern: /nf[pcou]_[A-Za-z0-9]{36,64}/y,
    matches: [`nfp_${fake(36)}`],
    spares: ["nfp_short"]
  },
  {
    kind: "typeform",
    source: "https://www.typeform.com/developers/get-started/personal-access-token/",
    prefixes: ["tfp_"],
    pattern: /tfp_[\w.-]{40,64}/y,
    matches: [`tfp_${fake(44)}`],
    spares: ["tfp_docs"]
  },
  {
    kind: "clojars",
    source: "https://github.com/clojars/clojars-web/wiki/Deploy-Tokens",
    prefixes: ["CLOJARS_"],
    pattern: /CLOJARS_[a-f0-9]{60}/y,
    matches: [`CLOJARS_${fakeHex(60)}`],
    spares: ["CLOJARS_USERNAME"]
  },
  {
    kind: "brevo",
    source: "https://developers.brevo.com/docs/getting-started",
    prefixes: ["xkeysib-", "xsmtpsib-"],
    pattern: /x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}/y,
    matches: [`xkeysib-${fakeHex(64)}-${fake(16)}`],
    spares: ["xkeysib-docs"]
  },
  {
    kind: "cloudflare",
    source: "https://developers.cloudflare.com/fundamentals/api/get-started/ca-keys/ (Origin CA keys)",
    prefixes: ["v1.0-"],
    pattern: /v1\.0-[a-f0-9]{24}-[a-f0-9]{146}/y,
    matches: [`v1.0-${fakeHex(24)}-${"0123456789abcdef".repeat(10).slice(0, 146)}`],
    spares: ["v1.0-beta"]
  },
  ...serviceTokenShapes
]

/** All of them; {@link longRunShapes} are those that the quick look finds by another way. */
export const tokenShapes: ReadonlyArray<TokenShape> = [...prefixedShapes, ...longRunShapes]
