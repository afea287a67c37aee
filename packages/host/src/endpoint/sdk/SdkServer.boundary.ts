/** The governed endpoint's side of the MCP SDK: its low-level server, with our handlers and nothing of its own. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  PingRequestSchema
} from "@modelcontextprotocol/sdk/types.js"
import type { EndpointAnswer, EndpointHandlers } from "../EndpointHandlers.boundary.ts"
import type { ListedTool } from "../ToolPages.ts"

/** A server that answers `initialize` by itself and asks `handlers` for the rest, once it is initialized. */
export const makeSdkServer = (handlers: EndpointHandlers, version: string): Server => {
  const server = new Server(
    { name: "gatehouse", version },
    {
      capabilities: { tools: { listChanged: true } },
      instructions:
        "Every tool call passes Gatehouse's policy. A call may be denied, or wait for a person's approval; the result says which and what would help."
    }
  )
  const whenInitialized = (): void => {
    if (server.getClientVersion() === undefined) throw new McpError(ErrorCode.InvalidRequest, "initialize first")
  }
  server.setRequestHandler(PingRequestSchema, () => ({}))
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }, { signal }) => {
    whenInitialized()
    const page = unwrap(await handlers.listTools(params?.cursor, signal))
    return {
      tools: page.tools.map(toSdkTool),
      ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor })
    }
  })
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    whenInitialized()
    const { content, isError, structuredContent } = unwrap(
      await handlers.callTool(params.name, params.arguments ?? {}, signal)
    )
    return {
      content: content.map((block) => ({ ...block })),
      isError,
      ...(structuredContent === undefined ? {} : { structuredContent: { ...structuredContent } })
    }
  })
  return server
}

const unwrap = <A>(answer: EndpointAnswer<A>): A => {
  if ("answer" in answer) return answer.answer
  throw new McpError(answer.fault.code, answer.fault.message)
}

/** Every input schema of a catalog is of type object: the manifests and the listing see to it. */
const toSdkTool = ({ annotations, description, inputSchema, name }: ListedTool) => ({
  name,
  description,
  annotations,
  inputSchema: { ...inputSchema, type: "object" as const }
})
