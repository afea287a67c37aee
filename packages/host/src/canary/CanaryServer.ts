/**
 * An MCP server that gives back what it was given, in every place where a server may say something. Over standard input
 * and output; its tool `listen` opens the same over HTTP on the loopback, with a page beside it.
 */
import type { Planted } from "./PlantedSecrets.ts"

/** The program. What only its own texts hold stands in it as it is. */
export const canaryServer = ({ mcpLarge, mcpStderr, mcpText, pageText }: Planted): string => {
  const shapes = [mcpText, mcpLarge, mcpStderr, pageText].map(({ value }) => value)
  return `import { createServer } from "node:http"
import { createInterface } from "node:readline"

const { CANARY_TOKEN = "", CANARY_WORD = "" } = process.env
const [shapeInText, shapeInLarge, shapeInStderr, shapeInPage] = ${JSON.stringify(shapes)}
const given = [CANARY_TOKEN, CANARY_WORD, ...process.argv.slice(2)]
const all = given.join(" ")
const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis))
const text = (value) => ({ content: [{ type: "text", text: String(value) }] })

const spelt = (value) => {
  const bytes = Buffer.from(value)
  return [
    value,
    bytes.toString("base64"),
    Buffer.from("x" + value).toString("base64"),
    Buffer.from("xx" + value).toString("base64url"),
    bytes.toString("hex"),
    encodeURIComponent(value),
    [...bytes].map((byte) => "%" + byte.toString(16).padStart(2, "0")).join(""),
    JSON.stringify({ value }),
    [...value].map((letter) => "\\\\u" + letter.charCodeAt(0).toString(16).padStart(4, "0")).join("")
  ].join("\\n")
}

const answers = {
  text: (args) => text([all, shapeInText, args.api_key, "again " + args.api_key].join("\\n")),
  spellings: () => text(given.map(spelt).join("\\n")),
  error: (args) => ({ ...text("401: Bearer " + CANARY_TOKEN + " for " + args.api_key), isError: true }),
  failure: (args) => {
    throw Object.assign(new Error("rejected " + all + " " + args.api_key), { data: { token: CANARY_TOKEN, stack: all } })
  },
  structure: (args) => ({ ...text("{}"), structuredContent: { password: CANARY_WORD, [CANARY_TOKEN]: args.api_key } }),
  blocks: () => ({
    content: [0, 12].map((at) => ({ type: "text", text: CANARY_TOKEN.slice(at, at + 12) }))
  }),
  link: () => ({
    content: [
      { type: "resource_link", uri: "https://user:" + CANARY_TOKEN + "@example.invalid/?key=" + CANARY_WORD, name: CANARY_WORD }
    ]
  }),
  file: (args) => ({
    content: [
      { type: "resource", resource: { uri: "file:///notes", blob: Buffer.from("TOKEN=" + all + "\\n" + shapeInLarge).toString("base64") } },
      { type: "image", mimeType: "image/png", data: Buffer.from("image " + CANARY_TOKEN).toString("base64") }
    ]
  }),
  large: (args) => text(("a line of words that says nothing\\n").repeat(1000) + shapeInLarge + " " + all + " " + args.api_key),
  stderr: async () => {
    process.stderr.write("halves " + CANARY_TOKEN.slice(0, 9))
    await sleep(50)
    process.stderr.write(CANARY_TOKEN.slice(9) + "\\n" + shapeInStderr + "\\n")
    return text("written")
  },
  notes: (args, meta, send) => {
    send({ method: "notifications/message", params: { level: "error", data: { token: CANARY_TOKEN, word: CANARY_WORD } } })
    if (meta?.progressToken !== undefined) {
      send({ method: "notifications/progress", params: { progressToken: meta.progressToken, progress: 1, message: all + " " + args.api_key } })
    }
    return text("sent")
  },
  listen: () =>
    new Promise((resolve) => {
      const server = createServer(overHttp)
      server.listen(0, "127.0.0.1", () => resolve(text("port " + server.address().port)))
      server.unref()
    }),
  garbage: () => {
    process.stdout.write("not a message " + all + "\\n")
    return text("said")
  }
}

const toolsFor = (told) =>
  Object.keys(answers).map((name) => ({
    name,
    description: "Gives back " + told + ".",
    inputSchema: { type: "object", properties: { api_key: { type: "string", description: "such as " + told } } }
  }))

/** \`told\` is what the other side gave away: variables and options, or header and address. */
const handle = async ({ method, params }, send, told) => {
  if (method === "initialize") {
    return {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {}, logging: {} },
      serverInfo: { name: "canary " + told, version: told },
      instructions: "Use " + told
    }
  }
  if (method === "tools/list") return { tools: toolsFor(told) }
  if (method === "tools/call") return answers[params.name](params.arguments ?? {}, params._meta, send)
  return {}
}

const answer = async (message, send, told) => {
  try {
    return { jsonrpc: "2.0", id: message.id, result: await handle(message, send, told) }
  } catch (error) {
    return { jsonrpc: "2.0", id: message.id, error: { code: -32000, message: error.message, data: error.data } }
  }
}

/** The headers and the address of a request are what comes back. */
const overHttp = async (request, response) => {
  const { authorization = "" } = request.headers
  if (request.url.startsWith("/page")) {
    response.setHeader("content-type", "text/plain")
    return response.end("asked for " + request.url + "\\n" + shapeInPage)
  }
  let body = ""
  for await (const part of request) body += part
  if (request.method !== "POST") return response.writeHead(405).end("no " + authorization)
  const message = JSON.parse(body)
  if (message.id === undefined) return response.writeHead(202).end()
  if (message.method === "tools/call" && message.params.name === "error") {
    return response.writeHead(500).end("broken: " + authorization + " at " + request.url)
  }
  const told = authorization + " to " + request.url
  const reply = await answer(message, () => undefined, told)
  if (message.method === "tools/call") reply.result = text("you sent " + told)
  response.setHeader("content-type", "application/json")
  response.end(JSON.stringify(reply))
}

process.stderr.write("starting with " + all + " and " + shapeInStderr + "\\n")
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n")
createInterface({ input: process.stdin })
  .on("line", async (line) => {
    const message = JSON.parse(line)
    if (message.id !== undefined && message.method !== undefined) send(await answer(message, send, all))
  })
  .on("close", () => process.exit(0))
`
}
