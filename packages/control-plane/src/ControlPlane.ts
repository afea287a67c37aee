/** Everything of this package on one store, for a host to provide once. */
import type { Home } from "@gatehouse/core/Home"
import type { PendingApprovals } from "@gatehouse/core/PendingApprovals"
import type { PrincipalScopes } from "@gatehouse/core/PrincipalScopes"
import type { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import * as Layer from "effect/Layer"
import { ApprovalRecords } from "./approvals/ApprovalRecords.ts"
import { EffectRecords } from "./effects/EffectRecords.ts"
import { EventLog } from "./events/EventLog.ts"
import { Hosts } from "./hosts/Hosts.ts"
import { Leases } from "./hosts/Leases.ts"
import { Principals } from "./principals/Principals.ts"
import { Store } from "./Store.ts"
import type { StoreError } from "./StoreError.ts"
import { Sessions } from "./sessions/Sessions.ts"
import { Tasks } from "./tasks/Tasks.ts"
import { TaskWorker } from "./tasks/TaskWorker.ts"

export type ControlPlane =
  | Store
  | Hosts
  | Leases
  | Principals
  | PrincipalScopes
  | EventLog
  | RuntimeEvents
  | EffectRecords
  | Sessions
  | Tasks
  | TaskWorker
  | ApprovalRecords
  | PendingApprovals

const services = Layer.mergeAll(
  Leases.layer,
  Principals.layerScopes,
  EventLog.layerRuntimeEvents.pipe(Layer.provideMerge(EventLog.layer)),
  EffectRecords.layer,
  Sessions.layer,
  TaskWorker.layer.pipe(Layer.provideMerge(Tasks.layer)),
  ApprovalRecords.layer,
  ApprovalRecords.layerPending
).pipe(Layer.provideMerge(Layer.mergeAll(Hosts.layer, Principals.layer)))

/** On the store of the home. */
export const controlPlaneLayer: Layer.Layer<ControlPlane, StoreError, Home> = Layer.provideMerge(services, Store.layer)

/** On a store in memory: nothing outlives the process. */
export const controlPlaneLayerMemory: Layer.Layer<ControlPlane, StoreError> = Layer.provideMerge(
  services,
  Store.layerMemory
)
