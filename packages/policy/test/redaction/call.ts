/** A call to render, with what a test cares about. */
import type { CallToRender } from "@gatehouse/policy/redaction/Redactor"

export const callWith = (fields: Partial<CallToRender>): CallToRender => ({
  tool: "demo_tool",
  action: "read",
  target: "README.md",
  status: "succeeded",
  executionStarted: true,
  mayHaveHappened: true,
  arguments: {},
  text: null,
  data: null,
  operatorText: null,
  operatorData: null,
  artifacts: [],
  error: null,
  stages: [],
  displayPolicy: "full",
  modelOutputPolicy: "content",
  ...fields
})
