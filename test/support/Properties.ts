/** Properties are tried on the same cases in every run of the gate; `GATEHOUSE_SEED=N` tries others. */
import * as EffectFastCheck from "effect/FastCheck"
import * as FastCheck from "fast-check"

const seed = Number(process.env["GATEHOUSE_SEED"] ?? 20_261_201)

// Two copies are in use: our own, and the one that Effect brings along.
FastCheck.configureGlobal({ seed })
EffectFastCheck.configureGlobal({ seed })
