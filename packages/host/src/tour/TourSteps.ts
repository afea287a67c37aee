/** What the tour shows, in order: a call, who answers a question about it, and how it must end. */
import type { Json } from "@gatehouse/core/Json"
import type { Status } from "@gatehouse/core/Status"

export interface TourStep {
  readonly title: string
  readonly tool: string
  readonly args: Json
  /** What the tour itself answers where it is asked. */
  readonly answer: "allow" | "deny"
  readonly expected: Status
  /** One line about what was seen. */
  readonly shows: string
  /** Whether the authored tool's module may have been imported when this step is over. */
  readonly imported: boolean
}

export const tourSteps: ReadonlyArray<TourStep> = [
  {
    title: "A read inside the workspace runs unasked",
    tool: "read_file",
    args: { path: "README.md" },
    answer: "deny",
    expected: "succeeded",
    shows: "granted, harmless and inside: nobody was asked",
    imported: false
  },
  {
    title: "A write is previewed, and approved by the tour's own answer",
    tool: "write_file",
    args: { path: "notes.md", content: "# Notes\n\nWritten after an approval.\n" },
    answer: "allow",
    expected: "succeeded",
    shows: "the approver saw the difference before anything was written",
    imported: false
  },
  {
    title: "A path outside is refused before anybody is asked",
    tool: "write_file",
    args: { path: "../outside.md", content: "no" },
    answer: "allow",
    expected: "denied",
    shows: "links and dots are resolved first; the resolved place decides",
    imported: false
  },
  {
    title: "A capability that the core does not grant",
    tool: "web_extract",
    args: { url: "https://example.com/" },
    answer: "allow",
    expected: "denied",
    shows: "no name was looked up, no packet sent, no approver asked",
    imported: false
  },
  {
    title: "An authored tool whose approval is denied",
    tool: "greet",
    args: { name: "Ada" },
    answer: "deny",
    expected: "denied",
    shows: "its module was not imported: the file that the import would leave is not there",
    imported: false
  },
  {
    title: "The same tool, approved",
    tool: "greet",
    args: { name: "Ada" },
    answer: "allow",
    expected: "succeeded",
    shows: "imported and called only now",
    imported: true
  },
  {
    title: "A command that does not end is ended, with its children",
    tool: "terminal",
    args: { command: "sleep 60 & sleep 60 & echo started; wait", timeout_seconds: 0.6 },
    answer: "allow",
    expected: "timed_out",
    shows: "the whole process tree is gone, and proven gone",
    imported: true
  }
]
