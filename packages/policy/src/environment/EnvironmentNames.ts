/** Names of environment variables: which are legal, which a child inherits, which decide what a child does. */

export type EnvironmentPlatform = "posix" | "windows"

/** A letter or an underscore, then letters, digits and underscores (POSIX.1-2024, XBD 3.216 and 8.1). */
export const isEnvironmentName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)

/** Windows disregards the letter case of a name; POSIX does not. */
export const foldEnvironmentName = (name: string, platform: EnvironmentPlatform): string =>
  platform === "windows" ? name.toUpperCase() : name

/**
 * What a child gets from the host's own environment: where programs, languages, time and temporary files are, and what
 * the terminal can show. Nothing else; what is not listed need not be recognised.
 *
 * Sources: POSIX.1-2024 XBD 8.2 and glibc's locale(7) for the locale; environ(7); for Windows what `CreateProcess` and
 * the C runtime need to start a program at all.
 */
export const inheritedNames: Readonly<Record<EnvironmentPlatform, ReadonlyArray<string>>> = {
  posix: [
    "PATH",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_ADDRESS",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_IDENTIFICATION",
    "LC_MEASUREMENT",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NAME",
    "LC_NUMERIC",
    "LC_PAPER",
    "LC_TELEPHONE",
    "LC_TIME",
    "TZ",
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "TMPDIR",
    "TMP",
    "TEMP"
  ],
  windows: [
    "PATH",
    "PATHEXT",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "OS",
    "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE",
    "LANG",
    "LC_ALL",
    "TZ",
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "TMP",
    "TEMP"
  ]
}

/** The variables that say where a home is. They name the private folder, unless the host's owner chose the host's. */
export const homeNames: Readonly<Record<EnvironmentPlatform, ReadonlyArray<string>>> = {
  posix: ["HOME"],
  windows: ["HOME", "USERPROFILE"]
}

/** Whether `name` is one of Gatehouse's own marks (the spawn id, say), which nobody else may set, in any letter case. */
export const isOwnName = (name: string): boolean => name.toUpperCase().startsWith("GATEHOUSE_")
