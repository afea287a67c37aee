/** What the answers of a resolver are worth: every one must be safe, one that is not refuses them all. */
import { judgeAddress, type NetworkMode, parseAddress } from "./Address.ts"
import type { TextVerdict, UrlDenied, UrlVerdict } from "./UrlVerdict.ts"

/** Addresses that one name may answer with. A host behind more of them is no host but a trap. */
export const answerLimit = 256

/** Judges what the name of `text` answered: addresses, or the failure (a code such as `ENOTFOUND`). */
export const judgeAnswers = (
  text: Extract<TextVerdict, { readonly decision: "pass" }>,
  asked: { readonly addresses: ReadonlyArray<string> } | { readonly failure: string },
  mode: NetworkMode
): UrlVerdict => {
  const origin = text.audit.origin
  const deny = (
    reason: UrlDenied["reason"],
    rule: string,
    what: string,
    addresses: ReadonlyArray<string>
  ): UrlDenied => ({
    decision: "deny",
    reason,
    rule: `${reason}: ${rule}`,
    message: `url: ${origin} ${what}`,
    audit: { origin, addresses }
  })
  if ("failure" in asked) {
    return deny("dns-failure", asked.failure, `has a name that could not be looked up (${asked.failure}); check it`, [])
  }
  const answers = asked.addresses.slice(0, answerLimit).map(parseAddress)
  const addresses = [...new Set(answers.flatMap((address) => address?.text ?? []))]
  for (const address of answers) {
    const verdict = address === null ? unreadable : judgeAddress(address, mode)
    if (!verdict.safe) {
      const what = `has a name that answers with an address that is closed (${verdict.rule}); use a public one`
      return deny("unsafe-answer", verdict.rule, what, addresses)
    }
  }
  if (addresses.length === 0) return deny("dns-failure", "no address", "has a name without an address; check it", [])
  if (asked.addresses.length > answerLimit) {
    const rule = `more than ${answerLimit} addresses`
    return deny("dns-failure", rule, `has a name that answers with ${rule}; use another host`, addresses)
  }
  return { decision: "allow", url: text.url, pinned: addresses, rule: text.rule, audit: { origin, addresses } }
}

const unreadable = { safe: false, rule: "an answer that is no address" } as const
