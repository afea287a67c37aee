/** Whether a store is whole, as a person reads it. */
import type { StoreVerdict } from "@gatehouse/control-plane/maintenance/VerifyStore"

export const renderVerdict = ({ chain, path, problems, sound }: StoreVerdict): string =>
  [
    `${path} is ${sound ? "sound" : "NOT SOUND"}: ${chain.checked} events, head ${chain.head.position} ${chain.head.hash}`,
    ...problems.map((problem) => `  ${problem}`),
    ...chain.faults.map(({ message, position, problem }) => `  event ${position}: ${problem}: ${message}`)
  ].join("\n")
