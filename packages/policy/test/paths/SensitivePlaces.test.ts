import { assert, describe, it } from "@effect/vitest"
import { isSensitivePath } from "@gatehouse/policy/paths/SensitivePlaces"

const home = "/home/me"
const sensitive = (path: string) => isSensitivePath(path, home)

describe("places known by name", () => {
  it.each([
    "/ws/.env",
    "/ws/a/b/.env.production",
    "/ws/.envrc",
    "/ws/prod.env",
    "/ws/.SSH/config",
    "/ws/ID_RSA",
    "/ws/id_ed25519_sk",
    "/ws/id_rsa.bak",
    "/ws/server.PEM",
    "/ws/tls/server.key.old",
    "/ws/.netrc~",
    "/ws/.aws/anything/below",
    "/ws/.docker/config.json",
    "/ws/.config/gh/hosts.yml",
    "/ws/.git/HEAD",
    "/ws/sub/.git",
    "/ws/GIT~1/config",
    "/ws/.g\u200cit/config",
    "/ws/.env::$DATA",
    "/ws/.env. ",
    "/ws/\uff0egit/config",
    "/ws/x/../.ssh/id",
    "C:\\ws\\.aws\\credentials",
    "~/.gnupg/secring.gpg",
    "/etc/shadow",
    "/etc/ssl/private/a"
  ])("%s is delicate", (path) => assert.isTrue(sensitive(path)))

  it.each([
    "/ws/dotenv.ts",
    "/ws/env/readme.md",
    "/ws/environment.ts",
    "/ws/.environment",
    "/ws/.env.example",
    "/ws/envelope.txt",
    "/ws/id_rsa.pub",
    "/ws/keys.md",
    "/ws/monkey.png",
    "/ws/keyboard.ts",
    "/ws/credentials.md",
    "/ws/src/credentials/index.ts",
    "/ws/git/config",
    "/ws/gitignore",
    "/ws/.gitignore",
    "/ws/aws/main.tf",
    "/ws/ssh/client.go",
    "/ws/docker/config.json",
    "/ws/.docker/Dockerfile",
    "/ws/server.crt",
    "/ws/.key",
    "/ws/etc/shadow",
    "/ws/a.pem.md",
    "/ws/src/.env/..",
    "/",
    "~",
    "~/notes.txt"
  ])("%s is not", (path) => assert.isFalse(sensitive(path)))
})
