/** `getaddrinfo` of the machine, as a callback. */
import { lookup } from "node:dns"

/** Calls back once, with the error's code and no addresses, or with null and all addresses in the system's order. */
export const systemLookup = (
  name: string,
  done: (code: string | null, addresses: ReadonlyArray<string>) => void
): void =>
  lookup(name, { all: true, verbatim: true }, (error, addresses) =>
    done(
      error === null ? null : (error.code ?? "UNKNOWN"),
      error === null ? addresses.map(({ address }) => address) : []
    )
  )
