/**
 * Places whose loss is ruin: the root, homes, folders of the system, raw devices. Text alone decides.
 *
 * Sources: Filesystem Hierarchy Standard 3.0; hier(7); macOS "File System Programming Guide"; the device names of the
 * Linux kernel's admin guide (devices.txt).
 */
import { homeMark } from "./Argument.ts"

/** Whether the file at `path` is a disk, a partition, or the memory of the machine. */
export const isRawDevice = (path: string): boolean =>
  path.startsWith("/dev/") &&
  /^\/dev\/(?:(?:sd|hd|vd|xvd|sr|st)[a-z*?[\d]|(?:nvme|mmcblk|disk|rdisk|dm-|md|loop|nbd|ram|zram|mtd|pmem)[\d*?[]|(?:mapper|disk|block|md|vg[^/]*)\/|(?:k?mem|port)$)/.test(
    path
  )

/**
 * Whether removing or rewriting everything at `path` is ruin. `path` is absolute and without dots, or begins with
 * {@link homeMark}; patterns of the shell may stand in it.
 *
 * @example
 * isRuinousPlace("/usr/*")    // true
 * isRuinousPlace("/home/me")  // true
 * isRuinousPlace("/tmp/build") // false
 */
export const isRuinousPlace = (path: string): boolean => {
  if (isRawDevice(path)) return true
  const parts = path.split("/").filter((part) => part !== "")
  if (path.startsWith(homeMark)) return coversAll(parts.slice(1)) || escapes(parts.slice(1))
  if (coversAll(parts)) return true
  const [top = "", second = "", ...rest] = parts
  // A pattern right below the root takes folders of the system with it.
  if (isPattern(top) && !top.startsWith("tmp")) return true
  if (!systemFolders.has(top)) return false
  if (coversAll(parts.slice(1))) return true
  if (homeFolders.has(top)) return coversAll(rest)
  return (systemSubfolders[top]?.has(second) ?? false) && coversAll(rest)
}

/** Nothing more, or a pattern for everything. */
const coversAll = (rest: ReadonlyArray<string>): boolean =>
  rest.every(
    (part) => part === "*" || part === "**" || part === ".*" || part === "." || part === "?*" || part === "{*,.*}"
  )

const escapes = (rest: ReadonlyArray<string>): boolean => rest[0] === ".."

const isPattern = (part: string): boolean => /[*?[{]/.test(part)

const homeFolders = new Set(["home", "Users"])

const systemFolders = new Set(
  `bin boot dev etc home lib lib32 lib64 libx32 media mnt nix opt proc root run sbin srv sys usr var Applications
    Library System Users Volumes private`.split(/\s+/)
)

const systemSubfolders: Readonly<Record<string, ReadonlySet<string>>> = {
  usr: new Set(["bin", "include", "lib", "lib32", "lib64", "libexec", "local", "sbin", "share", "src"]),
  var: new Set(["backups", "cache", "db", "lib", "log", "mail", "opt", "run", "spool", "www"]),
  private: new Set(["etc", "var"]),
  lib: new Set(["modules", "systemd", "firmware"]),
  boot: new Set(["efi", "grub"]),
  nix: new Set(["store"])
}
