/** The store of a home and every service that stands on it. */
import { ApprovalRecords } from "@gatehouse/control-plane/approvals/ApprovalRecords"
import { EffectRecords } from "@gatehouse/control-plane/effects/EffectRecords"
import { EventLog } from "@gatehouse/control-plane/events/EventLog"
import { Hosts } from "@gatehouse/control-plane/hosts/Hosts"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Store } from "@gatehouse/control-plane/Store"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import { Tasks } from "@gatehouse/control-plane/tasks/Tasks"
import * as Layer from "effect/Layer"

/** Over `Home`. Opening it ends, in the record, what hosts that were killed left begun. */
export const controlPlaneLayer = Layer.mergeAll(
  EffectRecords.layer,
  EventLog.layerRuntimeEvents,
  ApprovalRecords.layerPending,
  Sessions.layer,
  Tasks.layer,
  Principals.layerScopes
).pipe(
  Layer.provideMerge(Layer.mergeAll(EventLog.layer, ApprovalRecords.layer, Hosts.layer)),
  Layer.provideMerge(Principals.layer),
  Layer.provideMerge(Store.layer)
)
