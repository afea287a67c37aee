/** Why a core cannot be used. Every fault is told at once, so that one look mends the file. */
import * as Data from "effect/Data"
import type { ManifestFault } from "../manifests/ManifestFault.ts"
import { renderFault } from "../manifests/ManifestFault.ts"

/**
 * `missing`: no folder, or no `agent.yaml` in it. `unreadable`: the machine refuses to read it. `invalid`: files of it
 * are not what they have to be ({@link CoreError.faults}). `too_large`: more than a core may hold.
 */
export class CoreError extends Data.TaggedError("CoreError")<{
  readonly reason: "missing" | "unreadable" | "invalid" | "too_large"
  /** The folder that was asked for. */
  readonly root: string
  readonly message: string
  readonly remedy: string
  readonly faults: ReadonlyArray<ManifestFault>
}> {}

/** A core with faults in its files. */
export const invalidCore = (root: string, faults: ReadonlyArray<ManifestFault>): CoreError =>
  new CoreError({
    reason: "invalid",
    root,
    message: `The core is not valid:\n${faults.map((fault) => `  ${renderFault(fault)}`).join("\n")}`,
    remedy: "correct the lines named above; `gatehouse check manifest` judges one file",
    faults
  })
