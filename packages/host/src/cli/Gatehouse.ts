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
import { artifacts, events, sessions, tasks } from "./RecordsCommands.ts"
import { stoppable } from "./Stoppable.ts"
import { backup, restore, store } from "./StoreCommands.ts"
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
          "replay: how would the calls of this home fare today?",
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
    since: Options.text("since").pipe(
      Options.withDescription("With replay: how far back, as 12h or 7d"),
      Options.withPseudoName("SPAN"),
      Options.withDefault("7d")
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
    readonly since: string
    readonly json: boolean
  }
) => {
  if (args.kind === "call") return Effect.flatMap(Verbs.loadCheckCall, ({ runCheckCall }) => runCheckCall(args))
  if (args.kind === "all") return Effect.flatMap(Verbs.loadCheckAll, ({ runCheckAll }) => runCheckAll(args))
  if (args.kind === "replay") return Effect.flatMap(Verbs.loadCheckReplay, ({ runCheckReplay }) => runCheckReplay(args))
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

const doctor = Command.make(
  "doctor",
  {
    canary: Options.boolean("canary").pipe(
      Options.withDescription("Plants secrets in a throw-away host, and searches everything that comes out for them")
    ),
    json: jsonOption,
    ...placeOptions
  },
  ({ canary, ...args }) =>
    stoppable(
      canary
        ? Effect.flatMap(Verbs.loadCanary, ({ runCanaryVerb }) => runCanaryVerb(args))
        : Effect.flatMap(Verbs.loadDoctor, ({ runDoctor }) => runDoctor(args))
    )
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

const server = Args.text({ name: "SERVER" })
const homeOptions = { json: jsonOption, home: homeOption }

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
    Command.make("logs", { server, ...homeOptions }, (args) =>
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
    store,
    backup,
    restore,
    doctor
  ])
)
