/** A core from its content: every manifest is read, and every fault of every file is told. */

import { join } from "node:path"
import type { SourceDiagnostic } from "@gatehouse/core/EffectSource"
import type { Fingerprint } from "@gatehouse/core/Fingerprint"
import { fingerprint } from "@gatehouse/core/Fingerprint"
import type { CoreRevision } from "@gatehouse/core/Identifiers"
import { freezeJson } from "@gatehouse/core/Json"
import * as Either from "effect/Either"
import { readAgentManifest, readMcpManifest, readScheduleManifest, readToolManifest } from "../manifests/Manifest.ts"
import type { ManifestFault } from "../manifests/ManifestFault.ts"
import { byPlace } from "../manifests/ManifestFault.ts"
import type { ReadManifest } from "../manifests/YamlFile.ts"
import { exposedName } from "../names/ExposedName.ts"
import type { AgentCore } from "./AgentCore.ts"
import { capabilitySnapshot } from "./CapabilitySnapshots.ts"
import { approvalSettings, toolSettings } from "./CoreSettings.ts"

/** What a core is built from. */
export interface CoreSource {
  readonly root: string
  readonly revision: CoreRevision
  /** All files of the core, with slashes. */
  readonly paths: ReadonlySet<string>
  /** Texts of its manifests by path. */
  readonly texts: ReadonlyMap<string, string>
  readonly digestOf: (folder: string) => Fingerprint
}

/** The core, or all that is wrong with it. */
export const buildCore = (source: CoreSource): Either.Either<AgentCore, ReadonlyArray<ManifestFault>> => {
  const faults: Array<ManifestFault> = []
  const kept = <A>(
    reading: Either.Either<ReadManifest<A>, ReadonlyArray<ManifestFault>>
  ): ReadonlyArray<ReadManifest<A>> => {
    if (Either.isRight(reading)) return [deepFrozen(reading.right)]
    faults.push(...reading.left)
    return []
  }
  const each = <A>(
    pattern: RegExp,
    rule: NameRule,
    read: (id: string, text: string) => ReadonlyArray<A>
  ): ReadonlyArray<A> =>
    [...source.texts]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([path, text]) => {
        const [, id] = pattern.exec(path) ?? []
        if (id === undefined) return []
        if (!rule.allows.test(id)) faults.push(badName(path, rule))
        return read(id, text)
      })

  const [agent] = kept(readAgentManifest(source.texts.get("agent.yaml") ?? ""))
  const tools = each(/^agent\/tools\/([^/]+)\/tool\.yaml$/, toolName, (id, text) =>
    kept(readToolManifest(id, text)).map(({ file, origin, value }) => ({
      id,
      component: `agent/tools/${id}`,
      folder: join(source.root, "agent", "tools", id),
      file,
      manifest: value,
      origin,
      digest: source.digestOf(`agent/tools/${id}`)
    }))
  )
  const servers = each(/^agent\/mcp\/([^/]+)\.yaml$/, serverName, (server, text) =>
    kept(readMcpManifest(server, text)).map(({ file, origin, value }) => ({
      server,
      file,
      manifest: value,
      origin,
      digest: digestOfManifest(value)
    }))
  )
  const schedules = each(/^agent\/schedules\/([^/]+)\.yaml$/, serverName, (id, text) =>
    kept(readScheduleManifest(id, text)).map(({ file, origin, value }) => ({ id, file, manifest: value, origin }))
  )
  if (agent === undefined || faults.length > 0) return Either.left(faults.sort(byPlace))
  return Either.right(
    deepFrozen({
      root: source.root,
      revision: source.revision,
      manifest: agent.value,
      origin: agent.origin,
      approval: approvalSettings(agent.value, agent.origin),
      metadata: toolSettings(agent.value, agent.origin),
      tools,
      servers,
      schedules,
      capabilities: capabilitySnapshot(agent.value),
      diagnostics: [...misnamed(source.paths), ...tools.flatMap((tool) => withoutModule(tool, source.paths))]
    })
  )
}

interface NameRule {
  readonly allows: RegExp
  readonly expected: string
}

const toolName: NameRule = {
  allows: exposedName,
  expected: "a name that a model can be given: a letter, then up to 63 letters, digits, `_` or `-`"
}

/** It becomes part of capabilities (`mcp.call:<server>`), where blanks, colons and wildcards mean something else. */
const serverName: NameRule = {
  allows: /^[^\s\p{C}*:\\]{1,64}$/u,
  expected: "a name of up to 64 characters without blanks, control characters, colons, asterisks and backslashes"
}

const badName = (file: string, rule: NameRule): ManifestFault => ({
  file,
  line: 1,
  field: "",
  code: "invalid_value",
  suggestion: null,
  message: `is named by something that is not ${rule.expected}; rename it`
})

/** The manifest was read within bounds, so its copy fails for nothing. */
const digestOfManifest = (manifest: object): Fingerprint => fingerprint(Either.getOrThrow(freezeJson(manifest)))

/** Files that look like manifests and are read by nobody. */
const misnamed = (paths: ReadonlySet<string>): ReadonlyArray<SourceDiagnostic> =>
  [...paths]
    .filter((path) => /^agent\/((mcp|schedules)\/[^/]+|tools\/[^/]+\/tool)\.(yml|json)$/.test(path))
    .map((path) => ({
      subject: path,
      severity: "warning",
      message: "is not read: manifests end in .yaml",
      remedy: "rename it, or remove it"
    }))

const withoutModule = (
  tool: AgentCore["tools"][number],
  paths: ReadonlySet<string>
): ReadonlyArray<SourceDiagnostic> => {
  const [name = ""] = tool.manifest.entrypoint.split(":")
  const candidates = [name, ...moduleEndings.map((ending) => name + ending)]
  return candidates.some((candidate) => paths.has(`${tool.component}/${candidate}`))
    ? []
    : [
        {
          subject: tool.file,
          severity: "warning",
          message: `${tool.origin(["entrypoint"])} names a file that is not in ${tool.component}`,
          remedy: `add ${tool.component}/${name}.ts (or .js, .mjs), or correct \`entrypoint\``
        }
      ]
}

/** Endings that `entrypoint` may leave out, in the order in which they are looked for. */
export const moduleEndings = [".ts", ".mts", ".js", ".mjs", ".cts", ".cjs"] as const

/** Freezes plain objects and arrays all the way down. Maps stay what they are: their type is read-only. */
const deepFrozen = <A>(value: A): A => {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) deepFrozen(part)
  return value
}
