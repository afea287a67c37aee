/**
 * A host that decides and does nothing: the parts that decide are those of every host, the parts that act refuse. It
 * makes no home, opens no store, starts no process, opens no socket and writes no file; it reads the settings of the
 * home, the core, and what plans look at.
 */
import { AuthoredSource } from "@gatehouse/adapters/authored/AuthoredSource"
import { BuiltinSource } from "@gatehouse/adapters/builtin/BuiltinSource"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Home } from "@gatehouse/core/Home"
import { Entropy } from "@gatehouse/core/Identifiers"
import { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import { ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import { layerPendingApprovalsMemory } from "@gatehouse/policy/approvals/PendingApprovalsMemory"
import { EnvironmentPolicy } from "@gatehouse/policy/environment/EnvironmentPolicy"
import { Workspaces } from "@gatehouse/policy/paths/Workspaces"
import { CoreEgress } from "@gatehouse/policy/urls/CoreEgress"
import { Resolver } from "@gatehouse/policy/urls/Resolver"
import { UrlPolicy } from "@gatehouse/policy/urls/UrlPolicy"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  approvalsLayer,
  builtinLayer,
  coreEgressLayer,
  decidingLayer,
  type HostOptions,
  redactorLayer,
  urlPolicyLayer
} from "../Host.ts"
import { EffectSources } from "../turns/EffectSources.ts"
import { Turns } from "../turns/Turns.ts"
import { BroughtEntries } from "./BroughtEntries.ts"
import { closedServers } from "./ClosedServers.ts"
import { dryRuntimeLayer } from "./DryRuntime.ts"
import { DryDependencies, Explainer } from "./Explainer.ts"
import { refusingControlPlane, refusingHttp, refusingProcesses } from "./RefusingServices.ts"

/** The dry host over the home at `root`, which need not be there. Nobody can be asked in it. */
export const dryHostLayer = (root: string, options: HostOptions) => {
  const brought = new BroughtEntries()
  return Explainer.layer(options, brought).pipe(
    Layer.provideMerge(Turns.layer),
    Layer.provideMerge(sourcesLayer(options, brought)),
    Layer.provideMerge(dryRuntimeLayer),
    Layer.provideMerge(DryDependencies.layer(options)),
    Layer.provideMerge(approvalsLayer(options)),
    Layer.provideMerge(Layer.mergeAll(decidingLayer(options), refusingLayer(options))),
    Layer.provideMerge(inMemoryLayer),
    Layer.provideMerge(redactorLayer(options)),
    Layer.provideMerge(unmadeHome(root))
  )
}

const sourcesLayer = (options: HostOptions, brought: BroughtEntries) =>
  Layer.effect(
    EffectSources,
    Effect.gen(function* () {
      const servers = yield* closedServers({
        workspaces: yield* Workspaces,
        urls: yield* UrlPolicy,
        core: yield* CoreEgress,
        environments: yield* EnvironmentPolicy,
        host: { hostEnvironment: options.environment, platform: options.platform },
        key: (yield* Home).key
      })
      const sources = [yield* BuiltinSource, yield* AuthoredSource, servers, ...(options.sources ?? [])]
      return sources.map((source) => brought.noting(source))
    })
  ).pipe(Layer.provide(Layer.merge(builtinLayer(options), AuthoredSource.layer)), Layer.provide(coreEgressLayer))

const refusingLayer = ({ settings }: HostOptions) =>
  Layer.mergeAll(refusingControlPlane, refusingProcesses, refusingHttp, urlPolicyLayer(settings.settings)).pipe(
    Layer.provide(Resolver.layerTable({}))
  )

const inMemoryLayer = Layer.mergeAll(
  Principals.layerScopes,
  layerPendingApprovalsMemory,
  RuntimeEvents.layerNone,
  ApprovalPrompter.layerNever
).pipe(Layer.provideMerge(Principals.layerMemory))

/** A key that nobody keeps: what is fingerprinted in a dry run says nothing about any home. */
const unmadeHome = (root: string) =>
  Layer.effect(
    Home,
    Effect.map(Entropy, (entropy) => ({ root, key: entropy.bytes(32) }))
  )
