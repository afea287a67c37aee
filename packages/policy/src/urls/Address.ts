/**
 * Addresses as values: read strictly, written canonically, judged against the table of blocks.
 *
 * @example
 * judgeAddress(parseAddress("10.0.0.8"), "default")         // refused, "10.0.0.0/8 private use (RFC 1918)"
 * judgeAddress(parseAddress("10.0.0.8"), "private-allowed") // safe
 */
// A CommonJS module: Node knows its parts through the default import alone.
import IpAddr from "ipaddr.js"
import { ipv4Blocks, ipv6Blocks, ipv6GlobalUnicast, metadataBlocks } from "./AddressBlocks.ts"

/** What the host's owner opens: nothing special, or the private blocks and local names. Cores cannot say this. */
export type NetworkMode = "default" | "private-allowed"

export interface Address {
  /** RFC 5952 text; a mapped IPv6 address as the IPv4 address that it is. */
  readonly text: string
  /** True where the text named an interface (`fe80::1%eth0`): never a target. */
  readonly zoned: boolean
  readonly ip: IpAddr.IPv4 | IpAddr.IPv6
}

export type AddressVerdict =
  | { readonly safe: true; readonly rule: string }
  | { readonly safe: false; readonly rule: string }

/**
 * The address that `text` spells, or null. Four decimal parts without leading zeros, or IPv6; the legacy spellings of
 * IPv4 (`0x7f.1`, `010.0.0.1`, `2130706433`) mean different things to different readers and are none.
 */
export const parseAddress = (text: string): Address | null => {
  if (isFourParts(text)) return { text, zoned: false, ip: IpAddr.IPv4.parse(text) }
  if (!text.includes(":")) return null
  const [bare = "", zone] = text.split("%", 2)
  const groups = withoutDots(bare)
  if (groups === null || !IpAddr.IPv6.isValid(groups)) return null
  const ip = IpAddr.IPv6.parse(groups)
  const zoned = zone !== undefined
  if (!ip.isIPv4MappedAddress()) return { text: ip.toRFC5952String(), zoned, ip }
  const mapped = ip.toIPv4Address()
  return { text: mapped.toString(), zoned, ip: mapped }
}

/** Whether a connection to `address` is safe under `mode`, and the rule that says so. */
export const judgeAddress = (address: Address, mode: NetworkMode): AddressVerdict => {
  const { ip } = address
  if (address.zoned) return { safe: false, rule: "an address with a zone names an interface of this host (RFC 4007)" }
  const metadata = metadataTable.find((row) => contains(row, ip))
  if (metadata !== undefined) return { safe: false, rule: metadata.rule }
  const special = specialTable.find((row) => contains(row, ip))
  if (special !== undefined) {
    const opened = mode === "private-allowed" && special.opens
    return opened ? { safe: true, rule: `private-allowed: ${special.rule}` } : { safe: false, rule: special.rule }
  }
  if (ip.kind() === "ipv6" && !contains(globalUnicast, ip))
    return { safe: false, rule: `outside ${globalUnicast.rule}` }
  // The library's own table is a second opinion: what it knows and ours does not is refused.
  const range = ip.range()
  return range === "unicast" ? publicAddress : { safe: false, rule: `special-purpose range ${range} (ipaddr.js)` }
}

// The library answers by throwing inside, which costs more than all the rest: most texts are names and end here.
const isFourParts = (text: string): boolean => fourParts.test(text) && IpAddr.IPv4.isValid(text)
const fourParts = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/

/**
 * IPv6 with its last four bytes in hexadecimal; null where they are no IPv4 address. The library takes every address
 * that ends in dots for a mapped one, `::8.8.8.8` too, which is the dead compatible form.
 */
const withoutDots = (text: string): string | null => {
  const start = text.lastIndexOf(":") + 1
  const tail = text.slice(start)
  if (!tail.includes(".")) return text
  if (!isFourParts(tail)) return null
  const [a = 0, b = 0, c = 0, d = 0] = tail.split(".").map(Number)
  return `${text.slice(0, start)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

interface Row {
  readonly network: IpAddr.IPv4 | IpAddr.IPv6
  readonly bits: number
  readonly rule: string
  readonly opens: boolean
}

const publicAddress: AddressVerdict = { safe: true, rule: "public address" }

const row = (block: string, rule: string, opens = false): Row => {
  const [network, bits] = IpAddr.parseCIDR(block)
  return { network, bits, rule, opens }
}

const contains = ({ network, bits }: Row, ip: IpAddr.IPv4 | IpAddr.IPv6): boolean =>
  network.kind() === ip.kind() && ip.match(network, bits)

// A narrower block comes first: ::1/128 and ::/128 lie inside ::/96.
const specialTable: ReadonlyArray<Row> = [...ipv4Blocks, ...ipv6Blocks]
  .map(({ block, name, source, opens }) => row(block, `${block} ${name} (${source})`, opens))
  .sort((left, right) => right.bits - left.bits)
const metadataTable = metadataBlocks.map(({ block, name }) => row(block, `metadata address: ${name}`))
const globalUnicast = row(ipv6GlobalUnicast, `${ipv6GlobalUnicast} global unicast (RFC 4291)`)
