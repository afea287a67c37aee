/** `agent/schedules/<id>.yaml`: a turn that starts by the clock. */
import * as Cron from "effect/Cron"
import * as DateTime from "effect/DateTime"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Line } from "./FieldRules.ts"
import { hints, optional } from "./SchemaHints.ts"

/** Five fields (minute, hour, day of month, month, weekday), or six with seconds first, as Effect's `Cron` reads them. */
const CronExpression = Schema.String.pipe(
  Schema.filter(
    (text) => text.length <= 256 && Either.isRight(Cron.parse(text)),
    hints({ expected: "a cron expression of five fields, such as `0 7 * * 1-5`" })
  )
)

const TimeZone = Schema.String.pipe(
  Schema.filter(
    (name) => Option.isSome(DateTime.zoneMakeNamed(name)),
    hints({ expected: "the name of a time zone, such as `Europe/Berlin` or `UTC`" })
  )
)

/** The schema that reads `agent/schedules/<id>.yaml`. */
export const ScheduleManifest = Schema.Struct({
  enabled: optional(Schema.Boolean, true, "`false` lets the schedule rest."),
  cron: CronExpression.annotations({ description: "When: minute, hour, day of month, month, weekday." }),
  time_zone: optional(TimeZone, "UTC", "Time zone of `cron`."),
  prompt: Line.annotations({ description: "What the turn is asked to do." }),
  missed_runs: optional(
    Schema.Literal("skip", "run_once"),
    "skip",
    "What a time that passed while no host ran means: nothing, or one run when a host is back."
  )
}).annotations({ title: "Gatehouse schedule", description: "A turn of an agent that starts by the clock." })

/** A read schedule, defaults filled in; fields are named as in the file. */
export type ScheduleManifest = Schema.Schema.Type<typeof ScheduleManifest>
