/** The revisions of MCP that the endpoint speaks. */

/** The newest first. What they changed for a server of tools is told by what stands beside each. */
export const revisions = [
  "2025-11-25",
  "2025-06-18", // no batches; a header names the revision
  "2025-03-26", // Streamable HTTP, batches
  "2024-11-05"
] as const

export type Revision = (typeof revisions)[number]

export const isRevision = (value: unknown): value is Revision => revisions.some((known) => known === value)

/** What is spoken with a client that asked for `wanted`: that, or the newest, which the client may refuse (lifecycle). */
export const agreeRevision = (wanted: unknown): Revision => (isRevision(wanted) ? wanted : revisions[0])

/** Whether a client may put several messages into one: the revision that brought batches, and the one before. */
export const takesBatches = (revision: Revision): boolean => revision === "2025-03-26" || revision === "2024-11-05"
