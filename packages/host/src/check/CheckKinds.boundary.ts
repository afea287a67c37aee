/** The kinds of question that `gatehouse check` knows. Each is loaded when it is asked: start-up pays for none. */
import * as Effect from "effect/Effect"
import type { CheckKind } from "./CheckKind.ts"

interface KindLoader {
  readonly summary: string
  readonly load: () => Promise<CheckKind>
  /** The input for a question typed on the command line; null where a kind needs more than a text. */
  readonly fromText: ((text: string) => unknown) | null
}

const loaders = {
  approval: {
    summary: "which policy holds, and does an earlier yes still count?",
    load: async () => (await import("./Approval.ts")).approvalCheck,
    fromText: null
  },
  capability: {
    summary: "do these grants cover this effect?",
    load: async () => (await import("./Capability.ts")).capabilityCheck,
    fromText: null
  },
  command: {
    summary: "may this command run unasked?",
    load: async () => (await import("./Command.ts")).commandCheck,
    fromText: (text) => ({ command: text })
  },
  env: {
    summary: "what environment does the child get?",
    load: async () => (await import("./Env.ts")).envCheck,
    fromText: null
  },
  manifest: {
    summary: "is this file valid, and if not, which field is wrong?",
    load: async () => (await import("./Manifest.ts")).manifestCheck,
    fromText: null
  },
  path: {
    summary: "where does this path lead, and is it delicate?",
    load: async () => (await import("./Path.ts")).pathCheck,
    fromText: null
  },
  redact: {
    summary: "what do the five views show of this?",
    load: async () => (await import("./Redact.ts")).redactCheck,
    fromText: (text) => ({ result: { text } })
  },
  "tool-name": {
    summary: "under which name does the model see this tool?",
    load: async () => (await import("./ToolName.ts")).toolNameCheck,
    fromText: null
  },
  url: {
    summary: "may this address be spoken to?",
    load: async () => (await import("./Url.ts")).urlCheck,
    fromText: (text) => ({ url: text, resolve: true })
  }
} as const satisfies Record<string, KindLoader>

export type CheckKindName = keyof typeof loaders

export const checkKindNames: ReadonlyArray<CheckKindName> = Object.keys(loaders).filter(isCheckKindName)

/** Whether `name` is a kind that {@link loadCheckKind} knows. */
export function isCheckKindName(name: string): name is CheckKindName {
  return Object.hasOwn(loaders, name)
}

export const checkKindSummary = (name: CheckKindName): string => loaders[name].summary

/** The input of a question that was typed, or null where this kind wants a file. */
export const inputFromText = (name: CheckKindName, text: string): unknown => {
  const loader: KindLoader = loaders[name]
  return loader.fromText === null ? null : loader.fromText(text)
}

export const loadCheckKind = (name: CheckKindName): Effect.Effect<CheckKind> =>
  Effect.promise(() => loaders[name].load())
