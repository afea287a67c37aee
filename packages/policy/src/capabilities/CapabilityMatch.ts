/** Whether a set of grants covers a required capability. Pure; cases in `test/vectors/capability-match.json`. */
import { compileGrants } from "./CompiledGrants.ts"

/**
 * What a look-up may use: `default` the core's grants; `gate` these and what is granted to exactly this component;
 * `inside` as `gate`, and what the component's own manifest declares; `exact-default` the core's grants by whole
 * name only (secrets).
 */
export type CapabilityLookup = "default" | "gate" | "inside" | "exact-default"

export interface CapabilityQuestion {
  readonly required: string
  readonly lookup: CapabilityLookup
  readonly grants: ReadonlyArray<string>
  readonly component?: string
  readonly componentGrants?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly componentDeclares?: Readonly<Record<string, ReadonlyArray<string>>>
}

export interface CapabilityAnswer {
  readonly granted: boolean
  /** The grant that matched, as it was written; null where none did. */
  readonly by: string | null
}

/**
 * Answers one question. Where many are asked of the same grants, {@link compileGrants} once and ask that.
 *
 * @example
 * matchCapability({ required: "fs.read", lookup: "default", grants: ["fs.read"] }) // { granted: true, by: "fs.read" }
 */
export const matchCapability = (question: CapabilityQuestion): CapabilityAnswer =>
  compileGrants(
    { defaults: question.grants, components: question.componentGrants ?? {} },
    question.componentDeclares ?? {}
  ).match(question.required, question.lookup, question.component ?? null)
