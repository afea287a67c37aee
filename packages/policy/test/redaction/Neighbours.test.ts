import { assert, describe, it } from "@effect/vitest"
import { fakeSecret, noSources, shown, shownText } from "./cases.ts"

/** Neighbours of the shared vectors: the same kinds in other spellings. `%` stands for the secret. */
const secret = fakeSecret(901)
const withSecret = (template: string): string => template.replace(/%(?![0-9A-F]{2}|%)/, () => secret)

const secretNames =
  "password passwd pass passphrase Password PASSWORD db_password dbPassword userPassword pass_word pwd PWD secret client_secret clientSecret api_key api-key apikey apiKey ApiKey API_KEY APIKEY x-api-key X-Api-Key X-Goog-Api-Key token access_token accessToken refresh_token refreshToken id_token idToken session_token sessionToken auth_token authToken AuthToken x-auth-token bearer bearerToken bearer_token authorization Authorization AUTHORIZATION proxy-authorization cookie Cookie set-cookie Set-Cookie setCookie cookies private_key privateKey PrivateKey private-key PRIVATE_KEY secret_key secretKey SecretKey aws_secret_access_key awsSecretAccessKey AWS_SECRET_ACCESS_KEY signing_secret webhook_secret signing_key encryption_key credential credentials creds Credentials GITHUB_TOKEN OPENAI_API_KEY npm_token NPM_TOKEN csrf_token xsrf-token X-XSRF-TOKEN x-csrf-token x-amz-security-token jwt otp passcode master_key shared_secret hmac_key ssh_key connection_string access_key accessKey account_key deploy_key bot_token app_secret appSecret consumer_secret oauth_token storepass keypass dbpass DB_PASS PGPASSWORD pgpassword MYSQL_PWD secrets tokens passwords new_password old_password passwordHash password_confirmation secretValue secret_value token_value tokenValue api_token apiToken API_SECRET api_secret sas_token vault_token user_token githubToken ghToken slack_token tokenSecret secret_token secretToken personal_access_token PersonalAccessToken x-access-token X-Vault-Token PRIVATE-TOKEN passkey seed_phrase mnemonic recovery_code backup_codes auth authentication_token service_account_key"

const openFields: ReadonlyArray<readonly [string, unknown]> = [
  ["max_tokens", 4096],
  ["maxTokens", 2048],
  ["prompt_tokens", 77],
  ["completion_tokens", 55],
  ["total_tokens", 99],
  ["token_count", 42],
  ["tokens", 99],
  ["tokens_used", 12],
  ["token_limit", 8000],
  ["token_endpoint", "https://id.example/o/t"],
  ["authorization_endpoint", "https://id.example/a"],
  ["token_type", "bearer-ish"],
  ["token_url", "https://id.example/t"],
  ["cookie_banner", "shown"],
  ["cookie_policy", "strictish"],
  ["secretName", "db-main"],
  ["secret_name", "db-main-2"],
  ["secretary", "Jo Demo"],
  ["tokenizer", "bpe-demo"],
  ["tokenization", "wordpiece"],
  ["compass", "north"],
  ["bypass", true],
  ["password_policy", "twelve-chars"],
  ["password_required", true],
  ["passwordless", "magic-link"],
  ["credential_type", "oauth2"],
  ["auth_method", "pkce"],
  ["author", "Ada Demo"],
  ["authors", ["Bo Demo"]],
  ["authority", "https://login.example"],
  ["public_key", "demo-pub"],
  ["publicKey", "demo-pub2"],
  ["primaryKey", "id"],
  ["foreign_key", "user_id"],
  ["sort_key", "created_at"],
  ["key", "ArrowUp"],
  ["keyboard", "qwerty"],
  ["monkey", "banana"],
  ["next_page_token", "pg-2-demo"],
  ["nextPageToken", "pg-3-demo"],
  ["secret_count", 3],
  ["has_password", true],
  ["password_changed_at", "2026-01-01"],
  ["token_expires_at", "2027-01-01"],
  ["expires_in", 3600],
  ["session_id", "session_abc123def456"],
  ["passport", "P-demo-12"],
  ["passenger", "Bo Demo 1"],
  ["passing", 12],
  ["passed", 12],
  ["pass", 3],
  ["assassin", "creed-demo"],
  ["author_email", "a@b.example"],
  ["authored_at", "2026-01-01"],
  ["oauth_provider", "github-demo"],
  ["cookieConsent", true],
  ["tokens_per_second", 31.5],
  ["secretRef", "vault-db-main"],
  ["secret_ref", "kv/db/main"],
  ["keyId", "kid-123-demo"],
  ["etag", "W/abc123"],
  ["signature", "fn(a, b)"],
  ["monkey_key", "x"],
  ["cache_key", "user:12:profile"],
  ["idempotency_key", "idem-123"],
  ["keys", ["alpha1", "beta22"]],
  ["keywords", ["alpha"]],
  ["hash", "9f86d081884c7d65"],
  ["checksum", "9f86d081"],
  ["path", "/etc/passwd"],
  ["input_token_details", { cached: 3 }],
  ["password_min_length", 12],
  ["description", "The token is stored in the vault"],
  ["token_usage", { input: 10, output: 20 }],
  ["title", "Reset your password"],
  ["encoding", "cl100k_base"]
]

const innocentTexts: ReadonlyArray<string> = [
  "Authorization required",
  "Forgot password? Reset it in settings.",
  "token ring, token economy, tokenizer",
  "SyntaxError: Unexpected token } in JSON at position 42",
  "Unexpected token 'export'",
  "Unexpected token < in JSON at position 0",
  "passed: 12, failed: 0, passing",
  "git@git.example:org/repo.git",
  "time 12:34:56 ratio 3:4 at 10:00@venue",
  "commit 3f2a9c1e8b7d6f5a4c3b2a1908f7e6d5c4b3a291",
  "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  "base64: aGVsbG8gd29ybGQ=",
  "ci-disk-watch.timer",
  "sha512-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a089f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08==",
  "integrity sha512-abcDEF123/xyz==",
  "550e8400-e29b-41d4-a716-446655440000",
  "The secret of success is work",
  "Secret Santa at noon",
  "a cookie recipe with chocolate",
  "Cookies help us deliver our services",
  "basic training for beginners",
  "Basic authentication is enabled",
  "bearer of bad news",
  "the bearer token is missing",
  "Enter your password:",
  "Password must be at least 12 characters",
  "password: required",
  "The password is too short",
  "invalid token: unexpected end of input",
  "error: token expired",
  "tokens: 1234, cost: 5",
  "max_tokens=4096",
  "max_tokens: 4096",
  "--max-tokens 4096",
  "secretName: db-main",
  "password_policy: strict",
  "const token = getToken()",
  "const token = process.env.API_TOKEN",
  "password: string",
  "password?: string;",
  "token: str = None",
  "def login(user, password):",
  "function f(token) { return token }",
  "if (token === null) {}",
  "this.token = token",
  "const { token } = props",
  "type Token = { kind: string }",
  "import { Token } from './token.ts'",
  "export class TokenError extends Error {}",
  "password = models.CharField(max_length=128)",
  "PASSWORD = os.environ['PASSWORD']",
  'token := os.Getenv("TOKEN")',
  "SELECT token FROM sessions WHERE id = 3",
  "password=${DB_PASSWORD} token=$TOKEN secret={{ secret }}",
  "API_KEY=<your-api-key>",
  "export API_KEY=$(cat key.txt)",
  "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQDfake user@host",
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFAKEabcdef me@host",
  "https://git.example/org/repo.git",
  "https://host.example:8080/path@v1",
  "https://medium.example/@user/post-12",
  "mailto:bob1999@mail.example",
  "see https://docs.example/auth/token-types#cookie",
  "ssh://git@github.example/org/repo.git",
  "npm install package@1.2.3",
  "docker run -u 1000:1000 image:1",
  "docker run -p 8080:80 image:1",
  "cp -p a b",
  "ls -a -u dir",
  "mkdir -p src/test",
  "user: demo, role: admin",
  'Proxy-Authenticate: Basic realm="x"',
  'WWW-Authenticate: Bearer realm="api"',
  "key: value",
  "sort by key: name",
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==",
  "pk_live_FAKEabcdefghijklmnopqrst",
  "keyboard shortcut: Ctrl+K",
  "tokenizer.json",
  "auth: oauth2",
  "authentication: enabled",
  "a=1&b=2&code=404",
  "?code=404&x=1",
  "error code: E1234567x",
  "exit code=137",
  "status code: 200",
  "zip code: 12345-6789",
  "session: 12 active",
  "signature: (a: string, b: number) => void",
  "x-request-id: rq-12345678",
  "csrf protection is on",
  "The access token has expired.",
  "Bearer authentication failed",
  "assertion failed: token.kind == Ident",
  "expected token `;`, found `}`",
  "secret/data/db (path)",
  "kubectl get secret db-main -o yaml",
  "kubectl create secret generic s",
  "docker secret ls",
  "gh secret list",
  "cat /run/secrets/db_password",
  "cp .env.example .env",
  "npm token list",
  "git config credential.helper store",
  "use --token to authenticate",
  "pass --password-stdin to docker login",
  "See section 'Passwords' in the manual",
  "passwd: password updated successfully",
  "root:x:0:0:root:/root:/bin/bash",
  "1.2.3-token.4",
  "assets/token-icon.svg",
  "const PASSWORD_MIN_LENGTH = 12",
  "rate limit: 5000, tokens remaining: 4999",
  "input_tokens: 812 output_tokens: 33",
  "description: Rotates the database password every night",
  "summary: how to reset a forgotten password",
  "Cookie: none",
  "set a cookie named theme",
  "Set-Cookie header is missing"
]

const secretTexts: ReadonlyArray<readonly [string, string]> = [
  ["token=%", ""],
  ["token: %", ""],
  ["TOKEN=% ./run.sh", "./run.sh"],
  ["export API_TOKEN=%", ""],
  ['password="%" x', "x"],
  ["password='%'", ""],
  ['{"password":"%","k":"keep"}', "keep"],
  ['{"password": "%", "k": "keep"}', "keep"],
  ['{\\"password\\":\\"%\\",\\"k\\":\\"keep\\"}', "keep"],
  ["{'token': '%', 'k': 'keep'}", "keep"],
  ["db:\n  password: %\n  host: keep", "keep"],
  ["[db]\npassword = %\nhost = keep", "keep"],
  ['password = "%"\nhost = "keep"', "keep"],
  ["<password>%</password><k>keep</k>", "keep"],
  ['<db password="%" host="keep"/>', "keep"],
  ['<add key="Password" value="%"/> keep', "keep"],
  ['<string name="api_key">%</string> keep', "keep"],
  ["<ns:token>%</ns:token> keep", "keep"],
  ["Server=db;User Id=sa;Password=%;Database=keep", "keep"],
  ["AccountName=keep;AccountKey=%;EndpointSuffix=core", "keep"],
  ["grant_type=client_credentials&client_secret=%&scope=keep", "keep"],
  [':password => "%", :k => keep', "keep"],
  ["--password=% keep", "keep"],
  ["--password % keep", "keep"],
  ["--api-key '%' keep", "keep"],
  ["-Dpassword=% keep", "keep"],
  ["curl -u demo:% https://keep.example", "keep.example"],
  ["curl --user 'demo:%' keep", "keep"],
  ["curl -sSu demo:% keep", "keep"],
  ['curl -H "Authorization: Bearer %" keep', "keep"],
  ["curl -H 'X-Api-Key: %' keep", "keep"],
  ["curl -b 'sid=%' keep", "keep"],
  ["curl -d 'password=%&user=keep' u", "keep"],
  ['curl -d \'{"token":"%"}\' keep', "keep"],
  ["mysql -uroot -p% keep", "keep"],
  ["mysql -u root -p% -h keep", "keep"],
  ["sshpass -p % ssh keep", "keep"],
  ["sshpass -p '%' ssh keep", "keep"],
  ["docker login -u keep -p % reg.example", "keep"],
  ["redis-cli -a % ping", "ping"],
  ["openssl enc -pass pass:% -in keep", "keep"],
  ["PGPASSWORD=% psql keep", "keep"],
  ["MYSQL_PWD=% mysql keep", "keep"],
  ["docker run -e DB_PASSWORD=% keep", "keep"],
  ["docker run --env DB_PASSWORD=% keep", "keep"],
  ['$env:API_TOKEN = "%"; keep', "keep"],
  ["set API_TOKEN=% & keep", "keep"],
  ["setx API_TOKEN % keep", "keep"],
  ["ENV NPM_TOKEN=%\nRUN keep", "keep"],
  ["ENV NPM_TOKEN %\nRUN keep", "keep"],
  ["ARG TOKEN=%\nkeep", "keep"],
  ["//registry.example/:_authToken=%\nkeep", "keep"],
  ["machine h login keep password %", "keep"],
  ["machine h\n  login keep\n  password %\n", "keep"],
  ["echo % | sudo -S ls keep", "keep"],
  ["echo '%' | docker login --password-stdin keep", "keep"],
  ["aws configure set aws_secret_access_key % keep", "keep"],
  ["helm install --set auth.password=% keep", "keep"],
  ["kubectl create secret generic s --from-literal=password=% keep", "keep"],
  ["https://%@git.example/keep", "keep"],
  ["https://user:%@git.example/keep", "keep"],
  ["postgres://app:%@db.example:5432/keep", "keep"],
  ["redis://:%@cache.example/keep", "keep"],
  ["https://a.example/?token=%&k=keep", "keep"],
  ["https://a.example/#access_token=%&k=keep", "keep"],
  ["https://a.example/cb?code=%&state=keep", "a.example/cb"],
  ["https://a.example/?sig=%&k=keep", "keep"],
  ["https://a.example/?X-Amz-Signature=%&k=keep", "keep"],
  ["https://a.example/?api_key=%&k=keep", "keep"],
  ["https://a.example/?key=%&k=keep", "keep"],
  ["https://a.example/?filter[secret]=%&k=keep", "keep"],
  ["https://a.example/?filter%5Bsecret%5D=%&k=keep", "keep"],
  ["https://a.example/?a=1&amp;token=%&amp;k=keep", "keep"],
  ["redirect=https%3A%2F%2Fa.example%2F%3Ftoken%3D%&k=keep", "keep"],
  ["Authorization: Bearer %\nkeep", "keep"],
  ["authorization: bearer %\nkeep", "keep"],
  ["AUTHORIZATION:Bearer %\nkeep", "keep"],
  ["Authorization: Token %\nkeep", "keep"],
  ["Authorization: %\nkeep", "keep"],
  ['Authorization: Digest username="a", response="%"\nkeep', "keep"],
  ["Authorization: AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=h, Signature=%\nkeep", "keep"],
  ["Authorization=Bearer % keep", "keep"],
  ["authorization => Bearer %\nkeep", "keep"],
  ["'Authorization': f'Bearer %', keep", "keep"],
  ["headers={'Authorization': 'Bearer %'} keep", "keep"],
  ["Cookie: a=1; sid=%; k=2\nkeep", "keep"],
  ["Set-Cookie: sid=%; Path=/keep; HttpOnly\nkeep", "keep"],
  ["cookie: session=%\nkeep", "keep"],
  ["X-Api-Key: %\nkeep", "keep"],
  ["x-auth-token:%\nkeep", "keep"],
  ["> X-Vault-Token: %\nkeep", "keep"],
  ["Proxy-Authorization: Basic %\nkeep", "keep"],
  ["got Bearer % keep", "keep"],
  ["the password is % keep", "keep"],
  ["Your token is: % keep", "keep"],
  ["password: |\n  %\nkeep: 1", "keep"],
  ["password: >-\n  %\nkeep: 1", "keep"],
  ['"password":\n  "%",\n"k": "keep"', "keep"],
  ["(token=%) keep", "keep"],
  ["[token: %] keep", "keep"],
  ["{token: %, k: keep}", "keep"],
  ["token=%, user=keep", "keep"],
  ["password=%,user=keep", "keep"],
  ["\u001b[32mtoken\u001b[0m=% keep", ""],
  ['api_key="%"\nkeep', "keep"],
  ['const apiKey = "%"; // keep', "keep"],
  ["apiKey: '%', // keep", "keep"],
  ['client_secret: "%"\nkeep', "keep"],
  ['password := "%" keep', "keep"],
  ['String password = "%"; keep', "keep"],
  ["ALTER USER a IDENTIFIED BY '%'; keep", "keep"],
  ["CREATE USER a WITH PASSWORD '%' keep", "keep"],
  ['ConvertTo-SecureString "%" -AsPlainText keep', "keep"],
  ["| password | % | keep", ""],
  ["smbclient //s/x -U keep%%", "keep"],
  ["PASSWORD %\nkeep", ""],
  ["--header 'Authorization: Basic %' keep", "keep"],
  ['-Password "%" keep', "keep"],
  ["az login -u a -p % keep", "keep"],
  ["git clone https://oauth2:%@git.example/keep.git", "keep"],
  ["wget --http-password=% keep", "keep"],
  ["user,password\nkeep,%\n", "keep"],
  ["NAME=keep\nDB_PASSWORD=%\nX=1", "keep"],
  ["password : % keep", "keep"],
  ["password\t%\nkeep", ""],
  ["secret=%\r\nkeep", "keep"],
  ["Token %\nkeep", ""]
]

describe("names of fields", () => {
  for (const name of secretNames.split(" ")) {
    it(`${name} hides its value, there and elsewhere`, () => {
      const text = shown({
        args: { [name]: secret, comment: "keep-1" },
        result: { text: `applied ${secret} to the account`, deep: [{ [name]: secret }] }
      })
      assert.notInclude(text, secret)
      assert.include(text, "keep-1")
      assert.include(text, "to the account")
    })
  }

  for (const [name, value] of openFields) {
    it(`${name} keeps its value`, () => {
      assert.include(shown({ result: { [name]: value } }), JSON.stringify(value))
    })
  }
})

describe("texts", () => {
  for (const text of innocentTexts) {
    it(`survives: ${text}`, () => {
      assert.include(shownText(text), text)
    })
  }

  for (const [template, keep] of secretTexts) {
    it(`is masked: ${JSON.stringify(template)}`, () => {
      const text = shownText(withSecret(template))
      assert.notInclude(text, secret)
      assert.include(text, keep)
    })
  }
})

describe("what stands around a secret is kept", () => {
  for (const [template, kept] of [
    ["https://x-access-token:%@git.example/org/repo", "@git.example/org/repo"],
    ["https://token:%@git.example/org/repo", "@git.example/org/repo"],
    ["https://a.example/?token=%#frag", "#frag"],
    ["https://a.example/?a=1&api_key=%#frag", "#frag"]
  ] as const) {
    it(template, () => {
      assert.notInclude(shownText(withSecret(template)), secret)
      assert.include(shownText(withSecret(template)), kept)
    })
  }

  it("a reference of two braces is one", () => {
    assert.include(shownText("token: ${{ secrets.SERVICE_TOKEN }}"), "${{ secrets.SERVICE_TOKEN }}")
  })
})

describe("what the host knows beside the payload", () => {
  const named = (kind: "environment" | "headers", name: string, value: string): string =>
    shown({ result: { text: `echo ${secret} 4096 keep` } }, { ...noSources, [kind]: { [name]: value } })

  it("is a secret in variables that end with PASS or AUTH, and no number of tokens", () => {
    for (const name of ["SMTP_PASS", "BASIC_AUTH", "DB_PASS"]) {
      assert.notInclude(named("environment", name, secret), secret, name)
    }
    assert.include(named("environment", "MAX_TOKENS", "4096"), "4096")
  })

  it("is a secret in the parameters of an authorization", () => {
    for (const value of [`Token token=${secret}`, `Digest username="demo", response="${secret}"`]) {
      assert.notInclude(named("headers", "Authorization", value), secret, value)
    }
  })
})

describe("names and schemes that no list knows", () => {
  it("schemes of several words", () => {
    assert.notInclude(shownText(`Authorization: Zoho-oauthtoken ${secret}`), secret)
  })

  it("headers asked for as fields, unless they name a header", () => {
    assert.notInclude(shown({ result: { authorizationHeader: secret } }), secret)
    assert.include(shown({ result: { token_header: "X-Auth-Token" } }), "X-Auth-Token")
  })

  it("names with something unseen in them", () => {
    for (const unseen of ["\u200b", "\u2060", "\u00ad", "\ufeff"]) {
      assert.notInclude(shown({ result: { [`p${unseen}assword`]: secret } }), secret)
    }
  })

  it("tokens behind an escaped control character", () => {
    const token = `ghp_FAKE${"abcdefghijklmnopqrstuvwxyz012345"}`
    assert.notInclude(shownText(`keep\u0000${token}\u0000`), token)
  })
})
