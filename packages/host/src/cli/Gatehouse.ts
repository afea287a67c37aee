/** The verbs of the `gatehouse` command: their words and their help. What a verb does is loaded when it is asked for. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { viewNames } from "@gatehouse/core/View"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { checkKindNames, checkKindSummary } from "../check/CheckKinds.boundary.ts"
import { clientIds } from "../clients/ClientProfiles.ts"
import { approvals } from "./ApprovalsCommand.ts"
import { coreOption, homeOption, jsonOption, type Places, placeOptions } from "./GlobalOptions.ts"
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
      Args.withDescription(
        [
          ...checkKindNames.map((name) => `${name}: ${checkKindSummary(name)}`),
          "call: how would this call fare, and why?",
          "all: do the expectations of a core hold (agent/policy)?"
        ].join("\n")
      )
    ),
    rest: Args.text({ name: "FILE" }).pipe(
      Args.withDescription(
        "A case or an array of {id, input}; - is standard input; or the command or URL itself; with call: TOOL JSON"
      ),
      Args.repeated
    ),
    expect: Options.text("expect").pipe(
      Options.withDescription("Cases with what each must answer (JSON or YAML): fails where one does not"),
      Options.withPseudoName("FILE"),
      Options.optional
    ),
    as: Options.text("as").pipe(
      Options.withDescription("With call: the principal whose call it would be"),
      Options.withPseudoName("PRINCIPAL"),
      Options.withDefault("local")
    ),
    json: jsonOption,
    ...placeOptions
  },
  ({ expect, ...args }) => stoppable(checkVerb({ ...args, expect: Option.getOrNull(expect) }))
).pipe(Command.withDescription("Policy questions, answered without doing anything"))

const checkVerb = (
  args: Places & {
    readonly kind: string
    readonly rest: ReadonlyArray<string>
    readonly expect: string | null
    readonly as: string
    readonly json: boolean
  }
) => {
  if (args.kind === "call") return Effect.flatMap(Verbs.loadCheckCall, ({ runCheckCall }) => runCheckCall(args))
  if (args.kind === "all") return Effect.flatMap(Verbs.loadCheckAll, ({ runCheckAll }) => runCheckAll(args))
  return Effect.flatMap(Verbs.loadCheck, ({ runCheck }) => runCheck(args))
}

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

const serve = Command.make(
  "serve",
  {
    http: Options.text("http").pipe(
      Options.withDescription("Serves Streamable HTTP there; a port alone is one of this machine"),
      Options.withPseudoName("HOST:PORT"),
      Options.optional
    ),
    allowRemote: Options.boolean("allow-remote").pipe(
      Options.withDescription("With --http: an address that other machines reach is meant")
    ),
    withoutToken: Options.boolean("without-token").pipe(
      Options.withDescription("With --http on this machine: lets in whoever runs a program here")
    ),
    names: Options.text("name").pipe(
      Options.withDescription("With --http: a name that clients reach it by; may be repeated"),
      Options.withPseudoName("HOST"),
      Options.repeated
    ),
    tlsCert: Options.text("tls-cert").pipe(Options.withPseudoName("FILE"), Options.optional),
    tlsKey: Options.text("tls-key").pipe(Options.withPseudoName("FILE"), Options.optional),
    ...placeOptions
  },
  (args) => Effect.flatMap(Verbs.loadServe, ({ runServe }) => runServe(args))
).pipe(Command.withDescription("The governed MCP endpoint, on standard input and output or over HTTP"))

const up = Command.make(
  "up",
  {
    port: Options.integer("port").pipe(Options.withDescription("0 takes one that is free"), Options.withDefault(8977)),
    ...placeOptions
  },
  (args) => Effect.flatMap(Verbs.loadUp, ({ runUp }) => runUp(args))
).pipe(Command.withDescription("The endpoint on this machine, with what to paste into each client"))

const connect = Command.make(
  "connect",
  {
    client: Args.choice(
      clientIds.map((id) => [id, id] as const),
      { name: "CLIENT" }
    ).pipe(Args.withDescription(clientIds.join(", "))),
    yes: Options.boolean("yes").pipe(Options.withAlias("y"), Options.withDescription("Writes without asking")),
    dryRun: Options.boolean("dry-run").pipe(Options.withDescription("Shows the change only")),
    json: jsonOption,
    ...placeOptions
  },
  (args) => stoppable(Effect.flatMap(Verbs.loadConnect, ({ runConnect }) => runConnect(args)))
).pipe(Command.withDescription("Puts the endpoint into a client's configuration, after showing what changes"))

const tokens = Command.make("tokens").pipe(
  Command.withDescription("Who may use the endpoint over HTTP"),
  Command.withSubcommands([
    Command.make(
      "create",
      {
        name: Args.text({ name: "NAME" }),
        principal: Options.text("principal").pipe(
          Options.withDescription("Whom it speaks for (default: a principal of the token's name)"),
          Options.optional
        ),
        json: jsonOption,
        home: homeOption
      },
      (args) => stoppable(Effect.flatMap(Verbs.loadTokens, ({ runTokensCreate }) => runTokensCreate(args)))
    ).pipe(Command.withDescription("A token of that name; shown once")),
    Command.make("list", { json: jsonOption, home: homeOption }, (args) =>
      stoppable(Effect.flatMap(Verbs.loadTokens, ({ runTokensList }) => runTokensList(args)))
    ).pipe(Command.withDescription("The tokens by name")),
    Command.make("revoke", { name: Args.text({ name: "NAME" }), json: jsonOption, home: homeOption }, (args) =>
      stoppable(Effect.flatMap(Verbs.loadTokens, ({ runTokensRevoke }) => runTokensRevoke(args)))
    ).pipe(Command.withDescription("Ends it, and the sessions that it opened"))
  ])
)

const importServers = Command.make(
  "import",
  {
    file: Args.text({ name: "FILE" }).pipe(
      Args.withDescription("JSON with mcpServers, or VS Code's servers; - is standard input")
    ),
    json: jsonOption,
    core: coreOption
  },
  (args) => stoppable(Effect.flatMap(Verbs.loadImport, ({ runImport }) => runImport(args)))
).pipe(Command.withDescription("Takes over the MCP servers of another client"))

const tour = Command.make("tour", {}, () => stoppable(Effect.flatMap(Verbs.loadTour, ({ runTour }) => runTour()))).pipe(
  Command.withDescription("What Gatehouse does, in twenty seconds, on a throw-away core")
)

const id = Args.text({ name: "ID" })
const store = { json: jsonOption, home: homeOption }

const events = Command.make(
  "events",
  {
    follow: Options.boolean("follow").pipe(
      Options.withAlias("f"),
      Options.withDescription("Also what comes, until Ctrl-C")
    ),
    session: Options.text("session").pipe(Options.withPseudoName("ID"), Options.optional),
    call: Options.text("call").pipe(
      Options.withDescription("One call's story"),
      Options.withPseudoName("ID"),
      Options.optional
    ),
    ...store
  },
  (args) => stoppable(Effect.flatMap(Verbs.loadEvents, ({ runEvents }) => runEvents(args)))
).pipe(
  Command.withDescription("What happened, in order; --json writes JSON Lines"),
  Command.withSubcommands([
    Command.make("verify", store, (args) =>
      stoppable(Effect.flatMap(Verbs.loadEvents, ({ runEventsVerify }) => runEventsVerify(args)))
    ).pipe(Command.withDescription("Whether the record is whole: a changed or missing event is found"))
  ])
)

const artifacts = Command.make("artifacts").pipe(
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

const sessions = Command.make("sessions").pipe(
  Command.withDescription("The sessions of this home"),
  Command.withSubcommands([
    Command.make("list", store, (args) =>
      stoppable(Effect.flatMap(Verbs.loadRecords, ({ runSessionsList }) => runSessionsList(args)))
    ).pipe(Command.withDescription("Most recently used first")),
    Command.make("show", { id, ...store }, (args) =>
      stoppable(Effect.flatMap(Verbs.loadRecords, ({ runSessionsShow }) => runSessionsShow(args)))
    ).pipe(Command.withDescription("One session with its messages"))
  ])
)

const tasks = Command.make("tasks").pipe(
  Command.withDescription("The background work of this home"),
  Command.withSubcommands([
    Command.make("list", store, (args) =>
      stoppable(Effect.flatMap(Verbs.loadRecords, ({ runTasksList }) => runTasksList(args)))
    ).pipe(Command.withDescription("Newest first")),
    Command.make("show", { id, ...store }, (args) =>
      stoppable(Effect.flatMap(Verbs.loadRecords, ({ runTasksShow }) => runTasksShow(args)))
    ).pipe(Command.withDescription("One task with the end of its log")),
    Command.make("cancel", { id, ...store }, (args) =>
      stoppable(Effect.flatMap(Verbs.loadRecords, ({ runTasksCancel }) => runTasksCancel(args)))
    ).pipe(Command.withDescription("Asks for its end"))
  ])
)

const server = Args.text({ name: "SERVER" })

const mcp = Command.make("mcp").pipe(
  Command.withDescription("The MCP servers of a core"),
  Command.withSubcommands([
    Command.make("list", { json: jsonOption, ...placeOptions }, (args) =>
      stoppable(Effect.flatMap(Verbs.loadMcp, ({ runMcpList }) => runMcpList(args)))
    ).pipe(Command.withDescription("What is declared; nothing is opened")),
    Command.make("test", { server, json: jsonOption, ...placeOptions }, (args) =>
      stoppable(Effect.flatMap(Verbs.loadMcp, ({ runMcpTest }) => runMcpTest(args)))
    ).pipe(Command.withDescription("Opens the servers, after the questions, and tells what became of one")),
    Command.make("approve", { server, json: jsonOption, ...placeOptions }, (args) =>
      stoppable(Effect.flatMap(Verbs.loadMcp, ({ runMcpApprove }) => runMcpApprove(args)))
    ).pipe(Command.withDescription("Accepts the definitions of its tools as they are now")),
    Command.make("logs", { server, ...store }, (args) =>
      stoppable(Effect.flatMap(Verbs.loadMcp, ({ runMcpLogs }) => runMcpLogs(args)))
    ).pipe(Command.withDescription("What it wrote beside the protocol, when it was last closed"))
  ])
)

/** The whole command. */
export const gatehouse = Command.make("gatehouse").pipe(
  Command.withDescription("A host-owned effect runtime for LLM agents: the host alone decides."),
  Command.withSubcommands([
    tour,
    init,
    importServers,
    catalog,
    call,
    check,
    serve,
    up,
    connect,
    tokens,
    mcp,
    approvals,
    events,
    sessions,
    tasks,
    artifacts,
    doctor
  ])
)
