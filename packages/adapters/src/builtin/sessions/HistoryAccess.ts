/** What `session_search` needs of sessions: reading under the scope of a turn. */
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

export class HistoryAccess extends Context.Tag("@gatehouse/adapters/HistoryAccess")<
  HistoryAccess,
  Pick<Context.Tag.Service<typeof Sessions>, "get" | "list" | "messages" | "search">
>() {
  static readonly layer: Layer.Layer<HistoryAccess, never, Sessions> = Layer.effect(HistoryAccess, Sessions)
}
