/** The words of the verbs over what a home keeps. What each does is loaded when it is asked for. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { homeOption, jsonOption } from "./GlobalOptions.ts"
import { stoppable } from "./Stoppable.ts"
import * as Verbs from "./Verbs.boundary.ts"

const id = Args.text({ name: "ID" })
const store = { json: jsonOption, home: homeOption }

const eventParts = {
  session: Options.text("session").pipe(Options.withPseudoName("ID"), Options.optional),
  call: Options.text("call").pipe(
    Options.withDescription("One call's story"),
    Options.withPseudoName("ID"),
    Options.optional
  )
}

export const events = Command.make(
  "events",
  {
    follow: Options.boolean("follow").pipe(
      Options.withAlias("f"),
      Options.withDescription("Also what comes, until Ctrl-C")
    ),
    ...eventParts,
    ...store
  },
  (args) => stoppable(Effect.flatMap(Verbs.loadEvents, ({ runEvents }) => runEvents(args)))
).pipe(
  Command.withDescription("What happened, in order; --json writes JSON Lines"),
  Command.withSubcommands([
    Command.make("verify", store, (args) =>
      stoppable(Effect.flatMap(Verbs.loadEvents, ({ runEventsVerify }) => runEventsVerify(args)))
    ).pipe(Command.withDescription("Whether the record is whole: a changed or missing event is found")),
    Command.make("export", { ...eventParts, home: homeOption }, (args) =>
      stoppable(Effect.flatMap(Verbs.loadEvents, ({ runEventsExport }) => runEventsExport(args)))
    ).pipe(Command.withDescription("All of it as JSON Lines"))
  ])
)

export const artifacts = Command.make("artifacts").pipe(
  Command.withDescription("What was too large for a result"),
  Command.withSubcommands([
    Command.make("list", store, (args) =>
      stoppable(Effect.flatMap(Verbs.loadArtifacts, ({ runArtifactsList }) => runArtifactsList(args)))
    ).pipe(Command.withDescription("Every artifact, its size and age")),
    Command.make("show", { id, ...store }, (args) =>
      stoppable(
        Effect.flatMap(Verbs.loadArtifacts, ({ runArtifactsShow }) => runArtifactsShow({ ...args, follow: false }))
      )
    ).pipe(Command.withDescription("Copies it to standard output")),
    Command.make("follow", { id, ...store }, (args) =>
      stoppable(
        Effect.flatMap(Verbs.loadArtifacts, ({ runArtifactsShow }) => runArtifactsShow({ ...args, follow: true }))
      )
    ).pipe(Command.withDescription("The same, and on while it grows")),
    Command.make(
      "prune",
      {
        keepMib: Options.integer("keep").pipe(
          Options.withDescription("MiB that may stay"),
          Options.withPseudoName("MIB"),
          Options.withDefault(0)
        ),
        ...store
      },
      (args) => stoppable(Effect.flatMap(Verbs.loadArtifacts, ({ runArtifactsPrune }) => runArtifactsPrune(args)))
    ).pipe(Command.withDescription("Removes the oldest that are not in use"))
  ])
)

export const sessions = Command.make("sessions").pipe(
  Command.withDescription("The sessions of this home"),
  Command.withSubcommands([
    Command.make("list", store, (args) =>
      stoppable(Effect.flatMap(Verbs.loadRecords, ({ runSessionsList }) => runSessionsList(args)))
    ).pipe(Command.withDescription("Most recently used first")),
    Command.make("show", { id, ...store }, (args) =>
      stoppable(Effect.flatMap(Verbs.loadRecords, ({ runSessionsShow }) => runSessionsShow(args)))
    ).pipe(Command.withDescription("One session with its messages")),
    Command.make(
      "repair",
      {
        ids: Args.text({ name: "ID" }).pipe(Args.repeated),
        owner: Options.text("owner").pipe(
          Options.withDescription("Who owns them from then on"),
          Options.withPseudoName("PRINCIPAL"),
          Options.withDefault("local")
        ),
        ...store
      },
      (args) => stoppable(Effect.flatMap(Verbs.loadSessionsRepair, ({ runSessionsRepair }) => runSessionsRepair(args)))
    ).pipe(
      Command.withDescription("Sessions whose owner is not known: lists them, or gives those that are named an owner")
    )
  ])
)

export const tasks = Command.make("tasks").pipe(
  Command.withDescription("The background work of this home"),
  Command.withSubcommands([
    Command.make("list", store, (args) =>
      stoppable(Effect.flatMap(Verbs.loadRecords, ({ runTasksList }) => runTasksList(args)))
    ).pipe(Command.withDescription("Newest first")),
    Command.make("show", { id, ...store }, (args) =>
      stoppable(Effect.flatMap(Verbs.loadRecords, ({ runTasksShow }) => runTasksShow(args)))
    ).pipe(Command.withDescription("One task with the end of its log")),
    Command.make("follow", { id, ...store }, (args) =>
      stoppable(Effect.flatMap(Verbs.loadTasksFollow, ({ runTasksFollow }) => runTasksFollow(args)))
    ).pipe(Command.withDescription("Its whole log, and on until it has ended")),
    Command.make("cancel", { id, ...store }, (args) =>
      stoppable(Effect.flatMap(Verbs.loadRecords, ({ runTasksCancel }) => runTasksCancel(args)))
    ).pipe(Command.withDescription("Asks for its end"))
  ])
)
