import { controlPlaneLayer } from "@gatehouse/control-plane/ControlPlane"
import { Store } from "@gatehouse/control-plane/Store"
import { Hosts } from "@gatehouse/control-plane/hosts/Hosts"
import { Home } from "@gatehouse/core/Home"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, rmSync, existsSync } from "node:fs"
const root = "/tmp/gh-open"; import { mkdirSync } from "node:fs"; mkdirSync(root,{recursive:true})
const home = Layer.succeed(Home, { root, key: new Uint8Array(32) })
await Effect.runPromise(Effect.void)
const t0=performance.now()
const m = await import("./dist/internal/sqlite/SqliteStore.boundary.js"); const t1=performance.now()
await Effect.runPromise(Effect.provide(Effect.sync(()=>{globalThis.t2=performance.now()}), Layer.provide(Store.layer, home))); const t3=performance.now()
await Effect.runPromise(Effect.provide(Effect.sync(()=>{globalThis.t4=performance.now()}), Layer.provide(Layer.provideMerge(Hosts.layer,Store.layer), home))); const t5=performance.now()
await Effect.runPromise(Effect.provide(Effect.sync(()=>{globalThis.t6=performance.now()}), Layer.provide(controlPlaneLayer, home))); const t7=performance.now()
console.log("import",(t1-t0).toFixed(1),"store first",(t2-t1).toFixed(1),"close",(t3-t2).toFixed(1),"store+hosts",(t4-t3).toFixed(1),"close",(t5-t4).toFixed(1),"all",(t6-t5).toFixed(1),"close",(t7-t6).toFixed(1))
