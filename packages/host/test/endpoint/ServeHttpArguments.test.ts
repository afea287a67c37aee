import { existsSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { openHttp } from "@gatehouse/host/cli/verbs/ServeHttp"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { cliPlace, commandLayer } from "../support/CliPlace.ts"

describe("what is asked of --http before anything is opened", () => {
  const cases: ReadonlyArray<readonly [string, object, string]> = [
    ["somewhere", {}, "HOST:PORT"],
    ["0.0.0.0:0", {}, "can be reached from other machines"],
    ["[::]:0", {}, "can be reached from other machines"],
    ["0.0.0.0:0", { allowRemote: true, withoutToken: true }, "this machine only"],
    ["127.0.0.1:0", { tlsCert: Option.some("cert.pem") }, "go together"],
    ["127.0.0.1:0", { tlsCert: Option.some("no.pem"), tlsKey: Option.some("no.pem") }, "cannot be read"]
  ]
  for (const [address, more, told] of cases) {
    it.scoped(`${address} ${JSON.stringify(more)}`, () =>
      Effect.gen(function* () {
        const place = yield* cliPlace({})
        const plain = {
          allowRemote: false,
          withoutToken: false,
          names: [],
          tlsCert: Option.none(),
          tlsKey: Option.none()
        }
        const failure = yield* openHttp(address, {
          ...place.places,
          http: Option.some(address),
          ...plain,
          ...more
        }).pipe(Effect.provide(commandLayer(place)), Effect.flip)
        assert.include(failure.message, told)
        assert.strictEqual(failure.status, "invalid")
        assert.isFalse(existsSync(place.home), "the home")
      })
    )
  }
})
