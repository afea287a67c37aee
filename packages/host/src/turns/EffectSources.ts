/** The sources that a host takes its effects from, in no order that matters. A host is extended by adding one. */
import type { EffectSource } from "@gatehouse/core/EffectSource"
import * as Context from "effect/Context"

export class EffectSources extends Context.Tag("@gatehouse/host/EffectSources")<
  EffectSources,
  ReadonlyArray<EffectSource>
>() {}
