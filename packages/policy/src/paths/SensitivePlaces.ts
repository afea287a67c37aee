/**
 * Places that are known by name to hold credentials, or to decide what runs later. Text alone decides here: nothing is
 * looked up. A name is compared in a folded form ({@link foldName}), so that spelling it another way adds suspicion
 * and never removes any.
 *
 * Sources of the names: the manuals of the programs that keep them, the ignore templates of github/gitignore, and the
 * `.git` spellings that Git itself refuses (`core.protectHFS`, `core.protectNTFS`).
 */

/**
 * Whether `path` is a place of credentials or of version control, in any folder and any letter case. `path` is
 * absolute, or begins with `~`, which is `home`; links are not followed.
 *
 * @example
 * isSensitivePath("/ws/config/.env", "/home/me")   // true
 * isSensitivePath("~/.ssh/id_rsa", "/home/me")     // true
 * isSensitivePath("/ws/src/keyboard.ts", "/home/me") // false
 */
export const isSensitivePath = (path: string, home: string): boolean => {
  const absolute = path === "~" || /^~[/\\]/.test(path) ? `${home}/${path.slice(2)}` : path
  const parts = withoutDots(absolute.split(/[/\\]+/))
  return credentialReason(parts) !== null || repositoryReason(parts) !== null || systemReason(parts) !== null
}

/**
 * Globs of the best known of these places, for programs that walk through folders: what they need not even read. They
 * are fewer than {@link isSensitivePath} knows, which decides about every result.
 */
export const sensitiveGlobs = (): ReadonlyArray<string> => [
  ...credentialFolders,
  ...repositoryFolders,
  ...credentialNames,
  ...[...credentialExtensions].map((extension) => `*.${extension}`)
]

/** Why the place with these path components holds credentials, in words; null where it is not known to. */
export const credentialReason = (components: ReadonlyArray<string>): string | null => {
  const parts = components.map(foldName)
  const last = parts.at(-1)
  if (last === undefined) return null
  for (const part of parts) {
    if (credentialFolders.has(part) || shortNameOf(part, credentialFolders)) return `holds credentials (${part})`
  }
  for (const place of credentialPlaces) {
    if (containsRun(parts, place)) return `holds credentials (${place.join("/")})`
  }
  for (const name of withoutBackupMarks(last)) {
    if (isCredentialName(name)) return `holds credentials (${last})`
  }
  return null
}

/** Why this place, seen from the root, belongs to the secrets of the machine; null where it does not. */
export const systemReason = (components: ReadonlyArray<string>): string | null => {
  const parts = components.map(foldName)
  for (const place of systemPlaces) {
    if (place.every((part, index) => parts[index] === part)) return `holds secrets of the system (/${place.join("/")})`
  }
  return kernelReason(components)
}

/** Why this place is memory, a process or a device of the machine, which no tool opens; null where it is not. */
export const kernelReason = (components: ReadonlyArray<string>): string | null => {
  const [top, name, ...rest] = components
  if (name === undefined) return null
  if (top === "proc" && (/^(?:self|thread-self|\d+)$/.test(name) || kernelFiles.has(name))) {
    return "is the memory or state of a process"
  }
  if (top === "dev" && !(harmlessDevices.has(name) && rest.length === 0) && name !== "shm") return "is a device"
  return null
}

/** Why these components lie in version control or in an environment whose programs run; null where they do not. */
export const repositoryReason = (components: ReadonlyArray<string>): string | null => {
  for (const part of components.map(foldName)) {
    if (repositoryFolders.has(part) || shortNameOf(part, repositoryFolders)) return `decides what runs later (${part})`
  }
  return null
}

/**
 * Why a change at this place would decide what runs later, although everybody may read it: manifests with scripts,
 * build files, hooks, pipelines, editor tasks, an agent core. Null for everything else.
 */
export const decidesWhatRuns = (components: ReadonlyArray<string>): string | null => {
  const parts = components.map(foldName)
  const last = parts.at(-1) ?? ""
  for (const part of parts) if (runningFolders.has(part)) return `decides what runs later (${part})`
  for (const place of runningPlaces) {
    if (containsRun(parts, place)) return `decides what runs later (${place.join("/")})`
  }
  // A bare repository: `name.git` with its hooks and settings.
  if (parts.some((part, index) => part.endsWith(".git") && bareRepositoryParts.has(parts[index + 1] ?? ""))) {
    return "decides what runs later (a bare repository)"
  }
  if (runningNames.has(last) || runningNamePatterns.some((pattern) => pattern.test(last))) {
    return `decides what runs later (${last})`
  }
  return null
}

/**
 * One component as it is compared: compatibility forms folded (NFKC), invisible and control characters gone, lower
 * case, without blanks around, without what Windows ignores at the end (dots, blanks, a stream after a colon).
 */
export const foldName = (component: string): string => {
  const plain = /^[\x21-\x7e]*$/.test(component)
    ? component.toLowerCase()
    : component
        .normalize("NFKC")
        .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, "")
        .trim()
        .toLowerCase()
  const withoutStream = plain.replace(/(?<=.):.*$/s, "")
  const trimmed = withoutStream.replace(/[. ]+$/, "")
  return trimmed === "" ? withoutStream : trimmed
}

const withoutDots = (components: ReadonlyArray<string>): ReadonlyArray<string> => {
  const parts: Array<string> = []
  for (const component of components) {
    if (component === "..") parts.pop()
    else if (component !== "" && component !== ".") parts.push(component)
  }
  return parts
}

const containsRun = (parts: ReadonlyArray<string>, run: ReadonlyArray<string>): boolean =>
  parts.some((_, start) => run.every((part, index) => parts[start + index] === part))

/** `GIT~1` is the short name that Windows gives to `.git`: the first six letters without dots, and a number. */
const shortNameOf = (part: string, folders: ReadonlySet<string>): boolean => {
  const short = /^([^~]{1,6})~\d{1,2}$/.exec(part)?.[1]
  if (short === undefined) return false
  for (const folder of folders) if (folder.replaceAll(".", "").slice(0, 6) === short) return true
  return false
}

/** The name, and what it is without the marks of a copy: `server.key.bak`, `.env~`, `.netrc.swp`. */
const withoutBackupMarks = (name: string): ReadonlyArray<string> => {
  const names = [name]
  let rest = name
  for (let round = 0; round < 3; round++) {
    const shorter = rest.replace(/(?:~|[._-](?:bak|backup|old|orig|save|swp|swo|tmp|copy|\d{1,8}))$/, "")
    if (shorter === rest || shorter === "") break
    names.push(shorter)
    rest = shorter
  }
  return names
}

const isCredentialName = (name: string): boolean =>
  credentialNames.has(name) ||
  credentialNamePatterns.some((pattern) => pattern.test(name)) ||
  credentialExtensions.has(/[^.]\.([a-z0-9-]+)$/.exec(name)?.[1] ?? "")

/** Everything below them counts. */
const credentialFolders: ReadonlySet<string> = new Set([
  ".ssh",
  ".aws",
  ".azure",
  ".gcloud",
  ".oci",
  ".aliyun",
  ".kube",
  ".gnupg",
  ".password-store",
  ".terraform.d",
  ".vault.d",
  ".mozilla",
  ".thunderbird",
  ".bitcoin",
  ".electrum",
  ".secrets"
])

/** Runs of components, at any depth. */
const credentialPlaces: ReadonlyArray<ReadonlyArray<string>> = [
  ".docker/config.json",
  ".config/gcloud",
  ".config/gh/hosts.yml",
  ".config/glab-cli/config.yml",
  ".config/hub",
  ".config/op",
  ".config/containers/auth.json",
  ".config/helm/registry/config.json",
  ".config/argocd",
  ".config/openstack",
  ".config/stripe/config.toml",
  ".config/ngrok",
  ".config/scw/config.yaml",
  ".config/linode-cli",
  ".config/netlify/config.json",
  "com.vercel.cli/auth.json",
  ".argocd/config",
  ".ngrok2",
  ".config/doctl/config.yaml",
  ".config/hcloud/cli.toml",
  ".config/rclone",
  ".config/sops",
  ".config/git/credentials",
  ".config/composer/auth.json",
  ".config/github-copilot",
  ".config/google-chrome",
  ".config/chromium",
  ".config/bravesoftware",
  "google/chrome/user data",
  "application support/google/chrome",
  "application support/firefox",
  ".composer/auth.json",
  ".cargo/credentials",
  ".gem/credentials",
  ".gradle/gradle.properties",
  ".m2/settings.xml",
  ".m2/settings-security.xml",
  ".nuget/nuget.config",
  ".fly/config.yml",
  ".snowsql/config",
  ".subversion/auth",
  ".kaggle/kaggle.json",
  ".huggingface/token",
  ".cache/huggingface/token",
  ".rclone.conf",
  ".claude/.credentials.json",
  ".codex/auth.json",
  ".gemini/oauth_creds.json",
  ".local/share/opencode/auth.json",
  ".local/share/keyrings",
  "library/keychains",
  "microsoft/credentials",
  "microsoft/protect"
].map((place) => place.split("/"))

/** From the root. */
const systemPlaces: ReadonlyArray<ReadonlyArray<string>> = [
  ["etc", "shadow"],
  ["etc", "shadow-"],
  ["etc", "gshadow"],
  ["etc", "gshadow-"],
  ["etc", "sudoers"],
  ["etc", "sudoers.d"],
  ["etc", "master.passwd"],
  ["etc", "krb5.keytab"],
  ["etc", "ssl", "private"],
  ["etc", "pki", "tls", "private"],
  ["etc", "letsencrypt"],
  ["etc", "wireguard"],
  ["etc", "kubernetes"],
  ["etc", "networkmanager", "system-connections"],
  ["run", "secrets"],
  ["var", "run", "secrets"],
  ["var", "lib", "docker"],
  ["var", "lib", "kubelet"]
]

const kernelFiles: ReadonlySet<string> = new Set(["kcore", "kmem", "keys", "sysrq-trigger", "kallsyms", "vmcore"])

const harmlessDevices: ReadonlySet<string> = new Set([
  "null",
  "zero",
  "full",
  "random",
  "urandom",
  "tty",
  "stdin",
  "stdout",
  "stderr"
])

const credentialNames: ReadonlySet<string> = new Set([
  ".env",
  ".envrc",
  ".netrc",
  "_netrc",
  ".authinfo",
  ".authinfo.gpg",
  ".npmrc",
  ".pypirc",
  ".pgpass",
  "pgpass.conf",
  ".my.cnf",
  ".mylogin.cnf",
  ".git-credentials",
  ".vault-token",
  ".htpasswd",
  ".htdigest",
  ".s3cfg",
  ".boto",
  ".dockercfg",
  ".dockerconfigjson",
  ".databrickscfg",
  ".terraformrc",
  "terraform.rc",
  ".smbcredentials",
  ".msmtprc",
  ".fetchmailrc",
  ".rhosts",
  ".secret",
  ".secrets",
  ".token",
  "kubeconfig",
  "credentials",
  ".credentials",
  "secring.gpg",
  "identity.age",
  "application_default_credentials.json",
  "oauth_creds.json",
  "login.keychain",
  "wallet.dat"
])

const credentialNamePatterns: ReadonlyArray<RegExp> = [
  // Every `.env.*` but the ones that are meant to be shared.
  /^\.env[._-](?!(?:example|sample|template|dist|defaults?|schema|d\.ts)$).+$/,
  // Private keys of OpenSSH under the names of ssh-keygen; the public halves are not secret.
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?:[._-](?!pub$).*)?$/,
  /^ssh_host_[a-z0-9]+_key$/,
  /^\.?credentials\.(?:json|toml|ya?ml|db|xml|csv|ini|txt|enc|properties|tfrc\.json|yml\.enc)$/,
  /^\.?secrets?\.(?:json|toml|ya?ml|ini|env|properties|enc|yml\.enc|txt)$/,
  /(?:^|[-_.])(?:service[-_]?account|client[-_]?secret|gcp[-_]?key)[^/]*\.json$/,
  /^kubeconfig\.(?:ya?ml|json)$/,
  // Shells and database clients write down what was typed, passwords included.
  /^\.[a-z0-9_-]*_history$/,
  /^\.lesshst$/
]

/** Key stores, private keys, state with secrets. Certificates alone (`crt`, `cer`) are public. */
const credentialExtensions: ReadonlySet<string> = new Set([
  "pem",
  "key",
  "p8",
  "p12",
  "pfx",
  "pkcs12",
  "pk8",
  "pvk",
  "jks",
  "jceks",
  "bks",
  "keystore",
  "keytab",
  "ppk",
  "kdb",
  "kdbx",
  "ovpn",
  "agekey",
  "keychain",
  "keychain-db",
  "env",
  "tfstate"
])

const repositoryFolders: ReadonlySet<string> = new Set([".git", ".hg", ".svn", ".bzr", ".jj", ".venv", ".gatehouse"])

const bareRepositoryParts: ReadonlySet<string> = new Set(["hooks", "config", "info", "objects", "refs", "head"])

const runningFolders: ReadonlySet<string> = new Set([
  ".github",
  ".gitlab",
  ".circleci",
  ".buildkite",
  ".husky",
  ".githooks",
  ".vscode",
  ".idea",
  ".devcontainer",
  ".claude",
  ".cursor",
  "node_modules",
  "site-packages"
])

const runningPlaces: ReadonlyArray<ReadonlyArray<string>> = [
  ".cargo/config",
  ".cargo/config.toml",
  ".config/git",
  ".config/fish",
  ".config/autostart",
  ".config/systemd",
  "venv/bin",
  "venv/scripts",
  "agent/tools",
  "agent/mcp",
  "agent/skills",
  "agent/schedules"
].map((place) => place.split("/"))

const runningNames: ReadonlySet<string> = new Set([
  "agent.yaml",
  "package.json",
  "pnpm-workspace.yaml",
  ".pnpmfile.cjs",
  ".pnpmfile.mjs",
  ".yarnrc",
  ".yarnrc.yml",
  "bunfig.toml",
  "deno.json",
  "deno.jsonc",
  "pyproject.toml",
  "setup.py",
  "setup.cfg",
  "pipfile",
  "tox.ini",
  "noxfile.py",
  "conftest.py",
  "sitecustomize.py",
  "usercustomize.py",
  "pip.conf",
  "cargo.toml",
  "build.rs",
  "go.mod",
  "go.work",
  "gemfile",
  "rakefile",
  "composer.json",
  "pom.xml",
  "build.xml",
  "mix.exs",
  "makefile",
  "gnumakefile",
  "cmakelists.txt",
  "meson.build",
  "build.bazel",
  "workspace.bazel",
  "sconstruct",
  "justfile",
  ".justfile",
  "taskfile.yml",
  "taskfile.yaml",
  "procfile",
  "dockerfile",
  "containerfile",
  "jenkinsfile",
  "vagrantfile",
  "flake.nix",
  "shell.nix",
  "default.nix",
  "mise.toml",
  ".mise.toml",
  ".tool-versions",
  ".gitlab-ci.yml",
  ".travis.yml",
  "azure-pipelines.yml",
  "bitbucket-pipelines.yml",
  ".pre-commit-config.yaml",
  "lefthook.yml",
  ".gitattributes",
  ".gitmodules",
  ".gitconfig",
  ".hgrc",
  ".mcp.json",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".vimrc",
  ".exrc",
  ".nvimrc",
  ".gdbinit",
  ".lldbinit",
  ".pythonrc",
  ".irbrc"
])

const runningNamePatterns: ReadonlyArray<RegExp> = [
  /^requirements[^/]*\.(?:txt|in)$/,
  /^(?:docker-)?compose[^/]*\.ya?ml$/,
  /^dockerfile\./,
  /\.(?:mk|gemspec|pth|desktop|service)$/,
  /^(?:build|settings)\.gradle(?:\.kts)?$/
]
