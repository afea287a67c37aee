/** Changes the standing answers in the settings of a home: checked before, whole or not at all, readable by the owner alone. */

import { randomBytes } from "node:crypto"
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { canonicalJson } from "@gatehouse/core/Fingerprint"
import { freezeJson } from "@gatehouse/core/Json"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { makeFolder } from "../home/MakeFolder.boundary.ts"
import { type HostSettings, settingsFileName } from "./HostSettings.ts"
import { decodeSettings, HostSettingsError, readSettingsText } from "./ReadHostSettings.boundary.ts"

/**
 * Puts `edit` to the text of the settings of the home at `root`, and writes what it gives. Refused, and nothing written,
 * where the settings are not valid before or after, where anything but the standing answers would say something else,
 * and where the file changes meanwhile.
 */
export const changeStandingAnswers = (
  root: string,
  edit: (text: string) => Either.Either<string, string>
): Effect.Effect<HostSettings, HostSettingsError> =>
  Effect.gen(function* () {
    const before = yield* readSettingsText(root)
    const { settings: held } = yield* decodeSettings(before)
    const after = yield* Effect.mapError(
      Effect.suspend(() => edit(before)),
      unchanged
    )
    const { settings } = yield* decodeSettings(after)
    if (others(settings) !== others(held)) {
      return yield* unchanged("the edit would change other settings; edit the file by hand")
    }
    yield* Effect.try({
      try: () => replace(root, before, after),
      catch: (error) => (error instanceof HostSettingsError ? error : unwritable(root, error))
    })
    return settings
  })

const others = (settings: HostSettings): string =>
  Either.match(freezeJson({ ...settings, standing_answers: [] }), {
    onLeft: ({ path }) => path,
    onRight: canonicalJson
  })

const replace = (root: string, before: string, after: string): void => {
  makeFolder(root, 0o700)
  const path = placeOf(join(root, settingsFileName))
  const fresh = `${path}.${randomBytes(8).toString("hex")}`
  try {
    writePrivate(fresh, after)
    if (textAt(path) !== before) throw unchanged("the settings changed meanwhile; give the command again")
    renameSync(fresh, path)
  } finally {
    rmSync(fresh, { force: true })
  }
}

/** Where a link leads: what takes its place would cut it off from what it points at. */
const placeOf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch (error) {
    if (isMissing(error)) return path
    throw error
  }
}

const textAt = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if (isMissing(error)) return ""
    throw error
  }
}

const writePrivate = (path: string, text: string): void => {
  const file = openSync(path, "wx", 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  chmodSync(path, 0o600)
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"

const unchanged = (message: string): HostSettingsError =>
  new HostSettingsError({ message, remedy: "nothing was written", faults: [] })

const unwritable = (root: string, error: unknown): HostSettingsError =>
  new HostSettingsError({
    message: `${join(root, settingsFileName)} cannot be written: ${error instanceof Error ? error.message : "unknown fault"}`,
    remedy: "make the home a folder that you may write; nothing was changed",
    faults: []
  })
