import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { inputSchemaProblems } from "@gatehouse/catalog/manifests/InputSchema"
import { jsonSchemaFiles } from "@gatehouse/catalog/manifests/JsonSchemas"
import {
  readAgentManifest,
  readManifest,
  readMcpManifest,
  readToolManifest
} from "@gatehouse/catalog/manifests/Manifest"
import type { FaultCode, ManifestFault } from "@gatehouse/catalog/manifests/ManifestFault"
import { renderFault } from "@gatehouse/catalog/manifests/ManifestFault"
import { nearestName } from "@gatehouse/catalog/manifests/NearestName"
import { manifestSizeLimit } from "@gatehouse/catalog/manifests/YamlText"
import { Ajv } from "ajv"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import { parse } from "yaml"
import { loadCases } from "../../../test/vectors/run.mjs"

const faults = (file: string, yaml: string): ReadonlyArray<ManifestFault> => {
  const reading = readManifest(file, yaml)
  return reading !== null && Either.isLeft(reading) ? reading.left : []
}

const agent = (yaml: string): string => `agent:\n  id: helper\n${yaml}`

describe("hostile YAML", () => {
  const many = (text: string): string => text.repeat(Math.floor(manifestSizeLimit / text.length))
  const texts = {
    "50 MB": "a".repeat(50 * 1024 * 1024),
    "many keys": Array.from({ length: 30_000 }, (_, index) => `k${index}: 1\n`).join(""),
    "many duplicate keys": many("k: 1\n"),
    "flow list": `a: [${many("x,")}]`,
    "deep flow lists": many("["),
    "deep flow maps": many("{a: "),
    "deep block lists": many("- "),
    "deep block maps": Array.from({ length: 600 }, (_, index) => `${" ".repeat(index)}a:\n`).join(""),
    "unclosed brackets": many("}\n"),
    "unclosed quote": `a: "${many("x\n")}`,
    anchors: many("- &a x\n"),
    aliases: `a: &a x\nb: [${many("*a,")}]`,
    "an alias of itself": "a: &a [*a]\n",
    tags: many("- !a x\n"),
    documents: many("---\n"),
    commas: `a: [${many(",")}]`,
    "control characters": many("\u0001"),
    "escaped quotes": `a: "${many('\\"')}"`
  }
  for (const [name, text] of Object.entries(texts)) {
    it(`${name}: is refused at once`, () => {
      const begin = process.cpuUsage()
      const [first] = faults("agent/tools/note/tool.yaml", text)
      const { user } = process.cpuUsage(begin)
      assert.isDefined(first)
      assert.isBelow(user, 200_000)
    })
  }

  it("a long text of one value is read", () => {
    const yaml = `description: "${"word ".repeat(40_000)}"\n`
    assert.isTrue(Either.isRight(readToolManifest("note", yaml)))
  })

  it("tabs that indent are named with their line", () => {
    const [first] = faults("agent.yaml", "agent:\n\tid: helper\n")
    assert.deepInclude(first, { code: "yaml_syntax", line: 2 })
    assert.include(first?.message, "tab")
  })
})

describe("YAML that is read", () => {
  const read = (yaml: string) => Either.getOrThrow(readMcpManifest("docs", yaml)).value

  it("follows aliases, within a bound", () => {
    assert.deepStrictEqual(read("command: a\nenv: {A: &x one, B: *x}\n").env, { A: "one", B: "one" })
  })

  it("keeps words as they are written: no and on are no truth values, dates are texts", () => {
    assert.deepStrictEqual(read("command: no\nargs: [on, 2024-01-01, '1']\n").args, ["on", "2024-01-01", "1"])
  })

  it("may begin with a byte order mark, a comment, a marker of a document", () => {
    assert.strictEqual(read("\ufeff# comment\n---\ncommand: a\n...\n").command, "a")
  })

  it("keeps references to variables as text", () => {
    const { headers, url } = read(
      "transport: streamable_http\nurl: https://x.example/${SPACE}\nheaders: {Authorization: 'Bearer ${TOKEN}'}\n"
    )
    assert.deepStrictEqual([url, headers["Authorization"]], ["https://x.example/${SPACE}", "Bearer ${TOKEN}"])
  })
})

describe("faults", () => {
  const at = (file: string, yaml: string) => faults(file, yaml).map(({ code, field, line }) => [code, field, line])

  it("are all told, in the order of the lines", () => {
    assert.deepStrictEqual(
      at(
        "agent.yaml",
        agent("tools:\n  toolsets: [coding, nope]\n  metadata:\n    x: {risk: huge, color: 1}\nfoo: 1\n")
      ),
      [
        ["unknown_toolset", "tools.toolsets.1", 4],
        ["unknown_field", "tools.metadata.x.color", 6],
        ["invalid_value", "tools.metadata.x.risk", 6],
        ["unknown_field", "foo", 7]
      ]
    )
  })

  it("are told of names that objects have of themselves", () => {
    for (const name of ["constructor", "toString", "hasOwnProperty", "__proto__"]) {
      assert.deepStrictEqual(at("agent.yaml", agent(`${name}: 1\n`)), [["unknown_field", name, 3]])
    }
  })

  it("of a duplicate key stand at the second one, at any depth", () => {
    assert.deepStrictEqual(at("agent.yaml", agent("approval:\n  tools:\n    a: deny\n    'a': auto\n")), [
      ["duplicate_key", "approval.tools.a", 6]
    ])
  })

  const remote = (url: string): string => `transport: streamable_http\nurl: "${url}"\n`
  const table: ReadonlyArray<readonly [string, string, FaultCode, string]> = [
    ["agent/mcp/d.yaml", "command: a\nurl: https://x.example/\n", "invalid_value", "url"],
    ["agent/mcp/d.yaml", `${remote("https://x.example/")}command: a\n`, "invalid_value", "command"],
    ["agent/mcp/d.yaml", "url: https://x.example/\n", "missing_field", "command"],
    ["agent/mcp/d.yaml", "transport: sse\nurl: https://x.example/\n", "invalid_value", "transport"],
    ["agent/mcp/d.yaml", remote("https://${HOST}/"), "invalid_value", "url"],
    ["agent/mcp/d.yaml", remote("https://x.example/ y"), "invalid_value", "url"],
    ["agent/mcp/d.yaml", remote("https:\\\\\\\\x.example"), "invalid_value", "url"],
    ["agent/mcp/d.yaml", remote("https://"), "invalid_value", "url"],
    ["agent/mcp/d.yaml", remote("https://@x.example/"), "invalid_value", "url"],
    ["agent/mcp/d.yaml", remote("https://x.example:99999/"), "invalid_value", "url"],
    ["agent/mcp/d.yaml", "command: a\nenv: {PORT: 80}\n", "invalid_type", "env.PORT"],
    ["agent/mcp/d.yaml", "command: a\nenv: {1A: x}\n", "invalid_value", "env.1A"],
    ["agent/mcp/d.yaml", 'command: a\nenv: {A: "x\\0y"}\n', "invalid_value", "env.A"],
    ["agent/mcp/d.yaml", 'command: "a\\nb"\n', "invalid_value", "command"],
    ["agent/mcp/d.yaml", "command: a\ncwd: ''\n", "invalid_value", "cwd"],
    ["agent/mcp/d.yaml", `${remote("https://x.example/")}headers: {A: "x\\r\\ny"}\n`, "invalid_value", "headers.A"],
    ["agent/mcp/d.yaml", "command: a\ntimeout_seconds: -1\n", "out_of_range", "timeout_seconds"],
    ["agent/mcp/d.yaml", "command: a\ncapability: null\n", "invalid_type", "capability"],
    ["agent/tools/n/tool.yaml", "entrypoint: module\n", "invalid_value", "entrypoint"],
    ["agent/tools/n/tool.yaml", "entrypoint: ../x:run\n", "invalid_value", "entrypoint"],
    ["agent/tools/n/tool.yaml", "entrypoint: .x:run\n", "invalid_value", "entrypoint"],
    ["agent/tools/n/tool.yaml", "entrypoint: module:constructor\n", "invalid_value", "entrypoint"],
    ["agent/tools/n/tool.yaml", "entrypoint: module:run()\n", "invalid_value", "entrypoint"],
    ["agent/tools/n/tool.yaml", "capability: fs:*\n", "invalid_value", "capability"],
    ["agent/tools/n/tool.yaml", "capability: 'fs:'\n", "invalid_value", "capability"],
    ["agent/tools/n/tool.yaml", "capability: fs..read\n", "invalid_value", "capability"],
    ["agent/tools/n/tool.yaml", "capability: .fs\n", "invalid_value", "capability"],
    ["agent/tools/n/tool.yaml", "input_schema: {maximum: .nan}\n", "invalid_value", "input_schema"],
    ["agent.yaml", agent("capabilities: {defaults: {'*': {}}}\n"), "invalid_value", "capabilities.defaults.*"],
    ["agent.yaml", agent("capabilities: {slots: {'../x': {}}}\n"), "invalid_value", "capabilities.slots.../x"],
    ["agent.yaml", agent("runtime: {max_model_steps: 1.5}\n"), "out_of_range", "runtime.max_model_steps"],
    ["agent.yaml", agent("network: {deny_hosts: ['*']}\n"), "invalid_value", "network.deny_hosts.0"],
    ["agent.yaml", agent("redaction: {patterns: ['(']}\n"), "invalid_value", "redaction.patterns.0"],
    ["agent.yaml", agent("redaction: {patterns: ['x*']}\n"), "invalid_value", "redaction.patterns.0"],
    ["agent.yaml", agent("runtime: {sandbox: strict}\n"), "invalid_value", "runtime.sandbox"],
    ["agent.yaml", "null\n", "invalid_type", ""],
    ["agent.yaml", "", "missing_field", "agent"],
    ["agent/schedules/s.yaml", "cron: '61 * * * *'\nprompt: x\n", "invalid_value", "cron"],
    ["agent/schedules/s.yaml", "cron: '* * * * *'\nprompt: x\ntime_zone: Mars/Base\n", "invalid_value", "time_zone"]
  ]
  for (const [file, yaml, code, field] of table) {
    it(`${file} ${JSON.stringify(yaml)}: ${code} ${field}`, () => {
      const [first] = faults(file, yaml)
      assert.deepInclude(first, { code, field })
    })
  }

  it("repeat no value, whatever it is and wherever it stands", () => {
    const secret = fc.string({ unit: fc.constantFrom(..."QZXJ7"), minLength: 12, maxLength: 20 })
    const places: ReadonlyArray<(secret: string) => readonly [string, string]> = [
      (value) => ["agent/mcp/d.yaml", `command: a\nenv: {A: [${value}]}\n`],
      (value) => ["agent/mcp/d.yaml", `command: a\nargs: ${value}\n`],
      (value) => ["agent/mcp/d.yaml", `transport: streamable_http\nurl: https://u:${value}@x.example/\n`],
      (value) => ["agent/mcp/d.yaml", `transport: streamable_http\nurl: ${value}\n`],
      (value) => [
        "agent/mcp/d.yaml",
        `transport: streamable_http\nurl: https://x.example\nheaders: {A: "${value}\\n"}\n`
      ],
      (value) => ["agent/mcp/d.yaml", `command: a\nrisk: ${value}\n`],
      (value) => ["agent/mcp/d.yaml", `command: a: ${value}\n`],
      (value) => ["agent/mcp/d.yaml", `command: "${value}\\q"\n`],
      (value) => ["agent/mcp/d.yaml", `command: [${value}\n`],
      (value) => ["agent/mcp/d.yaml", `command: !${value} x\n`],
      (value) => ["agent.yaml", agent(`approval: {default: ${value}}\n`)],
      (value) => ["agent.yaml", `${value}\n`],
      (value) => ["agent/tools/n/tool.yaml", `entrypoint: ${value}\n`],
      (value) => ["agent/tools/n/tool.yaml", `input_schema: {$ref: ${value}}\n`]
    ]
    fc.assert(
      fc.property(secret, fc.constantFrom(...places), (value, place) => {
        const told = faults(...place(value))
        assert.isNotEmpty(told)
        assert.notInclude(told.map(renderFault).join("\n"), value)
      })
    )
  })

  it("let no control character of a name through to a terminal", () => {
    const [first] = faults("agent.yaml", agent('"\\e[31m\\u202e": 1\n'))
    assert.isDefined(first)
    assert.notMatch(renderFault(first), /\p{C}/u)
  })
})

describe("origins", () => {
  it("name file, line and field of a setting", () => {
    const { origin } = Either.getOrThrow(readAgentManifest(agent("approval:\n  capabilities:\n    fs.write: deny\n")))
    assert.strictEqual(origin(["approval", "capabilities", "fs.write"]), "agent.yaml:5 approval.capabilities.fs.write")
  })
})

describe("nearestName", () => {
  const fields = [
    "enabled",
    "command",
    "args",
    "env",
    "cwd",
    "url",
    "headers",
    "approval_policy",
    "capability",
    "connect_timeout_seconds",
    "timeout_seconds"
  ]
  const slips: ReadonlyArray<readonly [string, string | null]> = [
    ["comand", "command"],
    ["cmd", "command"],
    ["arguments", "args"],
    ["arg", "args"],
    ["argument", "args"],
    ["policy", "approval_policy"],
    ["header", "headers"],
    ["environment", "env"],
    ["timeout", "timeout_seconds"],
    ["connect_timeout", "connect_timeout_seconds"],
    ["approvalPolicy", "approval_policy"],
    ["approval", "approval_policy"],
    ["capabilities", "capability"],
    ["enable", "enabled"],
    ["uri", "url"],
    ["proxy", null],
    ["", null],
    ["x".repeat(1000), null]
  ]
  for (const [name, meant] of slips) {
    it(`${JSON.stringify(name.slice(0, 20))} means ${meant}`, () =>
      assert.strictEqual(nearestName(name, fields), meant))
  }

  it("finds every known name in itself, and after a slip of one letter in a long one", () => {
    const long = fields.filter((name) => name.length >= 7)
    fc.assert(
      fc.property(fc.constantFrom(...long), fc.nat(20), (name, at) => {
        const cut = name.slice(0, at % name.length) + name.slice((at % name.length) + 1)
        assert.strictEqual(nearestName(name, fields), name)
        assert.strictEqual(nearestName(cut, fields), name)
      })
    )
  })
})

describe("input schemas", () => {
  const good: ReadonlyArray<Record<string, unknown>> = [
    {},
    {
      type: "object",
      properties: { a: true, b: { type: ["string", "null"], minLength: 1, pattern: "^x" } },
      required: ["a"]
    },
    {
      $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
      properties: { root: { $ref: "#/$defs/node" } }
    },
    { properties: { "a/b": {}, c: { $ref: "#/properties/a~1b" } } },
    { properties: { type: { type: "string" }, $ref: { type: "string" } } },
    { allOf: [{ required: ["x"] }], additionalProperties: { items: [{}, {}] }, "x-vendor": [1] }
  ]
  for (const schema of good) {
    it(`${JSON.stringify(schema)} will do`, () => assert.deepStrictEqual(inputSchemaProblems(schema), []))
  }

  const bad: ReadonlyArray<readonly [Record<string, unknown>, string]> = [
    [{ type: "array" }, "type"],
    [{ type: ["object"] }, "type"],
    [{ properties: { a: { type: "strng" } } }, "properties.a.type"],
    [{ properties: { a: 1 } }, "properties.a"],
    [{ properties: { a: { items: { minimum: "1" } } } }, "properties.a.items.minimum"],
    [{ required: "a" }, "required"],
    [{ anyOf: [] }, "anyOf"],
    [{ properties: { a: { pattern: "(" } } }, "properties.a.pattern"],
    [{ patternProperties: { "(": {} } }, "patternProperties.("],
    [{ properties: { a: { $ref: "other.json" } } }, "properties.a.$ref"],
    [{ properties: { a: { $ref: "#/$defs/none" } } }, "properties.a.$ref"],
    [{ not: { allOf: [{ $ref: "https://x.example/s" }] } }, "not.allOf.0.$ref"]
  ]
  for (const [schema, field] of bad) {
    it(`${JSON.stringify(schema)} is refused at ${field}`, () =>
      assert.strictEqual(inputSchemaProblems(schema)[0]?.path.join("."), field))
  }
})

interface Vector {
  readonly kind: string
  readonly input: { readonly file: string; readonly yaml: string }
  readonly expect: { readonly accepted: boolean }
}

describe("JSON Schemas for editors", () => {
  const files = jsonSchemaFiles()

  it("are committed as they are generated (node packages/catalog/scripts/write-schemas.mjs)", () => {
    for (const [name, text] of Object.entries(files)) {
      assert.strictEqual(readFileSync(new URL(`../schemas/${name}`, import.meta.url), "utf8"), text)
    }
  })

  const ajv = new Ajv({ strict: false })
  const validators = {
    "agent.yaml": ajv.compile(JSON.parse(files["agent.schema.json"] ?? "")),
    "agent/tools/note/tool.yaml": ajv.compile(JSON.parse(files["tool.schema.json"] ?? "")),
    "agent/mcp/docs.yaml": ajv.compile(JSON.parse(files["mcp.schema.json"] ?? ""))
  }

  it("find no fault with what is read", () => {
    for (const { expect, id, input } of loadCases("manifest-validation")) {
      if (!expect.accepted) continue
      const validate = validators[input.file as keyof typeof validators]
      assert.isTrue(validate(parse(input.yaml)), `${id}: ${JSON.stringify(validate.errors)}`)
    }
  })

  it("find most of the faults that the reader finds", () => {
    const shapes: ReadonlyArray<Vector> = loadCases("manifest-validation").filter(
      ({ expect, kind }: Vector) => !expect.accepted && kind.endsWith("-refused")
    )
    const found = shapes.filter(({ input }) => !validators[input.file as keyof typeof validators](parse(input.yaml)))
    assert.isAbove(found.length / shapes.length, 0.9)
  })
})
