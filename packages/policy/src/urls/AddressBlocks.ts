/**
 * Blocks of addresses that are not the public internet: one table, read by {@link judgeAddress} and by the tests,
 * which also try both neighbours of every block.
 *
 * Source: IANA IPv4 and IPv6 Special-Purpose Address Registries as of April 2025 (their newest entry is
 * 100:0:0:1::/64, RFC 9780), IANA IPv4 multicast and reserved space, and RFC 4291 for IPv6. A block whose entry says
 * "globally reachable" is listed all the same: an address is public only outside every special-purpose block.
 */

export interface AddressBlock {
  /** CIDR notation, canonical. */
  readonly block: string
  readonly name: string
  readonly source: string
  /** Whether an owner who says `private-allowed` opens it. Metadata addresses inside stay closed. */
  readonly opens: boolean
}

const closed = (block: string, name: string, source: string): AddressBlock => ({ block, name, source, opens: false })
const opened = (block: string, name: string, source: string): AddressBlock => ({ block, name, source, opens: true })

export const ipv4Blocks: ReadonlyArray<AddressBlock> = [
  closed("0.0.0.0/8", "this network", "RFC 791"),
  opened("10.0.0.0/8", "private use", "RFC 1918"),
  opened("100.64.0.0/10", "shared address space", "RFC 6598"),
  opened("127.0.0.0/8", "loopback", "RFC 1122"),
  closed("169.254.0.0/16", "link local", "RFC 3927"),
  opened("172.16.0.0/12", "private use", "RFC 1918"),
  closed("192.0.0.0/24", "IETF protocol assignments", "RFC 6890"),
  closed("192.0.2.0/24", "documentation", "RFC 5737"),
  closed("192.31.196.0/24", "AS112", "RFC 7535"),
  closed("192.52.193.0/24", "AMT", "RFC 7450"),
  closed("192.88.99.0/24", "6to4 relay anycast, deprecated", "RFC 7526"),
  opened("192.168.0.0/16", "private use", "RFC 1918"),
  closed("192.175.48.0/24", "AS112 direct delegation", "RFC 7534"),
  closed("198.18.0.0/15", "benchmarking", "RFC 2544"),
  closed("198.51.100.0/24", "documentation", "RFC 5737"),
  closed("203.0.113.0/24", "documentation", "RFC 5737"),
  closed("224.0.0.0/4", "multicast", "RFC 5771"),
  closed("240.0.0.0/4", "reserved, with limited broadcast", "RFC 1112, RFC 8190")
]

export const ipv6Blocks: ReadonlyArray<AddressBlock> = [
  closed("::/128", "unspecified", "RFC 4291"),
  opened("::1/128", "loopback", "RFC 4291"),
  closed("::/96", "IPv4-compatible, deprecated", "RFC 4291"),
  closed("::ffff:0:0:0/96", "IPv4-translated", "RFC 2765"),
  closed("64:ff9b::/96", "NAT64", "RFC 6052"),
  closed("64:ff9b:1::/48", "local-use NAT64", "RFC 8215"),
  closed("100::/64", "discard only", "RFC 6666"),
  closed("100:0:0:1::/64", "dummy prefix", "RFC 9780"),
  closed("2001::/23", "IETF protocol assignments, Teredo among them", "RFC 2928, RFC 4380"),
  closed("2001:db8::/32", "documentation", "RFC 3849"),
  closed("2002::/16", "6to4", "RFC 3056"),
  closed("2620:4f:8000::/48", "AS112 direct delegation", "RFC 7534"),
  closed("3fff::/20", "documentation", "RFC 9637"),
  closed("5f00::/16", "segment routing (SRv6) SIDs", "RFC 9602"),
  opened("fc00::/7", "unique local", "RFC 4193"),
  closed("fe80::/10", "link local", "RFC 4291"),
  closed("fec0::/10", "site local, deprecated", "RFC 3879"),
  closed("ff00::/8", "multicast", "RFC 4291")
]

/** Public IPv6 addresses lie in here and nowhere else (RFC 4291, section 2.4; IANA has allocated no other unicast). */
export const ipv6GlobalUnicast = "2000::/3"

/**
 * Where clouds answer with credentials to whoever asks. Refused under every policy, also inside blocks that
 * `private-allowed` opens, and although the first of them is ordinary global unicast. From the vendors'
 * documentation; whatever else lies in 169.254/16 or fe80::/10 is refused as link local.
 */
export const metadataBlocks: ReadonlyArray<{ readonly block: string; readonly name: string }> = [
  { block: "168.63.129.16/32", name: "Azure wire server" },
  { block: "169.254.0.23/32", name: "Tencent Cloud metadata" },
  { block: "169.254.42.42/32", name: "Scaleway metadata" },
  { block: "169.254.169.123/32", name: "AWS time service" },
  { block: "169.254.169.253/32", name: "AWS resolver" },
  { block: "169.254.169.254/32", name: "cloud metadata (AWS, Azure, Google Cloud and others)" },
  { block: "169.254.170.2/32", name: "AWS ECS task credentials" },
  { block: "169.254.170.23/32", name: "AWS EKS pod identity" },
  { block: "192.0.0.192/32", name: "Oracle Cloud Classic metadata" },
  { block: "100.100.100.200/32", name: "Alibaba Cloud metadata" },
  { block: "fd00:42::42/128", name: "Scaleway metadata" },
  { block: "fd00:100::100:200/128", name: "Alibaba Cloud metadata" },
  { block: "fd00:a9fe:a9fe::/48", name: "Akamai/Linode metadata" },
  { block: "fd00:c1::a9fe:a9fe/128", name: "Oracle Cloud metadata" },
  { block: "fd00:ec2::/32", name: "AWS instance services" },
  { block: "fd20:ce::254/128", name: "Google Cloud metadata" },
  { block: "fe80::a9fe:a9fe/128", name: "OpenStack metadata" }
]
