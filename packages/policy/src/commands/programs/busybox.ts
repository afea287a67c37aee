/** busybox(1), toybox(1): many programs in one, named by the first word. */
import type { Program } from "../Program.ts"

export const busybox: Program = {
  names: ["busybox", "toybox"],
  does: "runs",
  because: "is another build of the program that it is told to be",
  opens: 0,
  grammar: { stopsAtOperand: true },
  examples: {
    allowed: ["echo busybox", "grep -n busybox a.txt"],
    refused: ["busybox ls", "busybox rm -rf build", "toybox sh"]
  }
}
