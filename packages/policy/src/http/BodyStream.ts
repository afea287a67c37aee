/** A body as a `Stream`. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { BodySource } from "./BodyQueue.ts"
import type { ExchangeFailure } from "./ExchangeFailure.ts"
import type { SafeHttpError } from "./SafeHttpError.ts"

/** The pieces of `source` as they come; it ends with the body or with what its failure means. */
export const streamOf = (
  source: BodySource,
  explain: (failure: ExchangeFailure) => SafeHttpError
): Stream.Stream<Uint8Array, SafeHttpError> =>
  Stream.repeatEffectChunkOption(
    Effect.async<Chunk.Chunk<Uint8Array>, Option.Option<SafeHttpError>>((resume) =>
      source.next((step) =>
        resume(
          step._tag === "pieces"
            ? Effect.succeed(Chunk.unsafeFromArray(step.pieces))
            : Effect.fail(step._tag === "end" ? Option.none() : Option.some(explain(step.failure)))
        )
      )
    )
  )
