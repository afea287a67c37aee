/** `gatehouse catalog`: what a model would see, what would run, and which setting decided it. */

import type { Catalog } from "@gatehouse/catalog/Catalog"
import { diffCatalogs } from "@gatehouse/catalog/CatalogDiff"
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import { ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import { inertJson } from "@gatehouse/policy/redaction/TerminalText"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { findKeptCatalog, keepCatalog } from "../../catalogs/KeptCatalogs.boundary.ts"
import { homeLayer } from "../../home/HostHome.boundary.ts"
import { CommandFailed } from "../ExitStatus.ts"
import { homeFolder, type Places } from "../GlobalOptions.ts"
import { readInput } from "../Input.boundary.ts"
import { Invocation } from "../Invocation.ts"
import { admitLocalTurn, localHostLayer } from "../LocalHost.ts"
import { Output } from "../Output.ts"
import { renderCatalog, renderCatalogDiff } from "../render/Catalog.ts"
import { StandingKeeper } from "../StandingKeeper.ts"
import { terminalPrompterLayer } from "../TerminalPrompter.ts"

export interface CatalogArguments extends Places {
  readonly json: boolean
}

export const runCatalog = Effect.fn("gatehouse catalog")(function* (args: CatalogArguments) {
  const output = yield* Output
  const root = homeFolder(args.home, yield* Invocation)
  const prompter =
    output.interactive && !args.json
      ? Layer.provide(terminalPrompterLayer, StandingKeeper.layer(root))
      : ApprovalPrompter.layerNever
  const catalog = yield* Effect.scoped(Effect.map(admitLocalTurn(args), (turn) => turn.catalog)).pipe(
    Effect.tap(keepCatalog),
    Effect.provide(Layer.mergeAll(Layer.provideMerge(localHostLayer(args), prompter), Layer.orDie(homeLayer(root))))
  )
  yield* output.result(args.json ? inertJson(publicForm(catalog), 2) : renderCatalog(catalog, output))
  if (args.json) return
  for (const { message, remedy, severity, subject } of catalog.diagnostics) {
    yield* output.note(`${severity}: ${subject}: ${message}${remedy === "" ? "" : `\n  ${remedy}`}`)
  }
})

/** Two catalogs: an id (or its beginning) of one that is kept in the home, or a file that `catalog --json` wrote. */
export interface CatalogDiffArguments extends Places {
  readonly before: string
  readonly after: string
  readonly json: boolean
}

export const runCatalogDiff = Effect.fn("gatehouse catalog diff")(function* (args: CatalogDiffArguments) {
  const output = yield* Output
  const invocation = yield* Invocation
  const home = homeLayer(homeFolder(args.home, invocation))
  const [before, after] = yield* Effect.all([entriesOf(args.before), entriesOf(args.after)]).pipe(
    Effect.provide(home),
    Effect.mapError((error) =>
      error._tag === "CommandFailed"
        ? error
        : new CommandFailed({ status: "failed", message: error.message, remedy: error.remedy })
    )
  )
  const diff = diffCatalogs({ entries: before }, { entries: after })
  yield* output.result(args.json ? inertJson(diff, 2) : renderCatalogDiff(diff, output))
})

const entriesOf = Effect.fnUntraced(function* (name: string) {
  const text = (yield* findKeptCatalog(name)) ?? (yield* readInput(name))
  const value = yield* Effect.try({ try: (): unknown => JSON.parse(text), catch: () => notACatalog(name) })
  const entries = yield* Effect.mapError(Schema.decodeUnknown(KeptForm)(value), () => notACatalog(name))
  return entries
})

const notACatalog = (name: string): CommandFailed =>
  new CommandFailed({
    status: "invalid",
    message: `${name} is no catalog`,
    remedy: "name a catalog's id from `gatehouse catalog`, or a file that `gatehouse catalog --json` wrote"
  })

/** As much of an entry as a comparison reads. */
const isEntry = (value: unknown): value is EffectEntry =>
  typeof value === "object" && value !== null && "name" in value && "fingerprint" in value && "policy" in value
const Entries = Schema.Array(Schema.declare(isEntry))
/** A kept catalog is a list; what `catalog --json` writes holds it as `entries`. */
const KeptForm = Schema.Union(Entries, Schema.pluck(Schema.Struct({ entries: Entries }), "entries"))

const publicForm = ({ coreRevision, diagnostics, entries, id }: Catalog) => ({ id, coreRevision, entries, diagnostics })
