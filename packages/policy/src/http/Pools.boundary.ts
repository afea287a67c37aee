/** Open connections, kept apart by origin and judged address, so that no request uses one that was judged for another. */
import { X509Certificate } from "node:crypto"
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls"
import { Pool } from "undici"
import { type ConnectionTarget, type Dial, openConnection, systemDial } from "./Connection.boundary.ts"
import { connectionsPerHost, headerBytes, poolLimit, streamsPerHost } from "./HttpLimits.ts"

/** Certificates of authorities to trust beside those that come with Node, as PEM texts. Throws on a text that is none. */
export const trustOf = (authorities: ReadonlyArray<string>): SecureContext => {
  // A secure context skips what it cannot read; an owner wants to hear of it.
  const certificates = authorities.flatMap((text) => text.match(pemCertificate) ?? [""])
  for (const certificate of certificates) new X509Certificate(certificate)
  return createSecureContext({ ca: [...rootCertificates, ...certificates], minVersion: "TLSv1.2" })
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** The connections to one origin at one address. */
export interface HostPool {
  readonly pool: Pool
  /** Requests under way. */
  inFlight: number
  /** Closes everything at once, connections that are still being made included. */
  readonly close: () => void
}

export class Pools {
  readonly #pools = new Map<string, HostPool>()
  readonly #trust: SecureContext
  readonly #dial: Dial

  constructor(trust: SecureContext, dial: Dial = systemDial) {
    this.#trust = trust
    this.#dial = dial
  }

  /** The pool of `origin` at the target's address, made where there is none. */
  at(origin: string, target: ConnectionTarget): HostPool {
    const proxy = target.proxy === null ? "" : `${target.proxy.address} ${target.proxy.port}`
    const key = `${origin} ${target.address} ${target.lasting ? "lasting" : ""} ${proxy}`
    const known = this.#pools.get(key)
    if (known !== undefined) return known
    if (this.#pools.size >= poolLimit) this.#closeOldest()
    const made = this.#make(key, origin, target)
    this.#pools.set(key, made)
    return made
  }

  closeAll(): void {
    for (const host of this.#pools.values()) host.close()
  }

  #make(key: string, origin: string, target: ConnectionTarget): HostPool {
    const attempts = new Set<() => void>()
    const pool = new Pool(origin, {
      connections: target.lasting ? streamsPerHost : connectionsPerHost,
      pipelining: 1,
      maxHeaderSize: headerBytes,
      // Time is kept by the exchange, with its own limits for each request.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_options, done) => {
        const giveUp = openConnection(
          target,
          this.#trust,
          (failure, socket) => {
            attempts.delete(giveUp)
            if (socket === null) done(failure ?? new Error("no connection"), null)
            else done(null, socket)
          },
          this.#dial
        )
        attempts.add(giveUp)
      }
    })
    const host: HostPool = {
      pool,
      inFlight: 0,
      close: () => {
        this.#pools.delete(key)
        for (const giveUp of attempts) giveUp()
        void pool.destroy()
      }
    }
    return host
  }

  /** A pool without requests first; the order of the map is the order of making. */
  #closeOldest(): void {
    const hosts = [...this.#pools.values()]
    const oldest = hosts.find(({ inFlight }) => inFlight === 0) ?? hosts[0]
    oldest?.close()
  }
}
