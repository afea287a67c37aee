import { it } from "@effect/vitest"
import { Store } from "@gatehouse/control-plane/Store"
import * as Effect from "effect/Effect"

it.scoped("opens", () =>
  Effect.gen(function* () {
    const s = yield* Store
    console.log(s.location, yield* s.integrity)
  }).pipe(Effect.provide(Store.layerMemory))
)
