/** A server's question (MCP elicitation) on its way to a person, and the answer on its way back, both judged. */
import { boundedText } from "@gatehouse/core/BoundedText"
import type { SessionId } from "@gatehouse/core/Identifiers"
import { freezeJson, isJsonObject } from "@gatehouse/core/Json"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { makeArgumentSchemas } from "../../arguments/ArgumentSchemas.ts"
import { judgeSchema } from "../listing/JudgeSchema.ts"
import { errorCodes, isRecord } from "../protocol/JsonRpc.ts"
import type { ServerRequest } from "../protocol/Peer.ts"
import type { ServerQuestions } from "../ServerQuestions.ts"

/** UTF-16 units of a question. */
const questionLimit = 2_000

type Answer = ReturnType<ServerRequest>

/** Answers `elicitation/create` in form mode. URLs are never opened: that mode is not declared, and refused. */
export const formAnswers = (
  questions: Context.Tag.Service<typeof ServerQuestions>,
  server: string,
  session: SessionId
): ((params: unknown) => Answer) => {
  const schemas = makeArgumentSchemas()
  return (params) => {
    if (!isRecord(params) || (params["mode"] !== undefined && params["mode"] !== "form"))
      return refused("only forms are asked")
    const { message, requestedSchema } = params
    const schema = judgeSchema(requestedSchema)
    if (typeof message !== "string" || Either.isLeft(schema)) return refused("the form cannot be read")
    return Effect.map(
      questions.ask({ server, session, message: boundedText(message, questionLimit), schema: schema.right }),
      (answer) => {
        if (answer.action !== "accept") return { result: { action: answer.action } }
        const content = Either.getOrNull(freezeJson(answer.content))
        const fits = content !== null && isJsonObject(content) && schemas.validate(schema.right, content) === null
        return { result: fits ? { action: "accept", content } : { action: "cancel" } }
      }
    )
  }
}

const refused = (message: string): Answer => Effect.succeed({ error: { code: errorCodes.invalidParams, message } })
