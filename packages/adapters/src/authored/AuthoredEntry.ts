/** One authored tool as an entry: its module is imported and called at the deed, and not before. */

import type { AuthoredTool } from "@gatehouse/catalog/cores/AgentCore"
import { type AdapterOutcome, textOutput } from "@gatehouse/core/AdapterOutcome"
import type { Authorized } from "@gatehouse/core/Authorized"
import { type EffectAdapter, opaque } from "@gatehouse/core/EffectAdapter"
import { AdapterError } from "@gatehouse/core/EffectError"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import type { JsonObject } from "@gatehouse/core/Json"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { callModule, endsWithin, type ModuleEnding } from "./CallModule.boundary.ts"
import { guestCall } from "./GuestCode.boundary.ts"
import { CapabilityMissing, type ContextOfCall, makeToolContext } from "./MakeToolContext.ts"
import type { ModuleLoader } from "./ModuleLoader.boundary.ts"
import { thrownIs, thrownText } from "./ThrownText.boundary.ts"
import { answerOrFault } from "./ToolAnswer.boundary.ts"
import { folderDigest, moduleFile } from "./ToolFolder.boundary.ts"

/** Milliseconds that a tool has to end after its signal was aborted. */
const endingMillis = 2_000

/** The entry of `tool`. Its digest is part of it: another content is another entry, and asks anew. */
export const authoredEntry = (tool: AuthoredTool, load: ModuleLoader): SourceEntry => ({
  name: tool.id,
  description: tool.manifest.description === "" ? `Authored tool ${tool.id}` : tool.manifest.description,
  inputSchema: inputSchema(tool),
  capability: tool.manifest.capability,
  risk: tool.manifest.risk,
  policy: tool.manifest.approval_policy,
  policyOrigin: tool.origin(["approval_policy"]),
  tightenOnly: false,
  readOnly: false,
  displayPolicy: tool.manifest.display_policy,
  modelOutputPolicy: tool.manifest.model_output_policy,
  toolset: null,
  provenance: tool.file,
  component: tool.component,
  metadata: { digest: tool.digest, entrypoint: tool.manifest.entrypoint, capabilities: tool.manifest.capabilities },
  adapter: opaque(authoredAdapter(tool, load))
})

/** An empty schema takes any arguments, which are an object all the same. */
const inputSchema = (tool: AuthoredTool): JsonObject => {
  const schema = tool.manifest.input_schema
  return Object.keys(schema).length === 0 ? { type: "object" } : schema
}

const authoredAdapter = (tool: AuthoredTool, load: ModuleLoader): EffectAdapter<null> => ({
  plan: (args) => ({
    action: "call",
    target: tool.id,
    risk: "low",
    policy: "auto",
    because: [],
    readOnly: false,
    preview: { tool: tool.id, arguments: args },
    subject: { kind: "other" },
    approvalShape: {},
    sessionCacheable: true,
    secrets: [],
    writeScope: null,
    timeoutMillis: null,
    prepared: null
  }),
  run: Effect.fnUntraced(function* ({ call }: Authorized<null>) {
    const file = moduleFile(tool)
    if (folderDigest(tool) !== tool.digest) return yield* changed(tool)
    if (file === null) {
      return yield* failure("import", `${tool.file}: entrypoint names a file that is not there`, "add the module", true)
    }
    const aborting = new AbortController()
    const made = makeToolContext(tool, call, aborting.signal)
    const guest = yield* Effect.acquireRelease(
      Effect.sync(() => guestCall(tool.id, made.context.output)),
      ({ end }) => Effect.sync(end)
    )
    const module = yield* Effect.tryPromise({
      try: () => guest.run(() => load({ file, coreRoot: call.turn.coreRoot, revision: call.turn.coreRevision })),
      catch: (error) =>
        failure("import", `the module cannot be imported: ${thrownText(error)}`, `mend ${tool.component}`, true)
    })
    const name = tool.manifest.entrypoint.split(":")[1] ?? ""
    const called = callModule(guest, module, name, made.context, structuredClone(call.arguments))
    const abort = (): void => guest.tell(() => aborting.abort())
    const tell = Effect.sync(() => call.witness.output(textOutput(made.written())))
    const ending = yield* Effect.promise(() => called).pipe(
      Effect.onInterrupt(() => Effect.zipRight(tell, stop(called, abort, call.witness)))
    )
    const ended = ending.kind === "effect" ? yield* runEffect(ending.effect, abort, tell) : ending
    // Where something of it threw beside its promise, the rest of it may still be at work.
    if (ended.kind === "threw") abort()
    return yield* outcomeOf(tool, ended, made)
  }, Effect.scoped)
})

/** Asks the tool to end, and waits a little for it. */
const stop = (
  called: Promise<ModuleEnding>,
  abort: () => void,
  witness: Authorized<null>["call"]["witness"]
): Effect.Effect<void> =>
  Effect.suspend(() => {
    abort()
    return Effect.map(
      Effect.promise(() => endsWithin(called, endingMillis)),
      (ended) => {
        if (!ended) witness.unconfirmed("the tool's own code did not end when it was told to")
      }
    )
  })

/** Runs what the tool described in this fiber, so that cutting off the call interrupts it. */
const runEffect = (
  effect: Effect.Effect<unknown, unknown>,
  abort: () => void,
  tell: Effect.Effect<void>
): Effect.Effect<ModuleEnding> =>
  Effect.exit(effect).pipe(
    Effect.map(
      Exit.match({
        onSuccess: (value): ModuleEnding => ({ kind: "value", value }),
        onFailure: (cause): ModuleEnding => ({ kind: "threw", error: Cause.squash(cause) })
      })
    ),
    Effect.onInterrupt(() => Effect.zipRight(tell, Effect.sync(abort)))
  )

const outcomeOf = (
  tool: AuthoredTool,
  ending: ModuleEnding,
  made: ContextOfCall
): Effect.Effect<AdapterOutcome, AdapterError> => {
  switch (ending.kind) {
    case "value":
      return Either.match(answerOrFault(ending.value, made.written()), {
        onRight: Effect.succeed,
        onLeft: (fault) => failure("result", `the result cannot be read: ${fault}`, `mend ${tool.component}`, true)
      })
    case "no_function":
      return failure(
        "entrypoint",
        `${tool.file}: the module exports no function of the name that entrypoint gives`,
        "export it, or correct entrypoint",
        true
      )
    case "threw":
      return thrownIs(ending.error, CapabilityMissing)
        ? failure("capability", ending.error.message, "grant it in agent.yaml, or list it in tool.yaml", true)
        : failure("threw", `the tool failed: ${thrownText(ending.error)}`, "", true)
    case "effect":
      return failure("result", "the tool's Effect gave another Effect", `flatten it in ${tool.component}`, true)
  }
}

const changed = (tool: AuthoredTool): AdapterError =>
  failure(
    "changed",
    `${tool.component} is not what it was when this turn's catalog was made, so nothing of it was run`,
    "start a new turn, which reads the tool anew",
    false
  )

const failure = (reason: string, message: string, remedy: string, mayHaveHappened: boolean): AdapterError =>
  new AdapterError({ reason, message, remedy, mayHaveHappened })
