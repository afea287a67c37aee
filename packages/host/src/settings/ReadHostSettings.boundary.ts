/** Reads the settings of a home. A missing file is an empty one; a wrong one stops the host and names the line. */

import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { ManifestFault } from "@gatehouse/catalog/manifests/ManifestFault"
import { renderFault } from "@gatehouse/catalog/manifests/ManifestFault"
import { type ReadManifest, readYamlFile, strictly } from "@gatehouse/catalog/manifests/YamlFile"
import type { ApprovalSettings } from "@gatehouse/core/PolicyMerge"
import { placeApprovalSettings } from "@gatehouse/policy/approvals/ApprovalSettingsBlock"
import { compileStandingAnswers } from "@gatehouse/policy/approvals/standing/StandingAnswers"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { HostSettings, settingsFileName } from "./HostSettings.ts"

/** The settings, and the approval block with the place of each setting. */
export interface PlacedHostSettings {
  readonly settings: HostSettings
  readonly approval: ApprovalSettings
  /** PEM texts that are trusted besides the public certificates. */
  readonly certificates: ReadonlyArray<string>
}

/** The file cannot be read, or says what no setting can be. */
export class HostSettingsError extends Data.TaggedError("HostSettingsError")<{
  readonly message: string
  readonly remedy: string
  readonly faults: ReadonlyArray<ManifestFault>
}> {}

/** The settings of the home at `root`. */
export const readHostSettings = (root: string): Effect.Effect<PlacedHostSettings, HostSettingsError> =>
  Effect.gen(function* () {
    const placed = yield* decodeSettings(yield* readSettingsText(root))
    const file = placed.settings.network.certificate_authorities
    return file === undefined ? placed : { ...placed, certificates: [yield* readCertificates(resolve(root, file))] }
  })

const readCertificates = (path: string): Effect.Effect<string, HostSettingsError> =>
  Effect.try({
    try: () => readFileSync(path, "utf8"),
    catch: () =>
      new HostSettingsError({
        message: `network.certificate_authorities: ${path} cannot be read`,
        remedy: "name a file of certificates in PEM, from the home's folder",
        faults: []
      })
  })

/** The text of the settings of the home at `root`; the empty text where there are none. */
export const readSettingsText = (root: string): Effect.Effect<string, HostSettingsError> =>
  Effect.suspend(() => {
    const path = join(root, settingsFileName)
    try {
      return Effect.succeed(readFileSync(path, "utf8"))
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return Effect.succeed("")
      return new HostSettingsError({
        message: `${path} cannot be read: ${error instanceof Error ? error.message : "unknown fault"}`,
        remedy: "make it a file that you may read, or remove it",
        faults: []
      })
    }
  })

/** The settings in `text`; its standing answers were tried against their own examples. */
export const decodeSettings = (text: string): Effect.Effect<PlacedHostSettings, HostSettingsError> =>
  Either.match(Either.flatMap(readYamlFile(settingsFileName, text, decode), withTriedAnswers), {
    onLeft: (faults) =>
      Effect.fail(
        new HostSettingsError({
          message: `the host's settings are not valid:\n${faults.map((fault) => `  ${renderFault(fault)}`).join("\n")}`,
          remedy: "correct the lines named above",
          faults
        })
      ),
    onRight: ({ origin, value }) =>
      Effect.succeed({
        settings: value,
        approval: placeApprovalSettings(value.approval, (path) => origin(["approval", ...path])),
        certificates: []
      })
  })

const decode = Schema.decodeUnknownEither(HostSettings, strictly)

const withTriedAnswers = (
  read: ReadManifest<HostSettings>
): Either.Either<ReadManifest<HostSettings>, ReadonlyArray<ManifestFault>> =>
  Either.mapBoth(compileStandingAnswers(read.value.standing_answers), {
    onLeft: ({ field, message, number }): ReadonlyArray<ManifestFault> => {
      const path = ["standing_answers", `${number - 1}`, ...field.split(".")]
      const told = message.slice(path.join(".").length + 2)
      return [
        {
          file: read.file,
          line: read.lineOf(path),
          field: path.join("."),
          code: "invalid_value",
          suggestion: null,
          message: told
        }
      ]
    },
    onRight: () => read
  })
