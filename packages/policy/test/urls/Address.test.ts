import { assert, describe, it } from "@effect/vitest"
import { judgeAddress, parseAddress } from "@gatehouse/policy/urls/Address"
import { ipv4Blocks, ipv6Blocks, metadataBlocks } from "@gatehouse/policy/urls/AddressBlocks"
import * as fc from "fast-check"

const size = (text: string): 32n | 128n => (text.includes(":") ? 128n : 32n)

/** An address as a number, and back; written apart from the code that is tested. */
const toNumber = (text: string): bigint => {
  if (!text.includes(":")) return text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n)
  const [head = "", tail] = text.split("::")
  const groups = (part: string | undefined) => (part === undefined || part === "" ? [] : part.split(":"))
  const [left, right] = [groups(head), groups(tail)]
  const all = [...left, ...Array(tail === undefined ? 0 : 8 - left.length - right.length).fill("0"), ...right]
  return all.reduce((sum, part) => sum * 65_536n + BigInt(`0x${part}`), 0n)
}
const toText = (value: bigint, bits: 32n | 128n): string =>
  bits === 32n
    ? [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".")
    : Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)).join(":")

const ends = (block: string): { readonly first: bigint; readonly last: bigint; readonly bits: 32n | 128n } => {
  const [network = "", prefix = "0"] = block.split("/")
  const bits = size(network)
  const first = toNumber(network)
  return { first, last: first + (1n << (bits - BigInt(prefix))) - 1n, bits }
}

const safe = (text: string, mode: "default" | "private-allowed"): boolean => {
  const address = parseAddress(text)
  return address !== null && judgeAddress(address, mode).safe
}

const allBlocks = [...ipv4Blocks, ...ipv6Blocks]
const within = (value: bigint, bits: bigint, blocks: ReadonlyArray<{ readonly block: string }>): boolean =>
  blocks.some(({ block }) => {
    const range = ends(block)
    return range.bits === bits && value >= range.first && value <= range.last
  })
const mapped = (value: bigint): boolean => value >> 32n === 0xffffn
const globalUnicast = (value: bigint): boolean => value >> 125n === 1n

/** What the table alone says, by plain arithmetic. */
const expected = (value: bigint, bits: 32n | 128n, mode: "default" | "private-allowed"): boolean => {
  if (bits === 128n && mapped(value)) return expected(value & 0xffffffffn, 32n, mode)
  if (within(value, bits, metadataBlocks)) return false
  const narrowest = allBlocks
    .filter(({ block }) => ends(block).bits === bits && value >= ends(block).first && value <= ends(block).last)
    .sort((left, right) => Number(right.block.split("/")[1]) - Number(left.block.split("/")[1]))[0]
  if (narrowest !== undefined) return mode === "private-allowed" && narrowest.opens
  return bits === 32n || globalUnicast(value)
}

describe("addresses", () => {
  for (const { block, name } of [...allBlocks, ...metadataBlocks]) {
    it(`${block} ${name}: both ends, and the neighbours by their own rules`, () => {
      const { bits, first, last } = ends(block)
      for (const value of [first - 1n, first, last, last + 1n]) {
        if (value < 0n || value >= 1n << bits) continue
        for (const mode of ["default", "private-allowed"] as const) {
          assert.strictEqual(
            safe(toText(value, bits), mode),
            expected(value, bits, mode),
            `${toText(value, bits)} ${mode}`
          )
        }
      }
    })
  }

  it("private-allowed opens exactly these blocks", () => {
    const opened = allBlocks.filter(({ opens }) => opens).map(({ block }) => block)
    assert.sameMembers(opened, [
      "10.0.0.0/8",
      "172.16.0.0/12",
      "192.168.0.0/16",
      "127.0.0.0/8",
      "100.64.0.0/10",
      "::1/128",
      "fc00::/7"
    ])
  })

  it("any address is judged as the table says", () => {
    const near = fc
      .tuple(fc.constantFrom(...allBlocks, ...metadataBlocks), fc.bigInt(-300n, 300n), fc.boolean())
      .map(([{ block }, offset, atEnd]) => {
        const { bits, first, last } = ends(block)
        return { bits, value: (atEnd ? last : first) + offset }
      })
    const anywhere = fc.oneof(
      fc.bigInt(0n, (1n << 32n) - 1n).map((value) => ({ bits: 32n as const, value })),
      fc.bigInt(0n, (1n << 128n) - 1n).map((value) => ({ bits: 128n as const, value })),
      fc.bigInt(0n, (1n << 32n) - 1n).map((value) => ({ bits: 128n as const, value: value | (0xffffn << 32n) }))
    )
    fc.assert(
      fc.property(
        fc.oneof(near, anywhere),
        fc.constantFrom("default" as const, "private-allowed" as const),
        ({ bits, value }, mode) => {
          fc.pre(value >= 0n && value < 1n << bits)
          assert.strictEqual(safe(toText(value, bits), mode), expected(value, bits, mode))
        }
      ),
      { numRuns: 2000 }
    )
  })

  it("canonical text is RFC 5952, and a mapped address its IPv4", () => {
    const texts: ReadonlyArray<readonly [string, string | null]> = [
      ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
      ["2001:0:0:1:0:0:0:1", "2001:0:0:1::1"],
      ["0:0:0:0:0:0:0:0", "::"],
      ["1:0:2:0:3:0:4:0", "1:0:2:0:3:0:4:0"],
      ["::FFFF:10.0.0.1", "10.0.0.1"],
      ["::ffff:a00:1", "10.0.0.1"],
      // The dead compatible form is no mapped one, though it ends in dots too.
      ["::8.8.8.8", "::808:808"],
      ["::ffff:0:8.8.8.8", "::ffff:0:808:808"],
      ["64:ff9b::8.8.8.8", "64:ff9b::808:808"],
      ["fe80::1%eth0", "fe80::1"],
      ["010.0.0.1", null],
      ["0x7f.1", null],
      ["2130706433", null],
      ["127.1", null],
      ["::ffff:010.0.0.1", null],
      ["1.2.3.4:80", null],
      ["[::1]", null],
      [" 1.2.3.4", null],
      ["1.2.3.4 ", null],
      ["1.2.3.4.", null],
      ["1.2.3.4%eth0", null],
      ["", null],
      [":", null],
      [":::", null],
      ["12345::", null],
      ["１.2.3.4", null]
    ]
    for (const [text, canonical] of texts) assert.strictEqual(parseAddress(text)?.text ?? null, canonical, text)
  })

  it("a zone is never safe", () => {
    for (const text of ["fe80::1%eth0", "::1%lo", "2606:4700::1111%1", "fd00::1%"])
      assert.isFalse(safe(text, "private-allowed"), text)
  })
})
