/**
 * A fourth source of effects, added from outside: a tool `clock_read` that tells the time of a zone. It passes the same
 * eight stages as every other effect, because the host knows no other way to run one.
 */
import { textOutput } from "@gatehouse/core/AdapterOutcome"
import { type EffectAdapter, opaque } from "@gatehouse/core/EffectAdapter"
import { AdapterError } from "@gatehouse/core/EffectError"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import type { EffectSource, SourceEntry } from "@gatehouse/core/EffectSource"
import { isJsonObject } from "@gatehouse/core/Json"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** What `plan` resolved and `run` uses: the zone itself, never its name again. */
interface Prepared {
  readonly zone: DateTime.TimeZone
}

const adapter: EffectAdapter<Prepared> = {
  plan: (args) => {
    const name = isJsonObject(args) && typeof args["zone"] === "string" ? args["zone"] : "UTC"
    const zone = DateTime.zoneFromString(name)
    if (Option.isNone(zone))
      return new PlanRefused("invalid", "clock.zone", "zone: is no IANA time zone, as Europe/Vienna")
    return {
      action: "read",
      target: `the clock of ${name}`,
      risk: "low",
      policy: "auto",
      because: [{ rule: "a clock gives nothing away" }],
      readOnly: true,
      preview: { zone: name },
      subject: { kind: "other" },
      approvalShape: {},
      sessionCacheable: true,
      secrets: [],
      writeScope: null,
      timeoutMillis: 1_000,
      prepared: { zone: zone.value }
    }
  },
  run: ({ prepared }) =>
    DateTime.now.pipe(
      Effect.map((now) => DateTime.formatIsoZoned(DateTime.setZone(now, prepared.zone))),
      Effect.map((text) => ({ status: "succeeded" as const, output: textOutput(text, { time: text }) })),
      Effect.catchAllDefect(
        () =>
          new AdapterError({ reason: "clock", message: "the clock cannot be read", remedy: "", mayHaveHappened: false })
      )
    )
}

const clockRead: SourceEntry = {
  name: "clock_read",
  description: "The time now, in a time zone.",
  inputSchema: { type: "object", properties: { zone: { type: "string" } }, additionalProperties: false },
  capability: "clock.read",
  risk: "low",
  policy: "auto",
  policyOrigin: "the clock source",
  tightenOnly: true,
  readOnly: true,
  displayPolicy: "summary",
  modelOutputPolicy: "content",
  toolset: null,
  provenance: "clock source, clock_read",
  component: null,
  metadata: {},
  adapter: opaque(adapter)
}

/** Given to `hostLayer({ sources: [clockSource] })`. */
export const clockSource: EffectSource = {
  kind: "clock",
  entries: () => Effect.succeed({ entries: [clockRead], diagnostics: [] })
}
