/** Properties are tried on the same cases in every run of the gate; `GATEHOUSE_SEED=N` tries others. */
import * as fc from "fast-check"

fc.configureGlobal({ seed: Number(process.env["GATEHOUSE_SEED"] ?? 20_261_201) })
