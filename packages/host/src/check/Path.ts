/** `gatehouse check path`: where a path leads, and how delicate that is. Cases in `test/vectors/sensitive-paths.json`. */
import { literalTree } from "@gatehouse/policy/paths/LiteralTree"
import { judgePath } from "@gatehouse/policy/paths/PathJudgement"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { type CheckKind, CheckRefused } from "./CheckKind.ts"

const LiteralNode = Schema.Union(
  Schema.Literal("file", "dir"),
  Schema.Struct({ link: Schema.String }),
  Schema.Struct({ hardlink: Schema.String }),
  Schema.Struct({ special: Schema.Literal("fifo", "socket", "device") })
)

const PathCase = Schema.Struct({
  workspace: Schema.String,
  home: Schema.String,
  path: Schema.String,
  base: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
  platform: Schema.optionalWith(Schema.Literal("posix", "windows"), { default: () => "posix" as const }),
  tree: Schema.optionalWith(Schema.Record({ key: Schema.String, value: LiteralNode }), { default: () => ({}) })
})

const decodeCase = Schema.decodeUnknown(PathCase)

export const pathCheck: CheckKind = {
  name: "path",
  summary: "Where does this path lead, and is that place delicate?",
  decide: (input) =>
    decodeCase(input).pipe(
      Effect.mapError((error) => new CheckRefused({ message: ParseResult.TreeFormatter.formatErrorSync(error) })),
      Effect.map((question) => {
        const verdict = judgePath({ ...question, hostPlaces: [] }, literalTree(question.tree, question.platform))
        return {
          inside_workspace: verdict.insideWorkspace,
          sensitive: verdict.sensitive,
          read: verdict.read,
          write: verdict.write,
          resolved: verdict.resolved,
          exists: verdict.exists,
          type: verdict.type,
          rule: verdict.rule
        }
      })
    )
}
