/** `gatehouse check path`: where a path leads, and how delicate that is. Cases in `test/vectors/sensitive-paths.json`. */
import { literalTree } from "@gatehouse/policy/paths/LiteralTree"
import { judgePath } from "@gatehouse/policy/paths/PathJudgement"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { decodeCase } from "./CaseInput.ts"
import type { CheckKind } from "./CheckKind.ts"

const LiteralNode = Schema.Union(
  Schema.Literal("file", "dir"),
  Schema.Struct({ link: Schema.String }),
  Schema.Struct({ hardlink: Schema.String }),
  Schema.Struct({ special: Schema.Literal("fifo", "socket", "device") })
)

/** The form of `test/vectors/sensitive-paths.json`. */
const PathCase = Schema.Struct({
  workspace: Schema.String,
  home: Schema.String,
  path: Schema.String,
  base: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
  platform: Schema.optionalWith(Schema.Literal("posix", "windows"), { default: () => "posix" as const }),
  tree: Schema.optionalWith(Schema.Record({ key: Schema.String, value: LiteralNode }), { default: () => ({}) })
})

export const pathCheck: CheckKind = {
  name: "path",
  summary: "where does this path lead, and is it delicate?",
  decide: (input) =>
    Effect.map(decodeCase(PathCase, input), (question) => {
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
}
