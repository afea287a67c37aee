/** One payload, redacted: copied, searched, masked, within its time. */
import type { Json } from "@gatehouse/core/Json"
import { collect } from "./Collector.ts"
import { holdsSecret, type KnownSecrets, type SecretSet } from "./exact/KnownSecrets.ts"
import { maskTree } from "./Masker.ts"
import { plainCopy } from "./PlainCopy.ts"
import type { SecretText } from "./text/SecretText.ts"

/** Steps of a redaction; a test lets each of them fail. */
export type RedactionStep = "copy" | "serialize" | "collect" | "mask"

export interface RedactionTools {
  readonly text: SecretText
  readonly known: KnownSecrets
  /** Told before each step; what it throws fails the redaction. */
  readonly before: (step: RedactionStep) => void
  /** Milliseconds from any beginning. */
  readonly now: () => number
  readonly millisPerMegabyte: number
  readonly baseMillis: number
  readonly timedBytes: number
}

export interface Redacted {
  readonly value: Json
  /** Bytes of the value as JSON before redaction; masks are short, so it is hardly longer afterwards. */
  readonly size: number
  /** Whether the value holds no character that a terminal could obey; false: it may. */
  readonly inert: boolean
  /** Distinct values that were replaced, raw, for keyed fingerprints only. */
  readonly masked: ReadonlySet<string>
}

/** Values that are told apart for fingerprints. */
const mostMasked = 32

/** Thrown where the time of a payload runs out; everything thrown here means that nothing may be shown. */
export class OutOfTime extends Error {}

/**
 * Throws when it is asked after the budget has run out. Looking at the processor's time costs a call 50 µs, so what is
 * too small to run out of it is not timed.
 */
const budgetCheck = (size: number, tools: RedactionTools): (() => void) => {
  if (size < tools.timedBytes) return () => undefined
  const started = tools.now()
  const budget = tools.baseMillis + tools.millisPerMegabyte * Math.max(1, Math.ceil(size / 1_000_000))
  return () => {
    if (tools.now() - started > budget) throw new OutOfTime()
  }
}

/** `input` without the secrets of `sets` and those that it shows itself; throws where it cannot be read in time. */
export const redactValue = (input: unknown, sets: ReadonlyArray<SecretSet>, tools: RedactionTools): Redacted => {
  tools.before("copy")
  const value = plainCopy(input)
  tools.before("serialize")
  const json = JSON.stringify(value)
  const bytes = Buffer.from(json, "utf8")
  const checkTime = budgetCheck(bytes.length, tools)
  const clean = !tools.text.mayHoldSecret(bytes) && !holdsSecret(bytes, sets)
  checkTime()
  const inert = bytes.length === json.length && !json.includes("\\u") && !bytes.includes(0x7f)
  if (clean) return { value, size: bytes.length, inert, masked: new Set() }
  tools.before("collect")
  const collected = collect(value, tools.text, checkTime)
  const all = [...sets, tools.known.of(collected.known)]
  tools.before("mask")
  const masked = new Set<string>()
  const result = maskTree(value, {
    text: tools.text,
    collected,
    sets: all,
    mark: markFor(all),
    checkTime,
    masked: (secret) => {
      if (masked.size < mostMasked) masked.add(secret)
    }
  })
  checkTime()
  return { value: result, size: bytes.length, inert, masked }
}

const marks = ["<redacted>", "***", "(hidden)", "[-]"]

/** The mark, unless a secret looks like it: what stands for a secret must not show one. */
export const markFor = (sets: ReadonlyArray<SecretSet>): string => {
  const free = (mark: string): boolean =>
    sets.every((set) => {
      for (const value of set.values)
        if (mark.includes(value) || value.includes(mark) || value === "redacted") return false
      return true
    })
  return marks.find(free) ?? ""
}
