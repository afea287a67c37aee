/** The port through which names become addresses. Nothing else in Gatehouse asks DNS. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { systemLookup } from "./SystemLookup.boundary.ts"

/** A name that has no answer. `code` is the system's word for it (`ENOTFOUND`, `EAI_AGAIN`). */
export class ResolverError extends Data.TaggedError("ResolverError")<{ readonly code: string }> {
  override get message(): string {
    return `the name could not be looked up: ${this.code}`
  }
}

/** Names that the system looks up at once: each holds one of the four threads that files need as well. */
export const lookupsAtOnce = 3

export class Resolver extends Context.Tag("@gatehouse/policy/Resolver")<
  Resolver,
  {
    /** All addresses of an ASCII name, in the order in which they should be tried, exactly as they were answered. */
    readonly lookup: (name: string) => Effect.Effect<ReadonlyArray<string>, ResolverError>
  }
>() {
  /** The system's resolver (`getaddrinfo`), so that hosts files and search domains count as they do for all programs. */
  static readonly layer: Layer.Layer<Resolver> = Layer.effect(
    Resolver,
    Effect.map(Effect.makeSemaphore(lookupsAtOnce), (semaphore) => ({
      // The call cannot be taken back: its permit is held until it returns, and only the asker may go.
      lookup: (name) =>
        Effect.async<ReadonlyArray<string>, ResolverError>((resume) =>
          systemLookup(name, (code, addresses) =>
            resume(code === null ? Effect.succeed(addresses) : Effect.fail(new ResolverError({ code })))
          )
        ).pipe(Effect.uninterruptible, semaphore.withPermits(1), Effect.disconnect)
    }))
  )

  /** Answers from a table and fails with `ENOTFOUND` for every other name; for tests and closed environments. */
  static readonly layerTable = (names: Readonly<Record<string, ReadonlyArray<string>>>): Layer.Layer<Resolver> =>
    Layer.succeed(Resolver, {
      lookup: (name) =>
        Object.hasOwn(names, name)
          ? Effect.succeed(names[name] ?? [])
          : Effect.fail(new ResolverError({ code: "ENOTFOUND" }))
    })
}
