/** What a canary run calls: effects of every source, each of which carries secrets and gives them away where it can. */
import type { Json } from "@gatehouse/core/Json"
import type { Status } from "@gatehouse/core/Status"
import type { Planted } from "./PlantedSecrets.ts"

export interface CanaryCall {
  readonly tool: string
  readonly args: Json
  readonly answer: "allow" | "deny"
  /** How it has to end for the run to say anything. */
  readonly expected: Status
}

const call = (tool: string, args: Json, expected: Status, answer: CanaryCall["answer"] = "allow"): CanaryCall => ({
  tool,
  args,
  answer,
  expected
})

const node = "node -e"

/** Effects of builtins. */
const builtinCalls = (planted: Planted): ReadonlyArray<CanaryCall> => {
  const binding = (seconds: number) => ({
    secret_bindings: ["CANARY_SERVICE_TOKEN", "CANARY_QUIET"].map((name) => ({
      source: `env:${name}`,
      target: name,
      expires_in_seconds: seconds
    })),
    timeout_seconds: seconds
  })
  const bound = binding(20)
  const half = Math.floor(planted.split.value.length / 2)
  return [
    // First, so that it has ended when the store is searched.
    call(
      "terminal",
      {
        command: `cat notes.txt; echo deploy ${planted.overlay.value}; echo ${planted.stderr.value} >&2`,
        env: { DEPLOY_TOKEN: planted.overlay.value },
        background: true
      },
      "succeeded"
    ),
    call("read_file", { path: "notes.txt" }, "succeeded"),
    call("read_file", { path: "key.txt" }, "succeeded"),
    call("search_files", { query: planted.fileToken.value.slice(0, 8) }, "succeeded"),
    call("write_file", { path: "made.txt", content: `use ${planted.written.value}\n` }, "succeeded"),
    call("write_file", { path: "never.txt", content: `password: ${planted.denied.value}\n` }, "denied", "deny"),
    call("patch", { path: "notes.txt", old: "See", new: `See ${planted.written.value} and` }, "succeeded"),
    call("terminal", { ...bound, command: 'echo "$CANARY_SERVICE_TOKEN $CANARY_QUIET"' }, "succeeded"),
    call("terminal", { ...bound, command: spellingCommand }, "succeeded"),
    call(
      "terminal",
      { ...bound, command: 'printf %.9s "$CANARY_QUIET"; sleep 0.05; printf \'%s\\n\' "${CANARY_QUIET#?????????}"' },
      "succeeded"
    ),
    call(
      "terminal",
      {
        command: `printf ${planted.split.value.slice(0, half)}; sleep 0.05; printf '${planted.split.value.slice(half)}\\n'`
      },
      "succeeded"
    ),
    call("terminal", { command: `echo ${planted.stderr.value} >&2; exit 3` }, "failed"),
    call("terminal", { command: "cat notes.txt key.txt large.txt" }, "succeeded"),
    call(
      "terminal",
      { command: `echo deploy ${planted.overlay.value}; env`, env: { DEPLOY_TOKEN: planted.overlay.value } },
      "succeeded"
    ),
    call("terminal", { ...binding(1), command: 'echo "$CANARY_QUIET"; sleep 20' }, "timed_out"),
    call("terminal", { command: "true", password: planted.invalid.value }, "invalid")
  ]
}

/** Prints a bound value in its standard spellings. */
const spellingCommand = `${node} '
const value = process.env.CANARY_SERVICE_TOKEN
const bytes = Buffer.from(value)
console.log([
  bytes.toString("base64"), Buffer.from("x" + value).toString("base64"), Buffer.from("xx" + value).toString("base64"),
  bytes.toString("base64url"), bytes.toString("hex"), bytes.toString("hex").toUpperCase(), encodeURIComponent(value),
  [...bytes].map((byte) => "%" + byte.toString(16).padStart(2, "0")).join(""), JSON.stringify({ value }),
  [...value].map((letter) => "\\\\u" + letter.charCodeAt(0).toString(16).padStart(4, "0")).join("")
].join("\\n"))'`

/** Effects of the authored tool. */
const authoredCalls = ({ argumentField, argumentHeader, denied, invalid }: Planted): ReadonlyArray<CanaryCall> => {
  const args = { api_key: argumentField.value, headers: { authorization: `Bearer ${argumentHeader.value}` } }
  const failing = ["throw", "stack", "several", "reject", "text", "fail", "failed", "unreadable"]
  return [
    ...failing.map((how) => call("betray", { how, ...args }, "failed")),
    call("betray", { how: "die", ...args }, "failed"),
    call("betray", { how: "result", ...args }, "succeeded"),
    call("betray", { how: "output", ...args }, "succeeded"),
    call("betray", { how: "result", api_key: denied.value }, "denied", "deny"),
    call("betray", { how: "result", api_key: 1, headers: { password: invalid.value } }, "invalid")
  ]
}

/** Effects of the server of the first turn. Its tool `listen` tells where the second one's is. */
const serverCalls = ({ argumentField }: Planted): ReadonlyArray<CanaryCall> => {
  const args = { api_key: argumentField.value }
  const answering = ["text", "spellings", "structure", "blocks", "link", "file", "large", "stderr", "notes", "garbage"]
  return [
    ...answering.map((name) => call(`canary__${name}`, args, "succeeded")),
    call("canary__error", args, "failed"),
    call("canary__failure", args, "failed")
  ]
}

export const listenCall = call("canary__listen", {}, "succeeded")

export const firstTurnCalls = (planted: Planted): ReadonlyArray<CanaryCall> => [
  ...builtinCalls(planted),
  ...authoredCalls(planted),
  ...serverCalls(planted)
]

/** Effects of the server over HTTP, and of a page. */
export const secondTurnCalls = ({ page }: Planted, port: string): ReadonlyArray<CanaryCall> => [
  call("remote__text", {}, "succeeded"),
  call("remote__error", {}, "failed"),
  call("web_extract", { url: `http://127.0.0.1:${port}/page?api_key=${page.value}` }, "succeeded"),
  call("web_extract", { url: `http://ann:${page.value}@127.0.0.1:${port}/page` }, "denied")
]
