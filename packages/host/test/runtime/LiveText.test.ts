import { CallId } from "@gatehouse/core/Identifiers"
import { redactionFailedText } from "@gatehouse/core/View"
import { liveText } from "@gatehouse/host/runtime/LiveText"
import { makeRedactor, type RedactorOptions } from "@gatehouse/policy/redaction/RedactorLive"
import { assert, describe, it } from "vitest"

const secret = ["fake-l", "st-", "55-zq", "W8e"].join("")
const sources = { bindings: new Map([["TOKEN", secret]]), environment: {}, headers: {}, arguments: {} }

const watched = (options: Partial<RedactorOptions> = {}) => {
  const seen: Array<string> = []
  const redactor = makeRedactor({ homeKey: new Uint8Array(32), hostEnvironment: {}, ...options }, () => 0)
  const live = liveText(CallId("call"), sources, {
    redactor,
    live: (_, stream, text) => void seen.push(`${stream} ${text}`)
  })
  return { live, seen }
}

describe("live text", () => {
  it("is shown line by line, each stream by itself, masked however it is cut", () => {
    const { live, seen } = watched()
    live.write("stdout", `one\ngot ${secret.slice(0, 5)}`)
    live.write("stderr", "other\n")
    live.write("stdout", `${secret.slice(5)} here\nrest`)
    live.end()
    assert.deepStrictEqual(seen, [
      "stdout one\n",
      "stderr other\n",
      "stdout got <redacted:TOKEN> here\n",
      "stdout rest"
    ])
  })

  it("cannot act on a terminal", () => {
    const { live, seen } = watched()
    live.write("stdout", "\u001b[2J\u202eevil\u0007\n")
    assert.deepStrictEqual(seen, ["stdout ␛[2J<U+202E>evil␇\n"])
  })

  it("ends with the one fixed text where it cannot be masked", () => {
    const { live, seen } = watched({ faults: { stage: "stream" } })
    live.write("stdout", `${secret}\n`)
    live.write("stdout", `again ${secret}\n`)
    live.end()
    assert.deepStrictEqual(seen, [`stdout ${redactionFailedText}\n`])
  })

  it("costs nothing where nobody watches", () => {
    const redactor = makeRedactor({ homeKey: new Uint8Array(32), hostEnvironment: {} }, () => 0)
    const refusing = { ...redactor, textMask: () => assert.fail("made a mask for nobody") }
    const live = liveText(CallId("call"), sources, { redactor: refusing, live: null })
    live.write("stdout", secret)
    live.end()
  })
})
