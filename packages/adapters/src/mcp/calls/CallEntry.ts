/** One tool of an open server as an entry: its calls go to that connection, or nowhere. */
import type { AdapterOutcome } from "@gatehouse/core/AdapterOutcome"
import type { Authorized } from "@gatehouse/core/Authorized"
import { boundedText } from "@gatehouse/core/BoundedText"
import { opaque } from "@gatehouse/core/EffectAdapter"
import { AdapterError } from "@gatehouse/core/EffectError"
import type { EffectPlan } from "@gatehouse/core/EffectPlan"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import { fingerprint } from "@gatehouse/core/Fingerprint"
import { isJsonObject, type Json } from "@gatehouse/core/Json"
import type { Artifacts } from "@gatehouse/process/Artifacts"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ArgumentSchemas } from "../../arguments/ArgumentSchemas.ts"
import type { Connection } from "../connections/Connection.ts"
import { shownName } from "../listing/JudgeTool.ts"
import type { ListedTool } from "../listing/ListedTool.ts"
import type { Progress } from "../protocol/Peer.ts"
import type { PeerFailure } from "../protocol/PeerFailure.ts"
import { answerOutput } from "./AnswerOutput.ts"
import { readAnswer } from "./CallAnswer.ts"
import { callError, pendingEnd } from "./CallFailure.ts"
import { liveProgress } from "./LiveProgress.ts"

export interface CallServices {
  readonly artifacts: Context.Tag.Service<typeof Artifacts>
  readonly schemas: ArgumentSchemas
  /** Told when a tool has been called: its definition is accepted then. */
  readonly onCalled: (connection: Connection, tool: ListedTool) => Effect.Effect<void>
}

export interface CallTool {
  /** The name that the model sees. */
  readonly name: string
  readonly tool: ListedTool
  /** What is different from the definition that was called before; null where nothing is. */
  readonly change: string | null
}

export const callEntry = (
  connection: Connection,
  { change, name, tool }: CallTool,
  services: CallServices
): SourceEntry => {
  const { file, manifest, origin, server } = connection.declaration
  const shown = shownName(tool.name)
  return {
    name,
    description: tool.description === "" ? `${shown} of the MCP server ${server}` : tool.description,
    inputSchema: tool.inputSchema,
    capability: manifest.capability,
    risk: manifest.risk,
    policy: manifest.approval_policy,
    policyOrigin: origin(["approval_policy"]),
    tightenOnly: false,
    readOnly: false,
    displayPolicy: "summary",
    modelOutputPolicy: "content",
    toolset: null,
    provenance: `${file} tool ${shown}`,
    component: null,
    metadata: {
      server,
      tool: tool.name,
      parallel: manifest.supports_parallel_tool_calls,
      claims: tool.claims,
      outputSchema: tool.outputSchema === null ? null : fingerprint(tool.outputSchema),
      declaration: connection.declarationPrint
    },
    adapter: opaque<null>({
      plan: (args) => planCall(connection, tool, args, change),
      run: (authorized) => runCall(connection, tool, authorized, services)
    })
  }
}

const planCall = (connection: Connection, tool: ListedTool, args: Json, change: string | null): EffectPlan<null> => {
  const { manifest, server } = connection.declaration
  const preview = {
    server,
    tool: tool.name,
    arguments: args,
    ...(Object.keys(tool.claims).length === 0 ? {} : { "claims of the server": tool.claims })
  }
  return {
    action: "call",
    target: `${server}: ${shownName(tool.name)}`,
    risk: "low",
    policy: "auto",
    because: change === null ? [] : [{ rule: "the tool's definition has changed", text: change }],
    readOnly: false,
    preview: change === null ? preview : { ...preview, changed: change },
    subject: { kind: "mcp", server, tool: tool.name, arguments: args },
    approvalShape: {},
    sessionCacheable: true,
    secrets: [],
    writeScope: null,
    timeoutMillis: manifest.timeout_seconds * 1_000,
    prepared: null
  }
}

const runCall = (
  connection: Connection,
  tool: ListedTool,
  { call }: Authorized<null>,
  services: CallServices
): Effect.Effect<AdapterOutcome, AdapterError> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const args = isJsonObject(call.arguments) ? call.arguments : {}
    const onProgress: (progress: Progress) => void = liveProgress(call.witness, connection.mask, () =>
      clock.unsafeCurrentTimeMillis()
    )
    const result = yield* connection.peer
      .request(
        "tools/call",
        { name: tool.name, arguments: args },
        { onProgress, onCancelled: (sent) => pendingEnd(call.witness, sent) }
      )
      .pipe(Effect.mapError((failure) => told(failure, connection)))
    yield* services.onCalled(connection, tool)
    const answer = readAnswer(result, tool, services.schemas)
    const output = yield* answerOutput(answer, connection.mask.ofCall(call.arguments), services.artifacts)
    if (answer.fault !== null)
      return { status: "failed", output, message: `the answer cannot be taken: ${answer.fault}` }
    return answer.isError
      ? { status: "failed", output, message: errorLine(output.text, connection) }
      : { status: "succeeded", output }
  })

/** UTF-16 units of what a tool says about its failure in the one line that everybody gets. */
const lineLimit = 200

const errorLine = (text: string, { declaration }: Connection): string => {
  const line = text.startsWith("[") ? "" : `: ${boundedText(text.split("\n")[0] ?? "", lineLimit)}`
  return `the tool of ${declaration.server} reports an error${line}`
}

const told = (failure: PeerFailure, connection: Connection): AdapterError => callError(failure, connection)
