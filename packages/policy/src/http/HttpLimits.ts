/** Bounds of one exchange. All of them hold while it runs, none of them afterwards. */
export interface HttpLimits {
  /** Milliseconds for one connection: TCP, a proxy's tunnel, and TLS. */
  readonly connectMillis: number
  /** Milliseconds from the request to the end of the answer's headers, connection included. */
  readonly headersMillis: number
  /** Milliseconds without a byte of the body. */
  readonly idleMillis: number
  /** Milliseconds for everything, redirects and body included; null for streams without an end. */
  readonly totalMillis: number | null
  /** Bytes of the body, after decompression; null for streams without an end. */
  readonly bodyBytes: number | null
}

export const defaultLimits: HttpLimits = {
  connectMillis: 10_000,
  headersMillis: 30_000,
  idleMillis: 30_000,
  totalMillis: 60_000,
  bodyBytes: 16 * 1024 * 1024
}

/** Bytes of the header block of an answer; more is refused while it is read. */
export const headerBytes = 16 * 1024

/** Encodings that may be stacked on one body (`content-encoding: gzip, br` is two). */
export const encodingLimit = 2

/** Bytes of a body that wait for a slow reader before the sender is told to wait. */
export const queueBytes = 256 * 1024

/** Connections to one origin at one address; more requests wait for one of them. */
export const connectionsPerHost = 32

/** The same for answers without an end (`totalMillis: null`), which hold theirs and must not hold up the others. */
export const streamsPerHost = 256

/** Origins with open connections; the one that was used longest ago is closed for another. */
export const poolLimit = 128

/** Addresses of one name that are tried when connecting to the first fails. */
export const addressTries = 3
