/** What a core wants hidden besides what the host hides. Pure. */
import type { AgentCore } from "@gatehouse/catalog/cores/AgentCore"
import { ownPattern } from "@gatehouse/policy/redaction/text/OwnPatterns"
import type { RedactionAdditions } from "@gatehouse/policy/redaction/text/SecretText"
import * as Either from "effect/Either"

/** The additions of `core`, or which of its patterns cannot be used, and why. */
export const coreRedaction = ({
  manifest: { redaction },
  origin
}: AgentCore): Either.Either<RedactionAdditions, string> => {
  for (const [index, pattern] of redaction.patterns.entries()) {
    const judged = ownPattern(pattern)
    if (Either.isLeft(judged)) return Either.left(`${origin(["redaction", "patterns", `${index}`])}: ${judged.left}`)
  }
  return Either.right({ fieldNames: redaction.field_names, patterns: redaction.patterns })
}
