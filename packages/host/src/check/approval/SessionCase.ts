/** Two calls of a session: does the answer to the first count for the second? */

import { posix } from "node:path"
import { fingerprint } from "@gatehouse/core/Fingerprint"
import { freezeJson, type Json } from "@gatehouse/core/Json"
import { terminalApproval, terminalShape } from "@gatehouse/policy/approvals/TerminalApproval"
import { makeCapabilitySnapshot } from "@gatehouse/policy/capabilities/CapabilitySnapshots"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { decodeCase } from "../CaseInput.ts"
import type { CheckRefused } from "../CheckKind.ts"
import { terminalPolicy } from "./CallCase.ts"
import { reviewText } from "./ReviewText.ts"
import { type Call, Happening, playSession } from "./SessionPlay.ts"
import { MetadataCase, PolicyWord, RiskWord, settingsFields } from "./SettingsCase.ts"

/** A call as it is written; the second is the first with its own fields changed. */
const CallFields = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const playFields = {
  first: CallFields,
  second: Schema.optionalWith(CallFields, { default: () => ({}) }),
  answer: Schema.optional(Schema.Unknown),
  between: Schema.optionalWith(Schema.Array(Happening), { default: () => [] })
}

export const SessionCase = Schema.Struct({ case: Schema.Literal("session"), ...playFields })

export const decideSession = (question: typeof SessionCase.Type): Effect.Effect<Json, CheckRefused> =>
  play(question, (fields) => Effect.map(decodeCase(SessionCall, fields), sessionCall))

export const TerminalSessionCase = Schema.Struct({
  case: Schema.Literal("terminal-session"),
  ...playFields,
  metadata: Schema.optionalWith(MetadataCase, { default: () => ({}) }),
  ...settingsFields
})

export const decideTerminalSession = (question: typeof TerminalSessionCase.Type): Effect.Effect<Json, CheckRefused> =>
  play(question, (fields) => Effect.map(decodeCase(TerminalCall, fields), (call) => terminalCall(call, question)))

const play = (
  { answer, between, first, second }: Omit<typeof SessionCase.Type, "case">,
  read: (fields: typeof CallFields.Type) => Effect.Effect<Call, CheckRefused>
): Effect.Effect<Json, CheckRefused> =>
  Effect.map(Effect.all([read(first), read({ ...first, ...second })]), ([before, after]) => ({
    ...playSession({ first: before, answer, between, second: after })
  }))

const text = Schema.optionalWith(Schema.String, { default: () => "" })
const falseByDefault = Schema.optionalWith(Schema.Boolean, { default: () => false })

/** Fields beside these belong to the definition of what is called, and bind the answer with it. */
const SessionCall = Schema.Struct(
  {
    principal: text,
    session: text,
    core: text,
    core_revision: text,
    capabilities: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
    action: text,
    rule: text,
    risk: Schema.optionalWith(RiskWord, { default: () => "medium" as const }),
    policy: Schema.optionalWith(PolicyWord, { default: () => "prompt" as const }),
    session_cacheable: Schema.optionalWith(Schema.Boolean, { default: () => true }),
    secret_bindings: falseByDefault,
    // Which call of which turn it is does not matter.
    call_id: Schema.optional(Schema.Unknown),
    turn: Schema.optional(Schema.Unknown)
  },
  Schema.Record({ key: Schema.String, value: Schema.Unknown })
)

const namedFields: ReadonlySet<string> = new Set(Object.keys(SessionCall.fields))

const sessionCall = (call: typeof SessionCall.Type): Call => {
  const definition = Object.fromEntries(Object.entries(call).filter(([name]) => !namedFields.has(name)))
  return {
    binding: {
      principal: call.principal,
      session: call.session,
      core: call.core,
      coreRevision: call.core_revision,
      workspace: "",
      capabilities: makeCapabilitySnapshot(call.capabilities).fingerprint,
      policy: call.policy,
      risk: call.risk,
      entry: fingerprint(Either.getOrElse(freezeJson(definition), () => null)),
      action: call.action,
      target: call.rule,
      shape: null
    },
    cacheable: call.session_cacheable && !call.secret_bindings
  }
}

const TerminalCall = Schema.Struct({
  command: Schema.String,
  cwd: Schema.optionalWith(Schema.String, { default: () => "." }),
  env: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.String }), { default: () => ({}) }),
  background: falseByDefault,
  timeout_seconds: Schema.optionalWith(Schema.Number, { default: () => 30 }),
  secret_bindings: Schema.optional(Schema.Unknown)
})

/** Stands for a home's key: two calls of one question are compared, and nothing else. */
const shapeKey = new Uint8Array(32)

const terminalCall = (
  { background, command, cwd, env, secret_bindings, timeout_seconds }: typeof TerminalCall.Type,
  settings: Parameters<typeof terminalPolicy>[0]
): Call => {
  const folder = posix.normalize(cwd)
  const inWorkspace = !posix.isAbsolute(folder) && folder !== ".." && !folder.startsWith("../")
  const asked = terminalApproval({
    review: reviewText(command, Object.keys(env), background),
    overlay: Object.keys(env).length > 0,
    secrets: isGiven(secret_bindings)
  })
  // A folder outside the workspace is refused before anybody is asked.
  const held = terminalPolicy(settings, inWorkspace ? asked : { policy: "deny", risk: asked.risk })
  return {
    binding: {
      principal: "principal",
      session: "session",
      core: "core",
      coreRevision: "revision",
      workspace: "",
      capabilities: "snapshot",
      policy: held.policy,
      risk: held.risk,
      entry: "terminal",
      action: "run",
      target: command,
      shape: terminalShape(shapeKey, {
        command,
        cwd: folder.replace(/(?<=.)\/$/, ""),
        overlay: env,
        background,
        timeoutSeconds: timeout_seconds
      })
    },
    cacheable: asked.sessionCacheable
  }
}

const isGiven = (bindings: unknown): boolean =>
  Array.isArray(bindings) ? bindings.length > 0 : bindings !== undefined && bindings !== null && bindings !== false
