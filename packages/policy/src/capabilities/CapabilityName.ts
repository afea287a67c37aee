/** What a capability is called: parts joined by dots and colons (`fs.read`, `mcp.call:docs`, `secret.bind:API_TOKEN`). */

/**
 * Whether `name` can be asked for: no part is empty, and there is no blank, no control or invisible character, no lone
 * surrogate and no `*` in it. Whatever a core grants, other names are never granted.
 *
 * @example
 * isCapabilityName("mcp.call:docs.v2") // true
 * isCapabilityName("mcp.call:")        // false
 * isCapabilityName("mcp.call:*")       // false
 */
export const isCapabilityName = (name: string): boolean => plainName.test(name) || fullName.test(name)

/**
 * Whether `name` gives a secret. Secrets are granted by their whole name among the core's defaults, or not at all:
 * no wildcard and no grant to a component reaches them.
 */
export const isSecretCapability = (name: string): boolean => name === "secret.bind" || name.startsWith("secret.bind:")

/** The names of everyday, decided without Unicode tables. */
const plainName = /^[A-Za-z0-9_-]+(?:[.:][A-Za-z0-9_-]+)*$/

/** `\p{C}` is control, format, private, unassigned and lone surrogate; `\p{Z}` every blank. */
const fullName = /^[^\p{C}\p{Z}\s*.:]+(?:[.:][^\p{C}\p{Z}\s*.:]+)*$/u
