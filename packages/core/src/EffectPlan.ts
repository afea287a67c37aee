/** What would happen, in terms that an approver can read; computed without doing it. */
import type { Json } from "./Json.ts"
import type { Policy } from "./Policy.ts"
import type { Risk } from "./Risk.ts"
import type { Status } from "./Status.ts"

/** A secret that the call wants bound; its value is not read before the approval. */
export interface SecretRequest {
  /** `env:<NAME>` or another source of the binder. */
  readonly source: string
  /** Name of the variable in the child. */
  readonly target: string
  readonly expiresInSeconds: number
}

/** What a standing answer can be given for: the part of a plan that conditions look at. */
export type ApprovalSubject =
  | { readonly kind: "path"; readonly path: string; readonly insideWorkspace: boolean; readonly sensitive: boolean }
  | {
      readonly kind: "command"
      /** As the command review gives them: every part that a standing answer would have to cover, by its words. */
      readonly parts: ReadonlyArray<ReadonlyArray<string>>
      readonly blocked: boolean
      /**
       * True where the parts say all that the call does: no environment overlay, not in the background. Where it is not
       * said, nobody may assume it.
       */
      readonly literal?: boolean
    }
  | { readonly kind: "mcp"; readonly server: string; readonly tool: string; readonly arguments: Json }
  | { readonly kind: "other" }

/** One reason of a check, for "why am I asked?". `start` and `end` are UTF-16 positions in the text that was judged. */
export interface PlanReason {
  readonly rule: string
  readonly text?: string
  readonly start?: number
  readonly end?: number
}

export interface EffectPlan<Prepared> {
  /** Verb for people and rules: `read`, `write`, `run`, `fetch`, `call`, `connect`. */
  readonly action: string
  /** Object of the verb: a path, a command, an origin, a server. Bounded; shown redacted. */
  readonly target: string
  readonly risk: Risk
  /** What this call's own checks ask for; merging it with the entry's policy only tightens. */
  readonly policy: Policy
  readonly because: ReadonlyArray<PlanReason>
  readonly readOnly: boolean
  /** Shown to an approver after redaction. */
  readonly preview: Json
  readonly subject: ApprovalSubject
  /** What an answer covers beside action and target (a command with its directory, overlay and options, say). */
  readonly approvalShape: Json
  /** False where "always" would say too much: then it means once. */
  readonly sessionCacheable: boolean
  readonly secrets: ReadonlyArray<SecretRequest>
  /** Two effects with the same non-null scope may not be under way at once. */
  readonly writeScope: string | null
  /** Milliseconds that the adapter may take; null leaves the turn's deadline and the entry's default. */
  readonly timeoutMillis: number | null
  /** What `run` uses (resolved path, parsed command, judged URL): nothing is looked up again by name. */
  readonly prepared: Prepared
}

/** A plan that its own checks refuse, before anybody is asked. */
export class PlanRefused {
  readonly _tag = "PlanRefused"
  readonly status: Extract<Status, "denied" | "invalid" | "not_found">
  readonly rule: string
  /** Field, shape and remedy; never a value. */
  readonly message: string

  constructor(status: Extract<Status, "denied" | "invalid" | "not_found">, rule: string, message: string) {
    this.status = status
    this.rule = rule
    this.message = message
  }
}
