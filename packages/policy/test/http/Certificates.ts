/** An authority of the test's own, and certificates that it signs. */
import "reflect-metadata"
import { webcrypto } from "node:crypto"
import * as x509 from "@peculiar/x509"

export interface Certificate {
  readonly cert: string
  readonly key: string
}

export interface Authority {
  readonly cert: string
  readonly issue: (names: ReadonlyArray<string>, options?: { readonly expired?: boolean }) => Promise<Certificate>
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }
const day = 24 * 60 * 60 * 1000

export const makeAuthority = async (): Promise<Authority> => {
  // Typed for a browser's global of the same shape.
  x509.cryptoProvider.set(webcrypto as never)
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"])
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name: "CN=Test Authority",
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + day),
    keys,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)]
  })
  let serial = 1
  return {
    cert: authority.toString("pem"),
    issue: async (names, { expired = false } = {}) => {
      serial += 1
      const own = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"])
      const leaf = await x509.X509CertificateGenerator.create({
        serialNumber: serial.toString(16).padStart(2, "0"),
        subject: `CN=${names[0]}`,
        issuer: authority.subject,
        notBefore: new Date(Date.now() - 2 * day),
        notAfter: new Date(Date.now() + (expired ? -day : day)),
        signingKey: keys.privateKey,
        publicKey: own.publicKey,
        signingAlgorithm: algorithm,
        extensions: [
          new x509.SubjectAlternativeNameExtension(
            names.map((value) => ({ type: /^[\d.:]+$/.test(value) ? ("ip" as const) : ("dns" as const), value }))
          )
        ]
      })
      const key = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", own.privateKey))
      return { cert: leaf.toString("pem"), key: x509.PemConverter.encode(key, "PRIVATE KEY") }
    }
  }
}
