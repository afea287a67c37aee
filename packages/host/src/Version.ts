/** The version of this host, as `gatehouse --version` says it; a test compares it with `package.json`. */
export const version = "0.1.0"
