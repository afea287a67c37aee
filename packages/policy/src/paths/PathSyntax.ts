/**
 * How a path is written on POSIX and on Windows, before anything is looked up.
 *
 * Sources: POSIX.1-2017 section 4.13 (pathname resolution); Microsoft, "Naming Files, Paths, and Namespaces" and "File
 * path formats on Windows systems" (drives, shares, devices, reserved names, what is dropped at the end of a name).
 */

export type PathPlatform = "posix" | "windows"

/** A place from the root. Components are plain: no dots, no empty ones. */
export interface Place {
  /** Empty on POSIX; `C:`, `\\server\share`, or empty (the root of the current drive) on Windows. */
  readonly root: string
  readonly parts: ReadonlyArray<string>
}

/** A path as it was written, taken apart; `..` and `.` are still among the components. */
export interface WrittenPath {
  /** Null where the path is relative to a folder. */
  readonly root: string | null
  /** Whether it begins at the home directory. */
  readonly fromHome: boolean
  readonly components: ReadonlyArray<string>
  /** Why nothing at this path is ever opened; null where the spelling is in order. */
  readonly refused: string | null
  /** Why a person should look at it, although it can be opened. */
  readonly doubtful: string | null
}

/** Bytes of one name: NAME_MAX of the usual file systems. */
const nameLimit = 255
/** Bytes of a whole resolved path: PATH_MAX without its final null byte. Windows takes 32,767 UTF-16 units. */
const pathLimit = { posix: 4095, windows: 32_767 } as const
/** Characters of a path as it is written; longer ones are not even looked at. */
export const writtenPathLimit = 65_536

/**
 * Takes `text` apart.
 *
 * @example
 * writtenPath("src/../a.txt", "posix") // { root: null, fromHome: false, components: ["src", "..", "a.txt"], ... }
 * writtenPath("C:\\ws\\a.txt", "windows") // { root: "C:", components: ["ws", "a.txt"], ... }
 */
export const writtenPath = (text: string, platform: PathPlatform): WrittenPath => {
  const written = platform === "posix" ? writtenPosix(text) : writtenWindows(text)
  const refused = written.refused ?? refusedText(text) ?? refusedComponent(written.components, platform)
  return { ...written, refused, doubtful: doubtfulText(text) ?? written.doubtful }
}

/** The text of a place. */
export const placeText = (place: Place, platform: PathPlatform): string =>
  platform === "posix" ? `/${place.parts.join("/")}` : `${place.root}\\${place.parts.join("\\")}`

/** Why this place is too long to exist; null where it is not. */
export const tooLong = (text: string, platform: PathPlatform): string | null => {
  const length = platform === "posix" ? Buffer.byteLength(text) : text.length
  return length > pathLimit[platform] ? `is longer than ${pathLimit[platform]} bytes` : null
}

/** Whether two roots or names are one. Windows disregards the case of letters; only ASCII is certain to be folded. */
export const sameName = (left: string, right: string, platform: PathPlatform): boolean =>
  left === right || (platform === "windows" && upperAscii(left) === upperAscii(right))

const upperAscii = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())

const writtenPosix = (text: string): WrittenPath => {
  const fromHome = text === "~" || text.startsWith("~/")
  const components = (fromHome ? text.slice(1) : text).split("/").filter((component) => component !== "")
  return { root: text.startsWith("/") ? "" : null, fromHome, components, refused: null, doubtful: null }
}

const writtenWindows = (text: string): WrittenPath => {
  const slashed = text.replaceAll("/", "\\")
  if (/^~(?:\\|$)/.test(slashed)) return windowsPath(null, slashed.slice(1), true)
  const verbatim = /^\\\\\?\\(?:(UNC\\)|([A-Za-z]:)(?=\\|$))(.*)$/is.exec(slashed)
  if (verbatim !== null) {
    return verbatim[1] === undefined
      ? windowsPath(verbatim[2] ?? "", verbatim[3] ?? "", false)
      : writtenWindows(`\\\\${verbatim[3] ?? ""}`)
  }
  if (/^\\\\[.?]\\|^\\\?\?\\/.test(slashed)) return refusedPath(slashed, "names a device")
  const share = /^\\\\([^\\]+)\\+([^\\]+)(.*)$/s.exec(slashed)
  if (share !== null) return windowsPath(`\\\\${share[1]}\\${share[2]}`, share[3] ?? "", false)
  if (slashed.startsWith("\\\\")) return refusedPath(slashed, "names a server without a share")
  const drive = /^([A-Za-z]:)(\\?)(.*)$/s.exec(slashed)
  if (drive !== null) {
    const path = windowsPath(drive[1] ?? "", drive[3] ?? "", false)
    return drive[2] === "\\" ? path : { ...path, refused: path.refused ?? "is relative to another folder of its drive" }
  }
  return windowsPath(slashed.startsWith("\\") ? "" : null, slashed, false)
}

const windowsPath = (root: string | null, rest: string, fromHome: boolean): WrittenPath => {
  const written = rest.split("\\").filter((component) => component !== "")
  // Windows drops dots and blanks at the end of every name.
  const components = written.map((name) => (name === "." || name === ".." ? name : name.replace(/[. ]+$/, "")))
  const refused = components.includes("")
    ? "holds a name of dots or blanks only"
    : components.some((name) => /[<>"|?*\p{Cc}]/u.test(name))
      ? "holds characters that Windows does not allow"
      : components.some((name) => name.includes(":"))
        ? "names a stream of a file"
        : components.some((name) => reservedName.test(name))
          ? "names a device"
          : null
  const doubtful = components.some((name) => /~\d/.test(name))
    ? "holds a short name, which may stand for another"
    : null
  return { root, fromHome, components: components.filter((name) => name !== ""), refused, doubtful }
}

const refusedPath = (text: string, refused: string): WrittenPath => ({
  root: "\\\\?",
  fromHome: false,
  components: text.split("\\").filter((component) => component !== ""),
  refused,
  doubtful: null
})

/** Devices in every folder, whatever extension follows. */
const reservedName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\..*)?$/i

const refusedText = (text: string): string | null => {
  if (text === "") return "is empty"
  if (text.includes("\0")) return "holds a null byte"
  if (/\p{Surrogate}/u.test(text)) return "holds half of a character"
  return text.length > writtenPathLimit ? `is longer than ${writtenPathLimit} characters` : null
}

const refusedComponent = (components: ReadonlyArray<string>, platform: PathPlatform): string | null => {
  const long = (name: string) => (platform === "posix" ? Buffer.byteLength(name) : name.length) > nameLimit
  return components.some(long) ? `holds a name of more than ${nameLimit} bytes` : null
}

/** Line breaks, escapes and marks that turn the direction of writing: what a person is shown is not what is there. */
const doubtfulText = (text: string): string | null =>
  /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(text) ? "holds characters that cannot be seen" : null
