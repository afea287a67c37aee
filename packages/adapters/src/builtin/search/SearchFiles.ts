/** `search_files`: names and contents, through ripgrep, which respects ignore files. */

import { basename, dirname } from "node:path"
import { type AdapterOutput, textOutput } from "@gatehouse/core/AdapterOutcome"
import { AdapterError } from "@gatehouse/core/EffectError"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import { sensitiveGlobs } from "@gatehouse/policy/paths/SensitivePlaces"
import type { ProcessError } from "@gatehouse/process/ProcessError"
import type { ProcessExit, Processes } from "@gatehouse/process/Processes"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import { builtinEntry } from "../BuiltinTool.ts"
import { filePlan, type PathJudge, type PlannedPath, planPath, stillAsPlanned } from "../files/FilePlan.ts"
import { fileError } from "../files/FileProblem.ts"
import { type Findings, makeFindings, resultLimit, searchedCharacters } from "./Findings.ts"
import { ripgrepPath } from "./RipgrepProgram.boundary.ts"

/** Results of one answer where none are asked for. */
const defaultResults = 50
/** Milliseconds between asking ripgrep to end and ending it: it holds nothing that would need care. */
const graceMillis = 250

const Arguments = Schema.Struct({
  query: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(1000)).annotations({
    description: "Text to look for; without capital letters it finds any letter case."
  }),
  in: Schema.optionalWith(
    Schema.Literal("content", "names").annotations({
      description: "content (the default) looks into files; names looks at their paths, where a glob may be given too."
    }),
    { default: () => "content" as const }
  ),
  path: Schema.optionalWith(
    Schema.String.pipe(Schema.minLength(1), Schema.maxLength(8192)).annotations({
      description: "Folder or file to search, relative to the workspace or absolute; the workspace by default."
    }),
    { default: () => "." }
  ),
  glob: Schema.optionalWith(
    Schema.NullOr(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(256))).annotations({
      description: "Only files with such a path, like *.ts or src/**/*.{js,ts}."
    }),
    { default: () => null }
  ),
  regex: Schema.optionalWith(
    Schema.Boolean.annotations({ description: "query is a regular expression (Rust syntax); false by default." }),
    { default: () => false }
  ),
  limit: Schema.optionalWith(
    Schema.Number.pipe(Schema.int(), Schema.between(1, resultLimit)).annotations({
      description: `Results wanted, ${defaultResults} by default, ${resultLimit} at most.`
    }),
    { default: () => defaultResults }
  )
})

type SearchArguments = typeof Arguments.Type

interface Prepared extends PlannedPath {
  readonly args: SearchArguments
}

export const searchFilesEntry = (
  workspaces: PathJudge,
  processes: Context.Tag.Service<typeof Processes>
): SourceEntry =>
  builtinEntry<SearchArguments, typeof Arguments.Encoded, Prepared>({
    name: "search_files",
    description: "Searches file contents or names. Ignored files, and places that hold credentials, are left out.",
    arguments: Arguments,
    capability: "fs.read",
    toolset: "coding",
    risk: "low",
    policy: "auto",
    readOnly: true,
    plan: (args, turn) => {
      const planned = planPath(workspaces, args.path, turn, "read")
      if (planned instanceof PlanRefused) return planned
      const { glob, limit, query, regex } = args
      return filePlan({
        action: "search",
        use: "read",
        prepared: { ...planned, args },
        risk: "low",
        preview: { path: planned.shown, query, in: args.in, glob, regex, limit }
      })
    },
    run: Effect.fnUntraced(function* ({ call, prepared }) {
      const { args, shown, verdict } = prepared
      if (!verdict.exists) return yield* fileError(shown, "missing")
      if (!stillAsPlanned(workspaces, prepared, call.turn, "read")(verdict.identity)) {
        return yield* fileError(shown, "changed")
      }
      const program = yield* ripgrepPath
      const isFolder = verdict.type === "directory"
      const folder = isFolder ? verdict.resolved : dirname(verdict.resolved)
      const findings = makeFindings({ ...args, folder, workspace: call.turn.workspace, root: verdict, workspaces })
      const full = yield* Deferred.make<void>()
      const running = yield* Effect.mapError(
        processes.spawn({
          command: program,
          args: [...ripgrepArguments(args, verdict.sensitive), isFolder ? "./" : `./${basename(verdict.resolved)}`],
          cwd: folder,
          environment: { LC_ALL: "C.UTF-8" },
          stdin: null,
          graceMillis,
          limits: {},
          sandbox: "none",
          mask: null,
          artifact: false,
          onOutput: null,
          onStdoutBytes: (bytes) => {
            if (findings.push(bytes)) Deferred.unsafeDone(full, Exit.void)
          },
          label: "search_files"
        }),
        searchError
      )
      const stopped = Effect.as(Effect.zipRight(Deferred.await(full), running.end), null)
      const exit = yield* Effect.raceFirst(running.exit, stopped).pipe(
        Effect.mapError(searchError),
        Effect.onInterrupt(() => Effect.sync(() => call.witness.output(outputOf(prepared, findings, null))))
      )
      const failed = exit !== null && exit.exitCode !== 0 && exit.exitCode !== 1
      if (failed && findings.results().length === 0) return yield* refusedSearch(args, exit)
      return { status: "succeeded" as const, output: outputOf(prepared, findings, failed ? exit : null) }
    })
  })

/** No configuration of the user's, no program for other formats, no links; sorted, so that an answer can be repeated. */
const ripgrepArguments = (args: SearchArguments, delicate: boolean): ReadonlyArray<string> => [
  "--no-config",
  "--hidden",
  "--no-require-git",
  "--no-follow",
  "--sort=path",
  ...(delicate ? [] : sensitiveGlobs().map((glob) => `--iglob=!${glob}`)),
  ...(args.in === "names"
    ? ["--files", "--null"]
    : [
        "--json",
        "--smart-case",
        `--max-count=${resultLimit}`,
        "--regex-size-limit=8M",
        ...(args.regex ? [] : ["--fixed-strings"]),
        `--regexp=${args.query}`
      ]),
  "--"
]

const searchError = (error: ProcessError): AdapterError =>
  new AdapterError({
    reason: error.reason,
    message: `the search could not be made: ${error.message}`,
    remedy: error.remedy,
    mayHaveHappened: false
  })

const refusedSearch = (args: SearchArguments, exit: ProcessExit): AdapterError => {
  const fault = exit.stderr.text.trim().split("\n").at(-1) ?? ""
  return new AdapterError({
    reason: "search",
    message: args.regex
      ? `query: is no regular expression that the search knows (${fault.slice(0, 200)})`
      : `the search ended with an error (${fault.slice(0, 200)})`,
    remedy: args.regex ? "mend the expression, or leave regex out" : "search a folder further down",
    mayHaveHappened: false
  })
}

const outputOf = (prepared: Prepared, findings: Findings, failed: ProcessExit | null): AdapterOutput => {
  const { args, shown } = prepared
  const results = findings.results()
  const notes = [
    findings.full() ? `more than ${results.length} results; narrow the query, the glob or the path` : null,
    findings.beyond() > 0 ? `matches beyond the first ${searchedCharacters} characters of a file are not shown` : null,
    findings.passedOver() > 0 ? `${findings.passedOver()} lines were too long to be looked at` : null,
    failed === null ? null : "parts of the folder could not be read"
  ].filter((note) => note !== null)
  const lines = results.map((result) =>
    result.line === null ? result.path : `${result.path}:${result.line}: ${result.text}`
  )
  const found = lines.length === 0 ? `nothing found in ${shown}` : lines.join("\n")
  return textOutput([found, ...notes.map((note) => `… ${note}`)].join("\n"), {
    path: shown,
    in: args.in,
    results: results.map(({ line, path, text }) => (line === null ? { path } : { path, line, text: text ?? "" })),
    truncated: findings.full(),
    notes
  })
}
