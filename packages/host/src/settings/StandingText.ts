/** Standing answers in the text of `settings.yaml`: added and removed, all else kept as its owner wrote it. Pure. */
import type { StandingAnswer, StandingCondition } from "@gatehouse/policy/approvals/standing/StandingAnswer"
import * as Either from "effect/Either"
import { Document, isMap, isNode, isSeq, type Node, parseDocument, visit } from "yaml"

const field = "standing_answers"

/** `text` with `answer` behind the others. */
export const withStandingAnswer = (text: string, answer: StandingAnswer): Either.Either<string, string> => {
  const document = documentOf(text)
  const list = document.get(field) ?? null
  if (list === null) document.set(field, document.createNode([]))
  else if (!isSeq(list)) return Either.left(notPlain)
  const answers = document.get(field)
  if (!isSeq(answers)) return Either.left(notPlain)
  answers.flow = false
  answers.add(answerNode(document, answer))
  return Either.right(textOf(document))
}

/** `text` without the answer of that number, counted from 1. */
export const withoutStandingAnswer = (text: string, number: number): Either.Either<string, string> => {
  const document = documentOf(text)
  const answers = document.get(field) ?? null
  if (answers !== null && !isSeq(answers)) return Either.left(notPlain)
  if (answers === null || !answers.delete(number - 1)) return Either.left(`there is no standing answer ${number}`)
  if (answers.items.length === 0) answers.flow = true
  return Either.right(textOf(document))
}

/** One answer as it is written, for people to read before they give its reason and say yes. */
export const standingAnswerText = (answer: WrittenAnswer): string => {
  const document = new Document()
  document.contents = answerNode(document, answer)
  return textOf(document).trimEnd()
}

type WrittenAnswer = Omit<StandingAnswer, "reason"> & { readonly reason?: string }

const notPlain = `${field}: is written in a way that cannot be edited here; write it as a list`

/** As the host reads it, but for duplicate keys and the like: the text was read by the host before. */
const documentOf = (text: string): Document => {
  const document: Document = parseDocument(text, { version: "1.2", schema: "core", merge: false })
  if (document.contents === null) document.contents = document.createNode({})
  // A map in brackets takes no block inside.
  if (isMap(document.contents)) document.contents.flow = false
  return document
}

const textOf = (document: Document): string => document.toString({ lineWidth: 0, flowCollectionPadding: true })

/** Fields in the order of the documentation; what is the default is left out. Conditions keep their lists on one line. */
const answerNode = (document: Document, answer: WrittenAnswer): Node => {
  const fields = {
    ...(answer.answer === "allow" ? {} : { answer: answer.answer }),
    principal: answer.principal,
    source: answer.source,
    tool: answer.tool,
    when: conditionFields(answer.when),
    ...(answer.definition === undefined ? {} : { definition: answer.definition }),
    ...(answer.reason === undefined ? {} : { reason: answer.reason }),
    until: answer.until
  }
  const node = document.createNode(fields, { aliasDuplicateObjects: false })
  const when = node.get("when")
  if (isNode(when)) {
    visit(when, {
      Collection: (_, inner) => {
        if (inner !== when) inner.flow = true
      }
    })
  }
  return node
}

const conditionFields = (condition: StandingCondition) =>
  condition.kind === "command"
    ? { ...condition, commands: condition.commands.map(({ more, words }) => (more ? { words, more } : { words })) }
    : condition
