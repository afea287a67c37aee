/** The verbs of the `gatehouse` command: their words and their help. What a verb does is loaded when it is asked for. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { viewNames } from "@gatehouse/core/View"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { jsonOption, placeOptions } from "./GlobalOptions.ts"
import { stoppable } from "./Stoppable.ts"
import * as Verbs from "./Verbs.boundary.ts"

const call = Command.make(
  "call",
  {
    tool: Args.text({ name: "TOOL" }).pipe(Args.withDescription("A name of the catalog")),
    args: Args.text({ name: "JSON" }).pipe(
      Args.withDescription("The arguments; - reads them from standard input"),
      Args.withDefault("{}")
    ),
    approve: Options.choice("approve", ["ask", "once", "session", "never"]).pipe(
      Options.withDescription("Who answers a question (default: ask on a terminal, never elsewhere)"),
      Options.optional
    ),
    view: Options.choice("view", [...viewNames, "all"]).pipe(
      Options.withDescription("Whose view is shown"),
      Options.withDefault("model" as const)
    ),
    json: jsonOption,
    ...placeOptions
  },
  (args) => Effect.flatMap(Verbs.loadCall, ({ runCall }) => runCall(args))
).pipe(Command.withDescription("One effect through all eight stages"))

const check = Command.make(
  "check",
  {
    kind: Args.text({ name: "KIND" }).pipe(
      Args.withDescription("command, url, env, path, tool-name, capability, approval, redact, manifest, call or all")
    ),
    rest: Args.text({ name: "FILE" }).pipe(
      Args.withDescription("A case or an array of {id, input}; - is standard input; or the command or URL itself"),
      Args.repeated
    ),
    expect: Options.text("expect").pipe(
      Options.withDescription("Cases with what each must answer: fails where one does not"),
      Options.withPseudoName("FILE"),
      Options.optional
    ),
    json: jsonOption,
    ...placeOptions
  },
  ({ expect, json, kind, rest }) =>
    stoppable(
      Effect.flatMap(Verbs.loadCheck, ({ runCheck }) =>
        runCheck({ kind, source: rest[0] ?? "-", json, expect: Option.getOrNull(expect) })
      )
    )
).pipe(Command.withDescription("Policy questions, answered without doing anything"))

const catalogDiff = Command.make(
  "diff",
  {
    before: Args.text({ name: "A" }).pipe(
      Args.withDescription("A catalog's id (or its beginning), or a file of `catalog --json`")
    ),
    after: Args.text({ name: "B" }),
    json: jsonOption,
    ...placeOptions
  },
  (args) => stoppable(Effect.flatMap(Verbs.loadCatalog, ({ runCatalogDiff }) => runCatalogDiff(args)))
).pipe(Command.withDescription("What changed between two turns"))

const catalog = Command.make("catalog", { json: jsonOption, ...placeOptions }, (args) =>
  stoppable(Effect.flatMap(Verbs.loadCatalog, ({ runCatalog }) => runCatalog(args)))
).pipe(
  Command.withDescription("Every tool: source, capability, risk, effective policy and the setting that decided it"),
  Command.withSubcommands([catalogDiff])
)

const doctor = Command.make("doctor", { json: jsonOption, ...placeOptions }, (args) =>
  stoppable(Effect.flatMap(Verbs.loadDoctor, ({ runDoctor }) => runDoctor(args)))
).pipe(Command.withDescription("What is wrong with this home, core and machine, and how to mend it"))

const init = Command.make(
  "init",
  {
    folder: Args.text({ name: "DIR" }).pipe(Args.withDescription("Where it goes"), Args.withDefault(".")),
    json: jsonOption
  },
  (args) => stoppable(Effect.flatMap(Verbs.loadInit, ({ runInit }) => runInit(args)))
).pipe(Command.withDescription("A small agent core that works at once"))

const serve = Command.make("serve", placeOptions, (args) =>
  Effect.flatMap(Verbs.loadServe, ({ runServe }) => runServe(args))
).pipe(Command.withDescription("The governed MCP endpoint, on standard input and output"))

const tour = Command.make("tour", {}, () => stoppable(Effect.flatMap(Verbs.loadTour, ({ runTour }) => runTour()))).pipe(
  Command.withDescription("What Gatehouse does, in twenty seconds, on a throw-away core")
)

/** The whole command. */
export const gatehouse = Command.make("gatehouse").pipe(
  Command.withDescription("A host-owned effect runtime for LLM agents: the host alone decides."),
  Command.withSubcommands([tour, init, catalog, call, check, serve, doctor])
)
