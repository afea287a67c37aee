import { assert, describe, it } from "@effect/vitest"
import { policies, stricter } from "@gatehouse/core/Policy"
import { noApprovalSettings, type PolicyMergeInput } from "@gatehouse/core/PolicyMerge"
import { risks } from "@gatehouse/core/Risk"
import { ApprovalSettingsBlock, placeApprovalSettings } from "@gatehouse/policy/approvals/ApprovalSettingsBlock"
import { callPolicy } from "@gatehouse/policy/approvals/CallPolicy"
import { explainMerge, mergePolicy } from "@gatehouse/policy/approvals/PolicyMerge"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"

const policy = fc.constantFrom(...policies)
const risk = fc.constantFrom(...risks)
const maybe = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: undefined })
const record = (...names: ReadonlyArray<string>) =>
  fc.dictionary(fc.constantFrom(...names, "constructor", "other"), policy, { maxKeys: 3, noNullPrototype: true })
const settings = (name: string) =>
  fc
    .record(
      {
        default: policy,
        tools: record("note"),
        capabilities: record("fs.write", "tool.call:note", "renamed"),
        risks: fc.record({ low: policy, medium: policy, high: policy, critical: policy }, { requiredKeys: [] })
      },
      { requiredKeys: [] }
    )
    .map((block) => placeApprovalSettings(block, (path) => `${name}.yaml:1 ${path.join(".")}`))
const input: fc.Arbitrary<PolicyMergeInput> = fc
  .record({
    source: fc.constantFrom("builtin", "authored", "mcp", "connect"),
    tool: fc.constant("note"),
    capability: fc.constantFrom(null, "fs.write", "renamed"),
    registryCapability: fc.constantFrom(null, "fs.write"),
    registryPolicy: policy,
    registryRisk: risk,
    registryOrigin: fc.constant("registry"),
    metadataPolicy: maybe(policy),
    metadataRisk: maybe(risk),
    core: settings("core"),
    global: settings("global")
  })
  .map(({ metadataPolicy, metadataRisk, ...rest }) => ({
    ...rest,
    tightenOnly: rest.source === "builtin" || rest.source === "connect",
    metadata: {
      ...(metadataPolicy === undefined ? {} : { policy: { policy: metadataPolicy, origin: "metadata" } }),
      ...(metadataRisk === undefined ? {} : { risk: { risk: metadataRisk, origin: "metadata" } })
    }
  }))
const isNoSofter = (left: (typeof policies)[number], right: (typeof policies)[number]) => stricter(left, right) === left

describe("merging policies", () => {
  it("never lets core or global settings loosen, whatever they say", () => {
    fc.assert(
      fc.property(input, (merge) => {
        const { policy } = mergePolicy(merge)
        for (const without of ["core", "global"] as const) {
          assert.isTrue(isNoSofter(policy, mergePolicy({ ...merge, [without]: noApprovalSettings }).policy), without)
        }
      })
    )
  })

  it("never lets metadata loosen what the host brings along, by a policy, a risk or another capability", () => {
    fc.assert(
      fc.property(input, (merge) => {
        fc.pre(merge.tightenOnly)
        const merged = mergePolicy(merge)
        const plain = mergePolicy({ ...merge, metadata: {}, capability: merge.registryCapability ?? null })
        assert.isTrue(isNoSofter(merged.policy, merge.registryPolicy))
        assert.isTrue(isNoSofter(merged.policy, mergePolicy({ ...merge, metadata: {} }).policy))
        assert.isAtLeast(risks.indexOf(merged.risk), risks.indexOf(plain.risk))
      })
    )
  })

  it("keeps to a setting about a builtin's own capability when metadata names another", () => {
    const core = placeApprovalSettings({}, () => "")
    const global = placeApprovalSettings({ capabilities: { "fs.write": "deny" } }, (path) => path.join("."))
    const merge: PolicyMergeInput = {
      source: "builtin",
      tool: "write_file",
      capability: "renamed",
      registryCapability: "fs.write",
      registryPolicy: "prompt",
      registryRisk: "medium",
      registryOrigin: "builtin write_file",
      tightenOnly: true,
      metadata: { risk: { risk: "high", origin: "agent.yaml:4" } },
      core,
      global
    }
    assert.deepStrictEqual(mergePolicy(merge), { policy: "deny", risk: "high", decidedBy: "capabilities.fs.write" })
    const byRisk = placeApprovalSettings({ risks: { medium: "deny" } }, (path) => path.join("."))
    assert.strictEqual(mergePolicy({ ...merge, global: byRisk }).policy, "deny", "raising a risk slips past nothing")
  })

  it("opens no server unasked", () => {
    fc.assert(
      fc.property(input, (merge) => {
        assert.isTrue(isNoSofter(mergePolicy({ ...merge, source: "connect", tightenOnly: true }).policy, "prompt"))
      })
    )
  })

  it("hears a setting about a connection although a tool of the server's name is allowed", () => {
    const place = (path: ReadonlyArray<string>) => path.join(".")
    const merge: PolicyMergeInput = {
      source: "connect",
      tool: "docs",
      capability: "mcp.connect:docs",
      registryPolicy: "prompt",
      registryRisk: "medium",
      registryOrigin: "agent/mcp/docs.yaml",
      tightenOnly: true,
      metadata: {},
      core: placeApprovalSettings({ tools: { docs: "auto" }, capabilities: { "mcp.connect:docs": "deny" } }, place),
      global: noApprovalSettings
    }
    assert.strictEqual(mergePolicy(merge).decidedBy, "capabilities.mcp.connect:docs")
  })

  it("names the setting that decided: the first of the strictest", () => {
    fc.assert(
      fc.property(input, (merge) => {
        const { decidedBy, policy, voices } = explainMerge(merge)
        assert.strictEqual(voices.find((voice) => voice.policy === policy)?.origin, decidedBy)
        assert.isTrue(voices.every((voice) => isNoSofter(policy, voice.policy)))
      })
    )
  })

  it("is never softer for a call than for its entry, or than the call's own checks", () => {
    fc.assert(
      fc.property(input, policy, risk, (merge, asked, found) => {
        const merged = mergePolicy(merge)
        const held = callPolicy({
          entry: {
            name: merge.tool,
            capability: merge.capability,
            risk: merged.risk,
            policy: { effective: merged.policy, decidedBy: merged.decidedBy }
          },
          plan: { policy: asked, risk: found, because: [{ rule: "plan" }] },
          core: merge.core,
          global: merge.global
        })
        assert.isTrue(isNoSofter(held.policy, merged.policy) && isNoSofter(held.policy, asked))
        assert.isAtLeast(risks.indexOf(held.risk), Math.max(risks.indexOf(merged.risk), risks.indexOf(found)))
        if (held.policy === merged.policy) assert.strictEqual(held.decidedBy, merged.decidedBy)
      })
    )
  })
})

describe("the policy of a call", () => {
  const entry = {
    name: "terminal",
    capability: "terminal.exec",
    risk: "low" as const,
    policy: { effective: "auto" as const, decidedBy: "builtin terminal" }
  }
  const denyHigh = placeApprovalSettings(
    { risks: { high: "deny", low: "prompt" } },
    (path) => `settings.yaml:4 ${path.join(".")}`
  )
  const none = noApprovalSettings

  it("hears what core and host say about the risk that its checks found", () => {
    const plan = { policy: "prompt" as const, risk: "high" as const, because: [{ rule: "npm runs project code" }] }
    const denied = { policy: "deny", risk: "high", decidedBy: "settings.yaml:4 risks.high" }
    assert.deepStrictEqual(callPolicy({ entry, plan, core: none, global: denyHigh }), denied)
    assert.deepStrictEqual(callPolicy({ entry, plan, core: denyHigh, global: none }), denied)
    assert.deepStrictEqual(callPolicy({ entry, plan, core: none, global: none }), {
      policy: "prompt",
      risk: "high",
      decidedBy: "npm runs project code"
    })
  })

  it("is its entry's where the checks found nothing", () => {
    const plan = { policy: "auto" as const, risk: "low" as const, because: [] }
    const held = callPolicy({ entry, plan, core: none, global: denyHigh })
    assert.deepStrictEqual(
      held,
      { policy: "auto", risk: "low", decidedBy: "builtin terminal" },
      "merged when the catalog froze"
    )
  })
})

describe("a settings block", () => {
  it("refuses words and fields that it does not know", () => {
    const decode = Schema.decodeUnknownEither(ApprovalSettingsBlock, { onExcessProperty: "error" })
    for (const block of [
      { default: "allow" },
      { risks: { severe: "deny" } },
      { tool: { a: "deny" } },
      { tools: ["a"] }
    ]) {
      assert.isTrue(Either.isLeft(decode(block)), JSON.stringify(block))
    }
    assert.isTrue(Either.isRight(decode({ default: "auto", risks: { high: "deny" }, tools: { constructor: "deny" } })))
  })
})
