/** The words of `gatehouse approvals`. What each does is loaded when it is asked for. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { homeOption, jsonOption, placeOptions } from "./GlobalOptions.ts"
import { stoppable } from "./Stoppable.ts"
import * as Verbs from "./Verbs.boundary.ts"

const id = Args.text({ name: "ID" })
const store = { json: jsonOption, home: homeOption }

const many = (name: string, description: string) =>
  Options.text(name).pipe(Options.withDescription(description), Options.withPseudoName("TEXT"), Options.repeated)
const one = (name: string, description: string) =>
  Options.text(name).pipe(Options.withDescription(description), Options.withPseudoName("TEXT"), Options.optional)

const standing = Command.make("standing").pipe(
  Command.withDescription("Answers that you give in advance, in this host's own settings"),
  Command.withSubcommands([
    Command.make(
      "add",
      {
        tool: Args.text({ name: "TOOL" }).pipe(Args.withDescription("A tool's name; or use --from"), Args.optional),
        from: one("from", "An approval's id: this call and nothing wider"),
        commands: many("command", "A whole command (repeatable)"),
        prefixes: many("prefix", "Words that a command may begin with (repeatable)"),
        path: one("path", "A file of the workspace, or a pattern with *, ? and **"),
        server: one("server", "The server of a tool, with --arguments"),
        arguments: one("arguments", "A JSON Schema of arguments, with --from"),
        action: one("action", "The action, with --target"),
        target: one("target", "Exactly this target"),
        covers: many("covers", "An example of what is covered (repeatable)"),
        leaves: many("leaves", "An example of what is not (repeatable)"),
        deny: Options.boolean("deny").pipe(Options.withDescription("Says no instead of yes")),
        principal: one("principal", "Whose calls (default: local, or who was asked)"),
        reason: Options.text("reason").pipe(Options.withDescription("Shown with every call that it answers")),
        until: one("until", "The last day, as YYYY-MM-DD (default: 90 days from now)"),
        yes: Options.boolean("yes").pipe(Options.withAlias("y"), Options.withDescription("Keeps it without asking")),
        json: jsonOption,
        ...placeOptions
      },
      ({ action, commands, covers, leaves, path, prefixes, server, target, ...args }) =>
        stoppable(
          Effect.flatMap(Verbs.loadStandingAnswers, ({ runStandingAdd }) =>
            runStandingAdd({
              ...args,
              condition: {
                commands,
                prefixes,
                covers,
                leaves,
                path: Option.getOrNull(path),
                server: Option.getOrNull(server),
                arguments: Option.getOrNull(args.arguments),
                action: Option.getOrNull(action),
                target: Option.getOrNull(target)
              }
            })
          )
        )
    ).pipe(Command.withDescription("Shows what it would keep, asks, and keeps it")),
    Command.make("list", store, (args) =>
      stoppable(Effect.flatMap(Verbs.loadStandingAnswers, ({ runStandingList }) => runStandingList(args)))
    ).pipe(Command.withDescription("Every standing answer with its number")),
    Command.make(
      "test",
      {
        tool: Args.text({ name: "TOOL" }),
        args: Args.text({ name: "JSON" }).pipe(Args.withDefault("{}")),
        as: Options.text("as").pipe(Options.withPseudoName("PRINCIPAL"), Options.withDefault("local")),
        json: jsonOption,
        ...placeOptions
      },
      (args) => stoppable(Effect.flatMap(Verbs.loadStandingAnswers, ({ runStandingTest }) => runStandingTest(args)))
    ).pipe(Command.withDescription("Which of them would answer a call, and why not; nothing is done")),
    Command.make("remove", { number: Args.integer({ name: "N" }), ...store }, (args) =>
      stoppable(Effect.flatMap(Verbs.loadStandingAnswers, ({ runStandingRemove }) => runStandingRemove(args)))
    ).pipe(Command.withDescription("Takes one back"))
  ])
)

/** The questions of a home, and the answers that its owner gives in advance. */
export const approvals = Command.make("approvals").pipe(
  Command.withDescription("The questions that are open, whichever process asked them, and their answers"),
  Command.withSubcommands([
    Command.make(
      "list",
      { all: Options.boolean("all").pipe(Options.withDescription("Answered ones too")), ...store },
      (args) => stoppable(Effect.flatMap(Verbs.loadApprovals, ({ runApprovalsList }) => runApprovalsList(args)))
    ).pipe(Command.withDescription("The open questions")),
    Command.make("show", { id, ...store }, (args) =>
      stoppable(Effect.flatMap(Verbs.loadApprovals, ({ runApprovalsShow }) => runApprovalsShow(args)))
    ).pipe(Command.withDescription("One question, with the reasons why it is asked")),
    Command.make(
      "allow",
      {
        id,
        session: Options.boolean("session").pipe(
          Options.withDescription("For the whole session, where it may be kept")
        ),
        ...store
      },
      ({ session, ...args }) =>
        stoppable(
          Effect.flatMap(Verbs.loadApprovals, ({ runApprovalsAnswer }) =>
            runApprovalsAnswer({ ...args, answer: session ? "always_allow_for_session" : "allow" })
          )
        )
    ).pipe(Command.withDescription("Allows what is asked; the first answer counts")),
    Command.make("deny", { id, ...store }, (args) =>
      stoppable(
        Effect.flatMap(Verbs.loadApprovals, ({ runApprovalsAnswer }) => runApprovalsAnswer({ ...args, answer: "deny" }))
      )
    ).pipe(Command.withDescription("Denies what is asked; the first answer counts")),
    Command.make("watch", store, (args) =>
      stoppable(Effect.flatMap(Verbs.loadApprovals, ({ runApprovalsWatch }) => runApprovalsWatch(args)))
    ).pipe(Command.withDescription("Shows each question as it comes")),
    standing
  ])
)
