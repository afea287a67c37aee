/** How far into a file a search looks. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { StringDecoder } from "node:string_decoder"
import { problemOfType, readFlags } from "../files/OpenedFile.boundary.ts"

/** Bytes of the first `characters` UTF-16 units of a file; zero where it cannot be read any more. */
export const bytesOfCharacters = (place: string, characters: number): number => {
  let descriptor: number | null = null
  try {
    descriptor = openSync(place, readFlags)
    if (problemOfType(fstatSync(descriptor, { bigint: true })) !== null) return 0
    // At most four bytes make a character.
    const bytes = Buffer.alloc(characters * 4)
    const count = readSync(descriptor, bytes, 0, bytes.length, 0)
    const text = new StringDecoder("utf8").write(bytes.subarray(0, count))
    return Buffer.byteLength(text.slice(0, characters))
  } catch {
    return 0
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}
