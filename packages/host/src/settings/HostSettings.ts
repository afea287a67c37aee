/**
 * What the owner of this host decides, in `settings.yaml` of the home: never a core's business. Everything has a
 * default; a missing file is an empty one.
 */
import { defaultRetention, type RetentionSettings } from "@gatehouse/control-plane/maintenance/Retention"
import { ApprovalSettingsBlock } from "@gatehouse/policy/approvals/ApprovalSettingsBlock"
import { StandingAnswer } from "@gatehouse/policy/approvals/standing/StandingAnswer"
import { EnvironmentSettings } from "@gatehouse/policy/environment/EnvironmentSettings"
import { ownPattern } from "@gatehouse/policy/redaction/text/OwnPatterns"
import { HostPattern } from "@gatehouse/policy/urls/EgressRules"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

/** The file's name in the home. */
export const settingsFileName = "settings.yaml"

const Network = Schema.Struct({
  /** `allowed` opens private addresses (never those of cloud metadata) to web pages and MCP servers. */
  private_addresses: Schema.optionalWith(Schema.Literal("refused", "allowed"), { default: () => "refused" as const }),
  allow_hosts: Schema.optional(Schema.Array(HostPattern)),
  deny_hosts: Schema.optionalWith(Schema.Array(HostPattern), { default: () => [] }),
  /** A file of certificates in PEM that are trusted besides the public ones. */
  certificate_authorities: Schema.optional(Schema.String),
  /** The one proxy that requests go through; ambient proxy variables are never read. */
  proxy: Schema.optional(Schema.String)
})

const OwnPattern = Schema.String.pipe(
  Schema.filter((text) => Either.match(ownPattern(text), { onLeft: (why) => why, onRight: () => true }))
)

const Redaction = Schema.Struct({
  field_names: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  patterns: Schema.optionalWith(Schema.Array(OwnPattern), { default: () => [] })
})

const Artifacts = Schema.Struct({
  quota_mib: Schema.optionalWith(Schema.Number.pipe(Schema.int(), Schema.between(1, 1_048_576)), {
    default: () => 1024
  })
})

const days = (byDefault: number) =>
  Schema.optionalWith(Schema.Number.pipe(Schema.int(), Schema.between(1, 36_500)), { default: () => byDefault })

/** What the store keeps; applied once a day. Sessions stay until they are removed. */
const Retention = Schema.Struct({
  /** Days that events are kept. */
  event_days: days(defaultRetention.eventDays),
  /** Events that are kept at most. */
  event_count: Schema.optionalWith(Schema.Number.pipe(Schema.int(), Schema.between(1_000, 1_000_000_000)), {
    default: () => defaultRetention.eventCount
  }),
  /** Days after their end that calls, answered approvals and tasks are kept. */
  record_days: days(defaultRetention.recordDays)
})

const whole = (from: number, to: number) => Schema.optional(Schema.Number.pipe(Schema.int(), Schema.between(from, to)))

/** Limits of one command; a core may ask for less, never for more. */
const Limits = Schema.Struct({
  wall_seconds: whole(1, 120),
  cpu_seconds: whole(1, 86_400),
  memory_mib: whole(16, 1_048_576),
  open_files: whole(16, 1_048_576),
  niceness: whole(0, 19)
})

/** What the clients of `gatehouse serve` and `gatehouse up` may do. */
const Endpoint = Schema.Struct({
  /** `allowed`: a client that can ask its own person (MCP elicitation) may answer questions with what they say. */
  elicitation: Schema.optionalWith(Schema.Literal("refused", "allowed"), { default: () => "refused" as const })
})

export const HostSettings = Schema.Struct({
  approval: Schema.optionalWith(ApprovalSettingsBlock, { default: () => ({}) }),
  /** Their `principal` is the name of one (`local`), or its id. */
  standing_answers: Schema.optionalWith(Schema.Array(StandingAnswer), { default: () => [] }),
  environment: Schema.optionalWith(EnvironmentSettings, { default: () => ({ inherit: [], home: "private" as const }) }),
  network: Schema.optionalWith(Network, { default: () => ({ private_addresses: "refused" as const, deny_hosts: [] }) }),
  redaction: Schema.optionalWith(Redaction, { default: () => ({ field_names: [], patterns: [] }) }),
  limits: Schema.optionalWith(Limits, { default: () => ({}) }),
  /** `workspace`: every command runs in the sandbox, or not at all. */
  sandbox: Schema.optionalWith(Schema.Literal("none", "workspace"), { default: () => "none" as const }),
  artifacts: Schema.optionalWith(Artifacts, { default: () => ({ quota_mib: 1024 }) }),
  retention: Schema.optionalWith(Retention, {
    default: () => ({
      event_days: defaultRetention.eventDays,
      event_count: defaultRetention.eventCount,
      record_days: defaultRetention.recordDays
    })
  }),
  endpoint: Schema.optionalWith(Endpoint, { default: () => ({ elicitation: "refused" as const }) })
})
export type HostSettings = typeof HostSettings.Type

/** The retention block as the store takes it. */
export const retentionOf = ({ retention }: HostSettings): RetentionSettings => ({
  eventDays: retention.event_days,
  eventCount: retention.event_count,
  recordDays: retention.record_days
})
