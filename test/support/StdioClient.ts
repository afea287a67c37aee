/** A client of `gatehouse serve` that says what it likes, line by line, and keeps what it hears. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"

/** The built command. */
export const gatehouseProgram = fileURLToPath(new URL("../../packages/host/bin/gatehouse.js", import.meta.url))

export interface Heard {
  readonly jsonrpc: string
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string }
}

export interface StdioClient {
  readonly child: ChildProcessWithoutNullStreams
  readonly heard: Array<Heard>
  /** Lines of standard output that were no JSON-RPC. */
  readonly noise: Array<string>
  readonly stderr: () => string
  readonly write: (message: object | string) => void
  /** The first message for which `is` holds, heard before or to come; fails after `millis`. */
  readonly hear: (is: (message: Heard) => boolean, millis?: number) => Promise<Heard>
  readonly request: (id: string | number, method: string, params?: object, millis?: number) => Promise<Heard>
  readonly initialize: (more?: object, protocolVersion?: string) => Promise<Heard>
  /** The exit of the process and the milliseconds that it took from now. */
  readonly exit: () => Promise<{ readonly code: number | null; readonly millis: number }>
}

/** Started with `args` behind `serve`; killed with the scope where it has not ended by itself. */
export const startServe = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => clientOf(args, environment)),
    ({ child }) => Effect.sync(() => void child.kill("SIGKILL"))
  )

const clientOf = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>): StdioClient => {
  const child = spawn(process.execPath, [gatehouseProgram, "serve", ...args], {
    env: { ...process.env, ...environment },
    stdio: "pipe"
  })
  const heard: Array<Heard> = []
  const noise: Array<string> = []
  const waiting = new Set<(message: Heard) => void>()
  let stderr = ""
  let rest = ""
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  child.stdin.on("error", () => undefined)
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      const message = parsed(line)
      if (message === null) noise.push(line)
      else {
        heard.push(message)
        for (const take of waiting) take(message)
      }
    }
  })
  const write = (message: object | string): void =>
    void child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`)
  const hear = (is: (message: Heard) => boolean, millis = 40_000): Promise<Heard> =>
    new Promise((resolve, reject) => {
      const found = heard.find(is)
      if (found !== undefined) return resolve(found)
      const timer = setTimeout(() => {
        waiting.delete(take)
        reject(
          new Error(`not heard within ${millis} ms: ${is}; heard ${JSON.stringify(heard).slice(-2_000)}; ${stderr}`)
        )
      }, millis)
      const take = (message: Heard): void => {
        if (!is(message)) return
        clearTimeout(timer)
        waiting.delete(take)
        resolve(message)
      }
      waiting.add(take)
    })
  const request = (id: string | number, method: string, params: object = {}, millis?: number): Promise<Heard> => {
    write({ jsonrpc: "2.0", id, method, params })
    return hear((message) => message.id === id && message.method === undefined, millis)
  }
  return {
    child,
    heard,
    noise,
    stderr: () => stderr,
    write,
    hear,
    request,
    initialize: async (more = {}, protocolVersion = "2025-11-25") => {
      const clientInfo = { name: "test", version: "1" }
      const answer = await request("hello", "initialize", { protocolVersion, capabilities: {}, clientInfo, ...more })
      write({ jsonrpc: "2.0", method: "notifications/initialized" })
      return answer
    },
    exit: () =>
      new Promise((resolve) => {
        const begun = performance.now()
        const done = (): void => resolve({ code: child.exitCode, millis: performance.now() - begun })
        if (child.exitCode !== null || child.signalCode !== null) done()
        else child.once("exit", done)
      })
  }
}

const parsed = (line: string): Heard | null => {
  try {
    const value = JSON.parse(line)
    return value?.jsonrpc === "2.0" ? value : null
  } catch {
    return null
  }
}
