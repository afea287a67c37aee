/** The words of the verbs over the store as a file. What each does is loaded when it is asked for. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { homeOption, jsonOption } from "./GlobalOptions.ts"
import { stoppable } from "./Stoppable.ts"
import * as Verbs from "./Verbs.boundary.ts"

const places = { json: jsonOption, home: homeOption }
const file = Args.text({ name: "FILE" })

export const backup = Command.make("backup", { file, ...places }, (args) =>
  stoppable(Effect.flatMap(Verbs.loadBackup, ({ runBackup }) => runBackup(args)))
).pipe(Command.withDescription("Copies the store of this home to a new file, while it is used, and verifies it"))

export const restore = Command.make("restore", { file, ...places }, (args) =>
  stoppable(Effect.flatMap(Verbs.loadBackup, ({ runRestore }) => runRestore(args)))
).pipe(Command.withDescription("Verifies a backup, and puts it into a home that has no store"))

export const store = Command.make("store").pipe(
  Command.withDescription("The store of this home as a file"),
  Command.withSubcommands([
    Command.make("verify", places, (args) =>
      stoppable(Effect.flatMap(Verbs.loadStoreFile, ({ runStoreVerify }) => runStoreVerify(args)))
    ).pipe(Command.withDescription("Whether it is whole: its pages, its references, its chain of events")),
    Command.make("prune", places, (args) =>
      stoppable(Effect.flatMap(Verbs.loadStoreFile, ({ runStorePrune }) => runStorePrune(args)))
    ).pipe(Command.withDescription("Removes now what the settings no longer keep; hosts do it once a day")),
    Command.make("aside", places, (args) =>
      stoppable(Effect.flatMap(Verbs.loadStoreFile, ({ runStoreAside }) => runStoreAside(args)))
    ).pipe(Command.withDescription("Moves a damaged store out of the way, so that the next host begins an empty one"))
  ])
)
