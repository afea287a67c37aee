/** Progress of a call for whoever watches: thinned, masked, and the last of it kept. */
import type { Witness } from "@gatehouse/core/Authorized"
import { boundedText } from "@gatehouse/core/BoundedText"
import type { ServerMask } from "../connections/SecretsOfServer.ts"
import type { Progress } from "../protocol/Peer.ts"

/** Milliseconds between two lines. */
const everyMillis = 100

/** UTF-16 units of a line. */
const lineLimit = 300

/** A listener of one call. What comes faster is dropped, but for the end of what was announced. */
export const liveProgress = (witness: Witness, mask: ServerMask, now: () => number): ((progress: Progress) => void) => {
  let shownAt = Number.NEGATIVE_INFINITY
  return (progress) => {
    const isLast = progress.total !== null && progress.progress >= progress.total
    const at = now()
    if (shownAt === Number.POSITIVE_INFINITY || (!isLast && at - shownAt < everyMillis)) return
    shownAt = isLast ? Number.POSITIVE_INFINITY : at
    witness.live("stdout", `${line(progress, mask)}\n`)
  }
}

const line = ({ message, progress, total }: Progress, mask: ServerMask): string => {
  const so = total === null ? `${progress}` : `${progress} of ${total}`
  return message === ""
    ? so
    : `${so}: ${boundedText(mask.text(message).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " "), lineLimit)}`
}
