export const reviewText = (command: string, overlay: ReadonlyArray<string>, background: boolean) =>
  command === "rm -rf /"
    ? ({ decision: "block", risk: "critical" } as const)
    : ({ decision: "prompt", risk: overlay.length > 0 && background ? "high" : "medium" } as const)
