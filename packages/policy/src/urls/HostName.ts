/** Names that are refused or opened before anybody is asked for their addresses. Compared label by label. */
import type { NetworkMode } from "./Address.ts"

/** Names, and all below them, that lead into the machine's own network. `private-allowed` opens them. */
export const localSuffixes: ReadonlyArray<{ readonly suffix: string; readonly source: string }> = [
  { suffix: "localhost", source: "RFC 6761" },
  { suffix: "localdomain", source: "customary" },
  { suffix: "local", source: "RFC 6762" },
  { suffix: "internal", source: "reserved by ICANN, 2024" },
  { suffix: "home.arpa", source: "RFC 8375" },
  { suffix: "onion", source: "RFC 7686" },
  { suffix: "svc", source: "Kubernetes services" }
]

/** Names under which clouds answer with credentials, and all below them: refused under every policy. */
export const metadataNames: ReadonlyArray<string> = [
  "api.metadata.cloud.ibm.com",
  "data-server",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata",
  "metadata.azure.internal",
  "metadata.goog",
  "metadata.google.internal",
  "metadata.packet.net",
  "metadata.platformequinix.com",
  "metadata.tencentyun.com",
  "rancher-metadata"
]

export type NameVerdict =
  | { readonly verdict: "passed"; readonly rule: string }
  | { readonly verdict: "malformed" | "refused"; readonly rule: string }

/** Judges an ASCII name in lower case, without its final dot. */
export const judgeName = (name: string, mode: NetworkMode): NameVerdict => {
  if (name.length > 253) return { verdict: "malformed", rule: "a name has at most 253 characters (RFC 1035)" }
  if (!labels.test(name)) {
    return { verdict: "malformed", rule: "a name is labels of 1 to 63 letters, digits, hyphens and underscores" }
  }
  const metadata = parentIn(name, metadataTable)
  if (metadata !== undefined) return { verdict: "refused", rule: `metadata name ${metadata}` }
  if (mode === "private-allowed") return { verdict: "passed", rule: "name, with local names opened by private-allowed" }
  const local = parentIn(name, localTable)
  if (local !== undefined) return { verdict: "refused", rule: `local name ${local}` }
  if (!name.includes(".")) return { verdict: "refused", rule: "a single label means what search domains say" }
  return { verdict: "passed", rule: "public name" }
}

/** Whether `name` is `parent` or lies below it. */
export const isBelow = (name: string, parent: string): boolean =>
  name.endsWith(parent) && (name.length === parent.length || name[name.length - parent.length - 1] === ".")

const labels = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/

const metadataTable = new Map(metadataNames.map((name) => [name, name]))
const localTable = new Map(localSuffixes.map(({ suffix, source }) => [suffix, `*.${suffix} (${source})`]))

/** What `table` holds for `name` or for one of the names above it. */
const parentIn = (name: string, table: ReadonlyMap<string, string>): string | undefined => {
  for (let at = 0; at >= 0; at = name.indexOf(".", at) + 1 || -1) {
    const known = table.get(name.slice(at))
    if (known !== undefined) return known
  }
  return undefined
}
