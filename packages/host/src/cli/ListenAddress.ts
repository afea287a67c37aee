/** Where `--http` listens, and what has to be given for it. Pure. */
import * as Either from "effect/Either"
import { isAddress, isLoopbackAddress } from "../endpoint/http/HttpGuard.ts"

export interface ListenAddress {
  readonly host: string
  readonly port: number
  readonly isLoopback: boolean
}

/**
 * @example
 * listenAddress("8977")          // 127.0.0.1, port 8977
 * listenAddress("[::1]:0")       // ::1, any port that is free
 * listenAddress("0.0.0.0:8977")  // every address: not loopback
 */
export const listenAddress = (text: string): Either.Either<ListenAddress, string> => {
  const parts = /^(?:(?:\[([^\]]+)\]|([^:]+)):)?(\d{1,5})$/.exec(text)
  const port = Number(parts?.[3])
  if (parts === null || port > 65_535) return Either.left("expected HOST:PORT, as 127.0.0.1:8977")
  const written = parts[1] ?? parts[2] ?? "127.0.0.1"
  const host = written === "localhost" ? "127.0.0.1" : written
  if (!isAddress(host)) return Either.left("the host is an address of this machine, as 127.0.0.1")
  return Either.right({ host, port, isLoopback: isLoopbackAddress(host) })
}

/** As it stands in a URL. */
export const urlOf = (scheme: "http" | "https", host: string, port: number): string =>
  `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`
