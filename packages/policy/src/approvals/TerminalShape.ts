/** What an answer to a question of the terminal covers: one command, in one folder, with one environment and options. */
import { keyedFingerprint } from "@gatehouse/core/Fingerprint"
import type { Json } from "@gatehouse/core/Json"

export interface TerminalShapeInput {
  readonly command: string
  /** Absolute, links resolved. */
  readonly cwd: string
  /** What the call adds, names and values. */
  readonly overlay: Readonly<Record<string, string>>
  readonly background: boolean
  readonly timeoutSeconds: number
}

/**
 * The shape that an answer is bound to, as `approvalShape` of a plan. It is one keyed fingerprint: neither the command
 * nor a value of the overlay can be read or guessed from it, and no other command, folder, overlay or option has it.
 */
export const terminalShape = (key: Uint8Array, input: TerminalShapeInput): Json => ({
  terminal: keyedFingerprint(key, [
    input.command,
    input.cwd,
    { ...input.overlay },
    input.background,
    input.timeoutSeconds
  ])
})
