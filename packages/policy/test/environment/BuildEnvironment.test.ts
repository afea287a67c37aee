import { assert, describe, it } from "@effect/vitest"
import { buildEnvironment, type EnvironmentBasis } from "@gatehouse/policy/environment/BuildEnvironment"
import { controllingReason } from "@gatehouse/policy/environment/ControllingNames"
import { inheritedNames } from "@gatehouse/policy/environment/EnvironmentNames"
import type { EnvironmentQuestion } from "@gatehouse/policy/environment/EnvironmentPolicy"
import { defaultEnvironmentSettings, EnvironmentSettings } from "@gatehouse/policy/environment/EnvironmentSettings"
import { describeLeftOut } from "@gatehouse/policy/environment/LeftOut"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"

const basis: EnvironmentBasis = {
  hostEnvironment: { PATH: "/bin", HOME: "/home/me", SSH_AUTH_SOCK: "/run/agent", API_TOKEN: "tok-123" },
  platform: "posix",
  controlledHome: "/private/home",
  settings: defaultEnvironmentSettings
}
const question: EnvironmentQuestion = {
  purpose: "terminal",
  overlay: {},
  bindings: [],
  grants: [],
  timeoutSeconds: 30,
  background: false
}
const built = (asked: Partial<EnvironmentQuestion>, on: Partial<EnvironmentBasis> = {}) => {
  const answer = buildEnvironment({ ...question, ...asked }, { ...basis, ...on })
  if (answer.outcome === "refused") throw new Error(answer.message)
  return answer
}
const refused = (asked: Partial<EnvironmentQuestion>, on: Partial<EnvironmentBasis> = {}) => {
  const answer = buildEnvironment({ ...question, ...asked }, { ...basis, ...on })
  return answer.outcome === "refused" ? answer : assert.fail("was built")
}

const anyName = fc.oneof(
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/),
  fc.constantFrom("PATH", "Path", "HOME", "LC_ALL", "LC_SECRET", "TERMINAL_TOKEN", "__proto__", "USERPROFILE", "LANG")
)
const marked = fc.string({ unit: "grapheme-ascii", maxLength: 8 }).map((text) => `<<${text}>>`)
const hostVariables = fc.dictionary(anyName, marked, { maxKeys: 12, noNullPrototype: false })

describe("the environment of a child", () => {
  it("holds no value of the host but those of listed names", () => {
    fc.assert(
      fc.property(
        hostVariables,
        fc.constantFrom("posix", "windows"),
        fc.constantFrom("terminal", "mcp-stdio"),
        (host, platform, purpose) => {
          const { environment } = built({ purpose }, { hostEnvironment: host, platform })
          const listed = new Set(inheritedNames[platform])
          for (const [name, value] of Object.entries(environment)) {
            if (value === basis.controlledHome) continue
            assert.isTrue(listed.has(name), name)
            const spelt = Object.entries(host).filter(
              ([own]) => (platform === "windows" ? own.toUpperCase() : own) === name
            )
            assert.include(
              spelt.map(([, own]) => own),
              value
            )
          }
        }
      )
    )
  })

  it("holds what was added, as it was written, whatever the host has", () => {
    fc.assert(
      fc.property(hostVariables, fc.dictionary(anyName, marked, { maxKeys: 5 }), (host, overlay) => {
        const { environment, requiresApproval, risk } = built({ overlay }, { hostEnvironment: host })
        for (const [name, value] of Object.entries(overlay)) assert.strictEqual(environment[name], value)
        assert.strictEqual(requiresApproval, Object.keys(overlay).length > 0)
        assert.strictEqual(risk, requiresApproval ? "high" : "low")
      })
    )
  })

  it("refuses a name or a value that could not be passed on as it is, and never repeats the value", () => {
    const secret = "hunter2-hunter2"
    for (const name of ["", "A B", "1A", "A=B", "A.B", "A\n", "Ä", "A\u0000"]) {
      const { message, reason } = refused({ overlay: { [name]: secret } })
      assert.strictEqual(reason, "invalid_name")
      assert.notInclude(message, secret)
    }
    for (const value of [`${secret}\u0000`, `${secret}\ud800`, secret.repeat(10_000)]) {
      const { message, reason } = refused({ overlay: { A: value } })
      assert.strictEqual(reason, "invalid_value")
      assert.notInclude(message, secret)
    }
    assert.strictEqual(refused({ overlay: { gatehouse_spawn_id: "x" } }).reason, "reserved_target")
  })

  it("resolves references of a declaration once, and only there", () => {
    const hostEnvironment = { A: "${B}$&$1", B: "b" }
    const overlay = { X: "${A}-${B}-${not-a-name}-$B-${}" }
    assert.strictEqual(
      built({ purpose: "mcp-stdio", overlay }, { hostEnvironment }).environment["X"],
      "${B}$&$1-b-${not-a-name}-$B-${}"
    )
    assert.strictEqual(built({ overlay }, { hostEnvironment }).environment["X"], overlay.X)
    const missing = refused({ purpose: "mcp-stdio", overlay: { X: "${ABSENT}" } })
    assert.strictEqual(missing.reason, "missing_variable")
    assert.include(missing.message, "ABSENT")
    assert.strictEqual(refused({ purpose: "mcp-stdio", overlay: { X: "${__proto__}" } }).reason, "missing_variable")
  })

  it("disregards letter case on Windows only", () => {
    const hostEnvironment = { Path: "C:\\Windows" }
    assert.deepStrictEqual(
      built({ overlay: { path: "C:\\x" } }, { hostEnvironment, platform: "windows" }).environment,
      {
        HOME: basis.controlledHome,
        USERPROFILE: basis.controlledHome,
        path: "C:\\x"
      }
    )
    assert.strictEqual(refused({ overlay: { a: "1", A: "2" } }, { platform: "windows" }).reason, "duplicate_target")
    assert.strictEqual(built({ overlay: { a: "1", A: "2" } }).environment["A"], "2")
    assert.isUndefined(built({}, { hostEnvironment }).environment["PATH"])
  })

  it("gives the host's own names and home only where its owner says so", () => {
    const settings: EnvironmentSettings = { inherit: ["SSH_AUTH_SOCK"], home: "host" }
    const { environment } = built({}, { settings })
    assert.strictEqual(environment["SSH_AUTH_SOCK"], "/run/agent")
    assert.strictEqual(environment["HOME"], "/home/me")
    assert.strictEqual(built({}).environment["HOME"], "/private/home")
    const decode = Schema.decodeUnknownEither(EnvironmentSettings)
    assert.isTrue(Either.isLeft(decode({ inherit: ["GATEHOUSE_SPAWN_ID"] })))
    assert.isTrue(Either.isLeft(decode({ inherit: ["A B"] })))
    assert.deepStrictEqual(decode({}), Either.right(defaultEnvironmentSettings))
  })

  it("judges bindings without reading what they bind", () => {
    const read: Array<string> = []
    const hostEnvironment = new Proxy<Record<string, string>>(
      { API_TOKEN: "tok-123" },
      {
        get: (target, name) => {
          read.push(String(name))
          return Reflect.get(target, name)
        }
      }
    )
    const bindings = [{ source: "env:API_TOKEN", target: "T", expiresInSeconds: 5 }]
    const answer = built({ bindings, grants: ["secret.bind:API_TOKEN"] }, { hostEnvironment })
    assert.strictEqual(answer.effectiveTimeoutSeconds, 5)
    assert.isFalse(answer.sessionCacheable)
    assert.isUndefined(answer.environment["T"])
    assert.notInclude(read, "API_TOKEN")
  })
})

describe("names that decide what a child does", () => {
  it("are known in any letter case", () => {
    const turn = (name: string, bits: number) =>
      [...name]
        .map((letter, index) => ((bits >> (index % 16)) & 1 ? letter.toLowerCase() : letter.toUpperCase()))
        .join("")
    const names = [
      "PATH",
      "HOME",
      "COMSPEC",
      "LD_PRELOAD",
      "DYLD_FRAMEWORK_PATH",
      "NODE_OPTIONS",
      "PYTHONPATH",
      "PERL5OPT"
    ]
    const more = ["RUBYOPT", "GIT_EXTERNAL_DIFF", "BASH_ENV", "npm_config_script_shell", "JAVA_TOOL_OPTIONS", "GOFLAGS"]
    const rare = ["LD_AUDIT", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "CARGO_BUILD_RUSTC_WRAPPER", "XDG_CONFIG_HOME"]
    fc.assert(
      fc.property(fc.constantFrom(...names, ...more, ...rare), fc.nat(65_535), (name, bits) => {
        assert.isNotNull(controllingReason(turn(name, bits)), name)
      })
    )
  })

  it("are known for many programs, whatever they choose there", () => {
    const options = ["GREP_OPTIONS", "TAR_OPTIONS", "RIPGREP_CONFIG_PATH", "FZF_DEFAULT_COMMAND", "TF_CLI_ARGS_plan"]
    const runtimes = ["GHCRTS", "MONO_PATH", "JRUBY_OPTS", "TS_NODE_COMPILER", "PYENV_ROOT", "OPAMROOT", "SBCL_HOME"]
    const loaders = ["ASAN_OPTIONS", "RESOLV_HOST_CONF", "VK_ICD_FILENAMES", "LIBGL_DRIVERS_PATH", "GSS_MECH_CONFIG"]
    for (const name of [...options, ...runtimes, ...loaders]) assert.isNotNull(controllingReason(name), name)
  })

  it("are no beginnings or ends of ordinary names", () => {
    const ordinary = [
      "GITHUB_TOKEN",
      "PATHFINDER_KEY",
      "MY_LD_PRELOAD",
      "SHELLCHECK_TOKEN",
      "NODE_AUTH_TOKEN",
      "NPM_TOKEN"
    ]
    const secrets = ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "DATABASE_URL", "PGPASSWORD", "CARGO_REGISTRY_TOKEN"]
    const near = [
      "XPATH",
      "PATH2",
      "HOMEBREW_GITHUB_API_TOKEN",
      "LDAP_PASSWORD",
      "GITLAB_PAT",
      "EDITORIAL_KEY",
      "IFSC",
      "CI"
    ]
    for (const name of [...ordinary, ...secrets, ...near]) assert.isNull(controllingReason(name), name)
  })

  it("include every name that a child has anyway", () => {
    for (const name of [...inheritedNames.posix, ...inheritedNames.windows])
      assert.isNotNull(controllingReason(name), name)
  })
})

describe("what is left out", () => {
  it("is told by name and reason, never by value", () => {
    const hostEnvironment = { ...basis.hostEnvironment, LD_PRELOAD: "evil.so", DISPLAY: ":0" }
    const left = describeLeftOut({ hostEnvironment, platform: "posix" }, defaultEnvironmentSettings)
    assert.deepStrictEqual(
      left.map(({ name }) => name),
      ["API_TOKEN", "DISPLAY", "HOME", "LD_PRELOAD", "SSH_AUTH_SOCK"]
    )
    assert.notInclude(JSON.stringify(left), "tok-123")
    assert.deepStrictEqual(
      left.filter(({ canBeListed }) => !canBeListed).map(({ name }) => name),
      ["HOME"]
    )
    const owner: EnvironmentSettings = { inherit: ["DISPLAY"], home: "host" }
    const names = describeLeftOut({ hostEnvironment, platform: "posix" }, owner).map(({ name }) => name)
    assert.deepStrictEqual(names, ["API_TOKEN", "LD_PRELOAD", "SSH_AUTH_SOCK"])
  })
})
