/** The control plane of a home for commands that look at it, and start nothing. */
import { controlPlaneLayer } from "@gatehouse/control-plane/ControlPlane"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import { homeLayer } from "../home/HostHome.boundary.ts"
import { CommandFailed } from "./ExitStatus.ts"
import { homeFolder } from "./GlobalOptions.ts"
import { Invocation } from "./Invocation.ts"

/** The control plane of the home that was named; one that cannot be opened ends the command. */
export const localStoreLayer = (home: Option.Option<string>) =>
  Layer.unwrapEffect(
    Effect.map(Invocation, (invocation) =>
      Layer.mapError(
        Layer.provideMerge(controlPlaneLayer, homeLayer(homeFolder(home, invocation))),
        ({ message, remedy }) => new CommandFailed({ status: "failed", message, remedy })
      )
    )
  )

/** What the store says against a command, as the command says it. */
export const storeFailed = ({
  message,
  remedy
}: {
  readonly message: string
  readonly remedy: string
}): CommandFailed => new CommandFailed({ status: "failed", message, remedy })
