/**
 * The composed host: every service of Gatehouse, live, over one home. A platform team replaces a piece with
 * `Layer.provide`, or adds a source of effects, without touching the rest.
 */

import { join } from "node:path"
import { AuthoredSource } from "@gatehouse/adapters/authored/AuthoredSource"
import { BuiltinSource } from "@gatehouse/adapters/builtin/BuiltinSource"
import { HistoryAccess } from "@gatehouse/adapters/builtin/sessions/HistoryAccess"
import { sessionSearchEntry } from "@gatehouse/adapters/builtin/sessions/SessionSearch"
import { TaskAccess } from "@gatehouse/adapters/builtin/tasks/TaskAccess"
import { taskEntries } from "@gatehouse/adapters/builtin/tasks/TaskTools"
import { CommandSettings } from "@gatehouse/adapters/builtin/terminal/CommandSettings"
import { terminalEntry } from "@gatehouse/adapters/builtin/terminal/Terminal"
import { webExtractEntry } from "@gatehouse/adapters/builtin/web-extract/WebExtract"
import { McpConnections } from "@gatehouse/adapters/mcp/McpConnections"
import { McpSource } from "@gatehouse/adapters/mcp/McpSource"
import { ServerQuestions } from "@gatehouse/adapters/mcp/ServerQuestions"
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import { Catalogs } from "@gatehouse/catalog/Catalogs"
import { controlPlaneLayer } from "@gatehouse/control-plane/ControlPlane"
import { dailyRetentionLayer } from "@gatehouse/control-plane/maintenance/DailyRetention"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import type { EffectSource } from "@gatehouse/core/EffectSource"
import { Home } from "@gatehouse/core/Home"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import { Approvals } from "@gatehouse/policy/approvals/Approvals"
import { mergePolicy } from "@gatehouse/policy/approvals/PolicyMerge"
import { CommandReview } from "@gatehouse/policy/commands/CommandReview"
import { EnvironmentPolicy } from "@gatehouse/policy/environment/EnvironmentPolicy"
import { SafeHttp } from "@gatehouse/policy/http/SafeHttp"
import { Workspaces } from "@gatehouse/policy/paths/Workspaces"
import { Redactor } from "@gatehouse/policy/redaction/Redactor"
import type { RedactionAdditions } from "@gatehouse/policy/redaction/text/SecretText"
import { SecretBinder } from "@gatehouse/policy/secrets/SecretBinder"
import { CoreEgress } from "@gatehouse/policy/urls/CoreEgress"
import { Resolver } from "@gatehouse/policy/urls/Resolver"
import { UrlPolicy } from "@gatehouse/policy/urls/UrlPolicy"
import { Artifacts } from "@gatehouse/process/Artifacts"
import { Processes } from "@gatehouse/process/Processes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { childHomeName } from "./home/HostHome.boundary.ts"
import { AdmittedTurns } from "./runtime/AdmittedTurns.ts"
import type { Dependencies } from "./runtime/Dependencies.ts"
import { EffectRuntime } from "./runtime/EffectRuntime.ts"
import { currentStandingAnswers } from "./settings/CurrentStandingAnswers.ts"
import { type HostSettings, retentionOf } from "./settings/HostSettings.ts"
import type { PlacedHostSettings } from "./settings/ReadHostSettings.boundary.ts"
import { principalName } from "./settings/StandingPrincipals.ts"
import { commandSetting, coreEgress } from "./settings/TurnSettings.ts"
import { backgroundCommandsLayer } from "./tasks/BackgroundCommands.ts"
import { EffectSources } from "./turns/EffectSources.ts"
import { Turns } from "./turns/Turns.ts"

export interface HostOptions {
  readonly settings: PlacedHostSettings
  /** The host's own variables. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform: "posix" | "windows"
  /** The home of the person whose machine it is: what `~` stands for. */
  readonly userHome: string
  /** What cores want hidden besides; it only adds. Default: nothing. */
  readonly redaction?: RedactionAdditions
  /** Sources besides the three that Gatehouse brings along. */
  readonly sources?: ReadonlyArray<EffectSource>
  /** Text of running calls, for whoever watches. */
  readonly live?: NonNullable<Dependencies["live"]>
  /** Milliseconds that a question waits for its answer. Default: ten minutes. */
  readonly questionMillis?: number
  /** The same for opening a server, where no call waits for it. Default: as {@link questionMillis}. */
  readonly openingQuestionMillis?: number
  /** Milliseconds that a cut-off adapter has to confirm its cleanup. Default: ten seconds. */
  readonly cleanupLimitMillis?: number
}

/** Every service of a host except who is asked: that is `ApprovalPrompter`, given by the face (terminal, endpoint, test). */
export const hostLayer = (options: HostOptions) =>
  hostServicesLayer(options).pipe(Layer.provideMerge(controlPlaneLayer), Layer.provideMerge(redactorLayer(options)))

/** The same over a store and a redactor of the caller's own. */
export const hostServicesLayer = (options: HostOptions) =>
  Turns.layer.pipe(
    Layer.provideMerge(sourcesLayer(options)),
    Layer.provideMerge(
      EffectRuntime.layer({
        globalApproval: options.settings.approval,
        hostEnvironment: options.environment,
        ...(options.live === undefined ? {} : { live: options.live }),
        ...(options.questionMillis === undefined ? {} : { questionMillis: options.questionMillis }),
        ...(options.openingQuestionMillis === undefined
          ? {}
          : { openingQuestionMillis: options.openingQuestionMillis }),
        ...(options.cleanupLimitMillis === undefined ? {} : { cleanupLimitMillis: options.cleanupLimitMillis })
      })
    ),
    Layer.provideMerge(approvalsLayer(options)),
    Layer.provideMerge(
      Layer.mergeAll(
        decidingLayer(options),
        actingLayer(options),
        dailyRetentionLayer(retentionOf(options.settings.settings))
      )
    )
  )

/** What hides secrets, under the owner's additions. */
export const redactorLayer = ({ environment, redaction, settings }: HostOptions) =>
  Layer.unwrapEffect(
    Effect.map(Home, ({ key }) =>
      Redactor.layer({
        homeKey: key,
        hostEnvironment: environment,
        additions: {
          fieldNames: [...settings.settings.redaction.field_names, ...(redaction?.fieldNames ?? [])],
          patterns: [...settings.settings.redaction.patterns, ...(redaction?.patterns ?? [])]
        }
      })
    )
  )

/** Who may say yes: policy, the owner's standing answers, and the prompter at hand. */
export const approvalsLayer = ({ settings }: HostOptions) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const { key, root } = yield* Home
      return Approvals.layer({
        fingerprintKey: key,
        standing: yield* currentStandingAnswers(root, settings.settings.standing_answers),
        principalName: principalName(yield* Principals)
      })
    })
  )

/** What decides: services over the host's settings that do nothing to the machine. */
export const decidingLayer = ({ environment, platform, settings, userHome }: HostOptions) =>
  Layer.unwrapEffect(
    Effect.map(Home, ({ root }) =>
      Layer.mergeAll(
        Catalogs.layer({ merge: mergePolicy, global: settings.approval }),
        AgentCores.layer,
        AdmittedTurns.layer,
        CommandReview.layer,
        SecretBinder.layer({ hostEnvironment: environment, platform }),
        EnvironmentPolicy.layer({
          hostEnvironment: environment,
          platform,
          controlledHome: join(root, childHomeName),
          settings: settings.settings.environment
        }),
        Workspaces.layer({ home: userHome, hostPlaces: [root], platform })
      )
    )
  )

/** Which addresses may be spoken to, by the owner's settings. */
export const urlPolicyLayer = ({ network }: HostSettings) =>
  UrlPolicy.layer({
    mode: network.private_addresses === "allowed" ? "private-allowed" : "default",
    egress: [{ origin: "settings.yaml network", allow: network.allow_hosts ?? null, deny: network.deny_hosts }]
  })

/** What acts on the machine. What a host that was killed left behind is ended when the next one starts. */
const actingLayer = ({ settings: { certificates, settings } }: HostOptions) =>
  Layer.mergeAll(
    Layer.effectDiscard(Effect.flatMap(Processes, ({ sweep }) => Effect.ignoreLogged(sweep))),
    SafeHttp.layer({
      ca: certificates,
      ...(settings.network.proxy === undefined ? {} : { proxy: { url: settings.network.proxy } })
    }).pipe(Layer.provideMerge(urlPolicyLayer(settings)), Layer.provide(Resolver.layer))
  ).pipe(
    Layer.provideMerge(Processes.layer()),
    Layer.provideMerge(Artifacts.layer({ quotaBytes: settings.artifacts.quota_mib * 1024 * 1024 }))
  )

const sourcesLayer = ({ environment, platform, settings, sources = [] }: HostOptions) =>
  Layer.effect(
    EffectSources,
    Effect.gen(function* () {
      return [yield* BuiltinSource, yield* AuthoredSource, yield* McpSource, ...sources]
    })
  ).pipe(
    Layer.provide(Layer.mergeAll(builtinLayer({ settings }), AuthoredSource.layer, McpSource.layer)),
    Layer.provide(Layer.mergeAll(backgroundCommandsLayer, TaskAccess.layer, HistoryAccess.layer)),
    Layer.provideMerge(
      McpConnections.layer({ global: settings.approval, environment, platform }).pipe(
        Layer.provide(ServerQuestions.layerNobody)
      )
    ),
    Layer.provide(coreEgressLayer)
  )

/** The egress rules of a turn's core, for whatever speaks to the network. */
export const coreEgressLayer = Layer.effect(
  CoreEgress,
  Effect.map(AdmittedTurns, (turns) => ({
    rulesFor: (turn: TurnContext) => {
      const core = turns.coreOf(turn)
      return core === null ? [] : coreEgress(core)
    }
  }))
)

/** The effects that Gatehouse brings along, over whatever acts; each asks for the settings of its turn. */
export const builtinLayer = ({ settings: { settings } }: Pick<HostOptions, "settings">) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const turns = yield* AdmittedTurns
      const commands = { of: (turn: TurnContext) => commandSetting(turns.coreOf(turn), settings) }
      return BuiltinSource.layer({
        catalogOf: (turn) => turns.admissionOf(turn)?.catalog.entries ?? [],
        more: [
          yield* Effect.provideService(terminalEntry, CommandSettings, commands),
          yield* webExtractEntry,
          ...(yield* taskEntries),
          yield* sessionSearchEntry
        ]
      })
    })
  )
