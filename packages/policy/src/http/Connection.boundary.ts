/**
 * One connection to one judged address. No name is looked up here: the socket is given an address, the address it
 * reached is compared before anything is written, and TLS is asked for the name of the URL.
 */
import { connect, type Socket } from "node:net"
import { connect as connectTls, type SecureContext } from "node:tls"
import { parseAddress } from "../urls/Address.ts"
import { ExchangeFailure } from "./ExchangeFailure.ts"

export interface ConnectionTarget {
  /** Canonical text of the judged address. */
  readonly address: string
  readonly port: number
  /** Name or address of the URL, for TLS; null for plain HTTP. */
  readonly tlsHost: string | null
  /** A judged proxy that opens a tunnel to `address`; null for a direct connection. */
  readonly proxy: ProxyHop | null
  readonly timeoutMillis: number
  /** For answers without an end: they have connections apart. */
  readonly lasting: boolean
}

export interface ProxyHop {
  readonly address: string
  readonly port: number
  /** Value of `Proxy-Authorization`; null without credentials. */
  readonly authorization: string | null
}

/** Opens a TCP connection; the default is the system's. A test may lead it astray. */
export type Dial = (address: string, port: number) => Socket

export const systemDial: Dial = (address, port) =>
  connect({ host: address, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 })

/** Calls back once, with a socket that is ready for a request or with the failure. The answer takes the attempt back. */
export const openConnection = (
  target: ConnectionTarget,
  trust: SecureContext,
  done: (failure: ExchangeFailure | null, socket: Socket | null) => void,
  dial: Dial = systemDial
): (() => void) => {
  const first = target.proxy ?? target
  let current = dial(first.address, first.port)
  let phase: "connect" | "proxy" | "tls" | "over" = "connect"

  const settle = (failure: ExchangeFailure | null): void => {
    if (phase === "over") return
    phase = "over"
    clearTimeout(timer)
    if (failure === null) {
      current.removeListener("error", onError)
      done(null, current)
    } else {
      current.destroy()
      done(failure, null)
    }
  }
  const fail = (reason: ExchangeFailure["reason"], detail: string, code?: string): void =>
    settle(new ExchangeFailure(reason, detail, { code, connected: false }))
  const onError = (error: NodeJS.ErrnoException): void =>
    phase === "tls"
      ? fail("tls", tlsDetail(error.code), error.code)
      : fail("connect", connectDetail(error.code), error.code)
  const timer = setTimeout(
    () => fail("timeout", `did not ${phase === "tls" ? "finish TLS" : "connect"} in ${target.timeoutMillis} ms`),
    target.timeoutMillis
  )

  const secure = (): void => {
    if (target.tlsHost === null) return settle(null)
    phase = "tls"
    const plain = current
    const named = parseAddress(target.tlsHost) === null
    const encrypted = connectTls({
      socket: plain,
      // The name that the certificate must be for. An address is no server name (RFC 6066) and is still compared.
      host: target.tlsHost,
      ...(named ? { servername: target.tlsHost } : {}),
      secureContext: trust,
      // Said here, so that NODE_TLS_REJECT_UNAUTHORIZED has no say.
      rejectUnauthorized: true,
      ALPNProtocols: ["http/1.1"]
    })
    current = encrypted
    encrypted.once("error", onError)
    encrypted.once("secureConnect", () => settle(null))
  }

  current.once("error", onError)
  current.once("close", () => fail(phase === "tls" ? "tls" : "connect", "closed the connection at once"))
  current.once("connect", () => {
    const peer = parseAddress(current.remoteAddress ?? "")?.text ?? null
    if (peer !== first.address) return settle(new ExchangeFailure("peer", peer ?? "", { connected: false }))
    if (target.proxy === null) return secure()
    phase = "proxy"
    openTunnel(current, target, target.proxy, (refusal) => (refusal === null ? secure() : fail("connect", refusal)))
  })
  return () => fail("connect", "was given up")
}

/** Bytes that a proxy may say before its tunnel is open. */
const tunnelHeaderBytes = 16 * 1024

const openTunnel = (
  socket: Socket,
  target: ConnectionTarget,
  proxy: ProxyHop,
  done: (refusal: string | null) => void
): void => {
  const authority = `${target.address.includes(":") ? `[${target.address}]` : target.address}:${target.port}`
  const credentials = proxy.authorization === null ? "" : `Proxy-Authorization: ${proxy.authorization}\r\n`
  let said = ""
  const read = (chunk: Buffer): void => {
    said += chunk.toString("latin1")
    const end = said.indexOf("\r\n\r\n")
    if (end < 0 && said.length <= tunnelHeaderBytes) return
    socket.removeListener("data", read)
    socket.pause()
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(said)?.[1] ?? "none"
    if (end < 0 || !status.startsWith("2")) return done(`is behind a proxy that refuses the tunnel (status ${status})`)
    if (said.length > end + 4) return done("is behind a proxy that talks into the tunnel")
    done(null)
  }
  socket.on("data", read)
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`)
}

const connectDetail = (code: string | undefined): string => {
  switch (code) {
    case "ECONNREFUSED":
      return "refuses connections"
    case "ENETUNREACH":
    case "EHOSTUNREACH":
    case "EADDRNOTAVAIL":
      return "cannot be reached from this machine"
    case "EMFILE":
    case "ENFILE":
      return "could not be connected to, because too many files are open"
    default:
      return "could not be connected to"
  }
}

const tlsDetail = (code: string | undefined): string => {
  switch (code) {
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return "shows a certificate for another name"
    case "CERT_HAS_EXPIRED":
      return "shows a certificate that has expired"
    case "CERT_NOT_YET_VALID":
      return "shows a certificate that is not valid yet"
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return "shows a certificate of an authority that this host does not trust"
    case "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL":
      return "does not speak HTTP/1.1 over TLS"
    default:
      return "could not agree on TLS"
  }
}
