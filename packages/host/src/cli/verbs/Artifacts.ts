/** `gatehouse artifacts`: what was too large for a result. */

import { ArtifactId } from "@gatehouse/core/Identifiers"
import { inertJson } from "@gatehouse/policy/redaction/TerminalText"
import { type ArtifactSummary, Artifacts } from "@gatehouse/process/Artifacts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { homeLayer } from "../../home/HostHome.boundary.ts"
import { readHostSettings } from "../../settings/ReadHostSettings.boundary.ts"
import { copyToOutput } from "../CopyFile.boundary.ts"
import { CommandFailed } from "../ExitStatus.ts"
import { homeFolder } from "../GlobalOptions.ts"
import { Invocation } from "../Invocation.ts"
import { Output } from "../Output.ts"
import { table } from "../render/Table.ts"

export interface ArtifactsArguments {
  readonly home: Option.Option<string>
  readonly json: boolean
}

const failed = ({
  message,
  reason,
  remedy
}: {
  readonly message: string
  readonly reason?: string
  readonly remedy: string
}): CommandFailed => new CommandFailed({ status: reason === "not_found" ? "not_found" : "failed", message, remedy })

const artifactsLayer = (home: Option.Option<string>) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const root = homeFolder(home, yield* Invocation)
      const { settings } = yield* Effect.mapError(readHostSettings(root), failed)
      return Layer.mapError(
        Layer.provide(Artifacts.layer({ quotaBytes: settings.artifacts.quota_mib * 1024 * 1024 }), homeLayer(root)),
        failed
      )
    })
  )

export const runArtifactsList = Effect.fn("gatehouse artifacts list")(
  function* (args: ArtifactsArguments) {
    const output = yield* Output
    const all = yield* Effect.flatMap(Artifacts, ({ list }) => list)
    yield* show(all, args.json, "no artifacts", output)
  },
  Effect.mapError(failed),
  (effect, args) => Effect.provide(effect, artifactsLayer(args.home))
)

/** Copies the file to standard output; with `follow` also what is still being written. */
export const runArtifactsShow = Effect.fn("gatehouse artifacts show")(
  function* (args: ArtifactsArguments & { readonly id: string; readonly follow: boolean }) {
    const artifacts = yield* Artifacts
    const id = ArtifactId(args.id)
    const path = yield* Effect.mapError(artifacts.locate(id), failed)
    const isGrowing = Effect.map(Effect.mapError(artifacts.list, failed), (all) =>
      all.some((one) => one.id === id && one.inUse)
    )
    yield* copyToOutput(path, args.follow ? isGrowing : Effect.succeed(false))
  },
  (effect, args) => Effect.provide(effect, artifactsLayer(args.home))
)

export const runArtifactsPrune = Effect.fn("gatehouse artifacts prune")(
  function* (args: ArtifactsArguments & { readonly keepMib: number }) {
    const output = yield* Output
    const gone = yield* Effect.flatMap(Artifacts, ({ prune }) => prune(args.keepMib * 1024 * 1024))
    yield* show(gone, args.json, "nothing had to go", output)
  },
  Effect.mapError(failed),
  (effect, args) => Effect.provide(effect, artifactsLayer(args.home))
)

const show = (all: ReadonlyArray<ArtifactSummary>, json: boolean, none: string, output: typeof Output.Service) =>
  output.result(
    json
      ? inertJson(all, 2)
      : all.length === 0
        ? none
        : table(
            ["ID", "NAME", "BYTES", "MADE", "STATE"],
            all.map(({ bytes, createdAt, id, inUse, name }) => [
              id,
              name,
              String(bytes),
              new Date(createdAt).toISOString(),
              inUse ? "in use" : "whole"
            ]),
            output
          )
  )
