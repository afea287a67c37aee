/** An answer as the pipeline takes it: masked, within bounds, with what is large or no text in artifacts. */
import type { AdapterOutput, ArtifactReference } from "@gatehouse/core/AdapterOutcome"
import type { Json } from "@gatehouse/core/Json"
import type { ArtifactError } from "@gatehouse/process/ArtifactError"
import type { Artifacts } from "@gatehouse/process/Artifacts"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { cutText } from "../../text/TextCut.ts"
import type { ServerMask } from "../connections/SecretsOfServer.ts"
import { type CallAnswer, saysTheSame } from "./CallAnswer.ts"
import type { Piece } from "./ContentBlocks.ts"

type ArtifactService = Context.Tag.Service<typeof Artifacts>

/** UTF-16 units that a model reads of one answer; the whole is kept where there is more. */
export const answerLimit = 20_000

/** Images, sounds and blobs of one answer that are kept. */
const keptLimit = 32

/** The output of `answer`. Where an artifact cannot be written, a note says so: the answer is not lost for it. */
export const answerOutput = (
  answer: CallAnswer,
  mask: ServerMask,
  artifacts: ArtifactService
): Effect.Effect<AdapterOutput> =>
  Effect.gen(function* () {
    const kept: Array<ArtifactReference> = []
    const shown: Array<Piece> = []
    let binaries = 0
    for (const piece of answer.pieces) {
      if (piece.kind !== "bytes") {
        shown.push(piece)
        continue
      }
      binaries += 1
      shown.push({ kind: "note", text: yield* keepBytes(piece, binaries, { mask, artifacts, kept }) })
    }
    const structured = answer.structured === null || mask.isIdle ? answer.structured : mask.json(answer.structured)
    const said = withStructure(joined(shown, mask), answer.pieces, structured)
    if (said.length <= answerLimit) return { text: said, data: structured, artifacts: kept }
    // What is kept as a file is read by no view.
    const whole = mask.isIdle ? mask.text(said) : said
    const reference = yield* Effect.either(
      keep(artifacts, "answer.txt", "text/plain; charset=utf-8", Buffer.from(whole))
    )
    if (reference._tag === "Right") kept.push(reference.right)
    const part = cutText(whole, answerLimit)
    const rest =
      reference._tag === "Right" ? `the whole is in artifact ${reference.right.id}` : "the rest could not be kept"
    return {
      text: `${part}\n[cut: ${part.length} of ${whole.length} characters; ${rest}]`,
      data: structured,
      artifacts: kept
    }
  })

interface Keeping {
  readonly mask: ServerMask
  readonly artifacts: ArtifactService
  readonly kept: Array<ArtifactReference>
}

const keepBytes = (
  { bytes, mediaType, what }: Extract<Piece, { readonly kind: "bytes" }>,
  index: number,
  { artifacts, kept, mask }: Keeping
): Effect.Effect<string> => {
  const about = `${what} of ${bytes.length} bytes, ${mediaType}`
  if (index > keptLimit) return Effect.succeed(`[${about}: not kept, the answer has more than ${keptLimit}]`)
  return Effect.match(keep(artifacts, `${what}-${index}${ending(mediaType)}`, mediaType, mask.file(bytes)), {
    onFailure: ({ message }) => `[${about}: not kept, ${message}]`,
    onSuccess: (reference) => {
      kept.push(reference)
      return `[${about}: artifact ${reference.id}]`
    }
  })
}

const keep = (
  artifacts: ArtifactService,
  name: string,
  mediaType: string,
  bytes: Uint8Array
): Effect.Effect<ArtifactReference, ArtifactError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const writer = yield* artifacts.create(name, mediaType)
      yield* writer.write(bytes)
      return yield* writer.finish
    })
  )

/** File name endings of the types that servers send most. */
const endings: Readonly<Record<string, string>> = {
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "image/webp": ".webp",
  "audio/wav": ".wav",
  "audio/mpeg": ".mp3",
  "application/pdf": ".pdf"
}

const ending = (mediaType: string): string => (Object.hasOwn(endings, mediaType) ? (endings[mediaType] ?? "") : ".bin")

/** The blocks below one another. A secret that was cut in two blocks would be in none of them: then they are one text. */
const joined = (pieces: ReadonlyArray<Piece>, mask: ServerMask): string => {
  const texts = pieces.flatMap((piece) => (piece.kind === "bytes" ? [] : [piece.text]))
  if (mask.isIdle) return texts.join("\n")
  const own = pieces.flatMap((piece) => (piece.kind === "text" ? [piece.text] : []))
  if (own.length > 1 && spansBlocks(own, mask)) return mask.text(own.join(""))
  return mask.text(texts.join("\n"))
}

const spansBlocks = (texts: ReadonlyArray<string>, mask: ServerMask): boolean => {
  const bytes = (text: string): Uint8Array => mask.bytes(Buffer.from(text))
  return !Buffer.from(bytes(texts.join(""))).equals(Buffer.concat(texts.map(bytes)))
}

/** `structured` is masked already. */
const withStructure = (text: string, pieces: ReadonlyArray<Piece>, structured: Json): string => {
  if (structured === null) return text === "" ? "[the tool answered with no content]" : text
  const [only] = pieces
  if (only === undefined) return JSON.stringify(structured)
  if (pieces.length === 1 && only.kind === "text" && saysTheSame(only.text, structured)) return text
  return `${text}\n[structured content]\n${JSON.stringify(structured)}`
}
