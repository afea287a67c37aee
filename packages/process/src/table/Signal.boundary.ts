/** The one place that calls kill(2). Whether a signal may be sent at all is decided before, in `identity/`. */
import type { SignalAnswer, SignalName } from "./ProcessTable.ts"

/** Never called with 0, 1 or -1: these mean the host's own group, init, and everybody. */
export const sendSignal = (target: number, name: SignalName | null): SignalAnswer => {
  if (!Number.isSafeInteger(target) || Math.abs(target) < 2) return "refused"
  try {
    process.kill(target, name === null ? 0 : `SIG${name}`)
    return "sent"
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH" ? "gone" : "refused"
  }
}
