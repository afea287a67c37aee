/** A folder for the tour that is gone when the tour is. */

import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { type PlaceFiles, type ThrowAwayPlace, throwAwayPlace } from "../home/ThrowAwayPlace.boundary.ts"
import { importWitness } from "./TourCore.ts"

export interface TourPlace extends ThrowAwayPlace {
  /** Whether the authored tool's module was imported. */
  readonly moduleImported: () => boolean
}

/** Writes `files` into a fresh folder; closing the scope removes it whole. */
export const tourPlace = (files: PlaceFiles) =>
  Effect.map(
    throwAwayPlace("tour", files),
    (place): TourPlace => ({
      ...place,
      moduleImported: () => existsSync(join(place.core, "agent/tools/greet", importWitness))
    })
  )
