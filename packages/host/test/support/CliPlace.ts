/** A throw-away place for commands: core, workspace, home, and what they said. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Invocation } from "@gatehouse/host/cli/Invocation"
import { Output } from "@gatehouse/host/cli/Output"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

export interface CliPlace {
  readonly root: string
  readonly home: string
  readonly core: string
  readonly workspace: string
  /** Lines of standard output and standard error. */
  readonly said: { readonly result: Array<string>; readonly note: Array<string>; readonly live: Array<string> }
  readonly places: {
    readonly core: Option.Option<string>
    readonly workspace: Option.Option<string>
    readonly home: Option.Option<string>
  }
  readonly stop: AbortController
}

/** Files by their path below `home`, `core` and `workspace`; removed when the scope closes. */
export const cliPlace = (files: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync((): CliPlace => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-cli-")))
      const [home, core, workspace] = [join(root, "home"), join(root, "core"), join(root, "workspace")]
      mkdirSync(workspace)
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true })
        writeFileSync(join(root, path), text)
      }
      const places = { core: Option.some(core), workspace: Option.some(workspace), home: Option.some(home) }
      return {
        root,
        home,
        core,
        workspace,
        places,
        said: { result: [], note: [], live: [] },
        stop: new AbortController()
      }
    }),
    ({ root }) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
  )

/** What a command stands on; `interactive` says whether a person can be asked. */
export const commandLayer = (place: CliPlace, interactive = false) =>
  Layer.mergeAll(
    Layer.succeed(Output, {
      result: (text) => Effect.sync(() => void place.said.result.push(text)),
      note: (text) => Effect.sync(() => void place.said.note.push(text)),
      live: (_, text) => void place.said.live.push(text),
      colours: false,
      interactive,
      columns: 100
    }),
    Layer.succeed(Invocation, {
      environment: { PATH: "/usr/bin:/bin", HOME: place.root },
      program: ["gatehouse"],
      cwd: place.workspace,
      userHome: place.root,
      nodeVersion: "v20.0.0",
      stop: place.stop.signal,
      requestStop: () => place.stop.abort()
    })
  )
