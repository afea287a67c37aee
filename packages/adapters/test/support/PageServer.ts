/** A site on loopback with one page a path. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type RuntimeEvent, RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import { SafeHttp, type SafeHttpSettings } from "@gatehouse/policy/http/SafeHttp"
import { Resolver } from "@gatehouse/policy/urls/Resolver"
import { UrlPolicy, type UrlPolicySettings } from "@gatehouse/policy/urls/UrlPolicy"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export interface Page {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly serve?: (request: IncomingMessage, response: ServerResponse) => void
}

export interface Site {
  readonly origin: string
  readonly requests: ReadonlyArray<string>
}

export const serveSite = (pages: Readonly<Record<string, Page>>) =>
  Effect.acquireRelease(
    Effect.async<{ readonly site: Site; readonly close: () => void }>((resume) => {
      const requests: Array<string> = []
      const server = createServer((request, response) => {
        requests.push(request.url ?? "")
        const page = pages[request.url ?? ""] ?? { status: 404, body: "not here" }
        if (page.serve !== undefined) return page.serve(request, response)
        const type: Record<string, string> = page.type === undefined ? {} : { "content-type": page.type }
        response.writeHead(page.status ?? 200, { ...type, ...page.headers }).end(page.body ?? "")
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const close = (): void => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ site: { origin: `http://site.example:${port}`, requests }, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ site }) => site))

/** Services of `web_extract`, its names leading to loopback, its events kept. */
export const webLayer = (
  events: Array<RuntimeEvent> = [],
  policy: UrlPolicySettings = { mode: "private-allowed" },
  settings: SafeHttpSettings = {}
) =>
  Layer.mergeAll(
    SafeHttp.layer(settings).pipe(Layer.provideMerge(UrlPolicy.layer(policy))),
    RuntimeEvents.layerMemory(events)
  ).pipe(
    Layer.provide(
      Resolver.layerTable({ "site.example": ["127.0.0.1"], "bad.example": ["10.0.0.1", "169.254.169.254"] })
    ),
    Layer.orDie
  )
