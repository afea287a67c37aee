/**
 * Calls the function of an authored tool: foreign code in this process. Whatever it does (throws, hangs, hands back
 * nonsense) ends as a value of {@link ModuleEnding}.
 */
import * as Effect from "effect/Effect"
import type { GuestCall } from "./GuestCode.boundary.ts"
import type { LoadedModule } from "./ModuleLoader.boundary.ts"
import type { ToolContext } from "./ToolContext.ts"

export type ModuleEnding =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "effect"; readonly effect: Effect.Effect<unknown, unknown> }
  | { readonly kind: "no_function" }
  | { readonly kind: "threw"; readonly error: unknown }

/** Calls `name` and waits for its promise. An Effect of this host's own library is given back, to be run here. */
export const callModule = async (
  guest: GuestCall,
  module: LoadedModule,
  name: string,
  context: ToolContext,
  args: unknown
): Promise<ModuleEnding> => {
  const execute = Object.hasOwn(module.exports, name) ? module.exports[name] : undefined
  if (typeof execute !== "function") return { kind: "no_function" }
  try {
    const value: unknown = await guest.run(
      async (): Promise<unknown> => Reflect.apply(execute, undefined, [context, args])
    )
    if (isOwnEffect(value)) return { kind: "effect", effect: value }
    return {
      kind: "value",
      value: isForeignEffect(value) ? await guest.run(() => runForeign(module, value, context.signal)) : value
    }
  } catch (error) {
    return { kind: "threw", error }
  }
}

/** Version of the library that this host runs on. */
const ownVersion: unknown = Reflect.get(Effect.void, Effect.EffectTypeId)

/** An Effect that this runtime runs: made by the same library in the same version. */
const isOwnEffect = (value: unknown): value is Effect.Effect<unknown, unknown> =>
  Effect.isEffect(value) && versionOf(Reflect.get(value, Effect.EffectTypeId)) === versionOf(ownVersion)

const versionOf = (variance: unknown): unknown =>
  typeof variance === "object" && variance !== null && "_V" in variance ? variance._V : null

/** Marks of Effects of other copies of the library: of this major version, and of the next. */
const effectMarks = [Effect.EffectTypeId, "~effect/Effect"] as const

const isForeignEffect = (value: unknown): boolean =>
  typeof value === "object" && value !== null && effectMarks.some((mark) => mark in value)

/** The copy of the library that the tool itself imports knows how to run what it made. */
const runForeign = async (module: LoadedModule, effect: unknown, signal: AbortSignal): Promise<unknown> => {
  const library = await module.importBeside("effect/Effect")
  const run: unknown = typeof library === "object" && library !== null ? Reflect.get(library, "runPromise") : undefined
  if (typeof run !== "function") throw new TypeError("the tool's own copy of effect has no runPromise")
  return await Reflect.apply(run, undefined, [effect, { signal }])
}

/** Whether `work` ends within `millis`. */
export const endsWithin = (work: Promise<unknown>, millis: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), millis)
    const ended = (): void => {
      clearTimeout(timer)
      resolve(true)
    }
    void work.then(ended, ended)
  })
