/** The private folder of a host, and the key that only this home has. Made by the host before anything else. */
import * as Context from "effect/Context"

export class Home extends Context.Tag("@gatehouse/core/Home")<
  Home,
  {
    /** Absolute; mode 0700. */
    readonly root: string
    /** 32 random bytes, kept in a file of mode 0600: for keyed fingerprints and signed spawn ids. */
    readonly key: Uint8Array
  }
>() {}
