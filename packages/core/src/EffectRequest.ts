/**
 * A request for one effect of one catalog. Only a catalog makes one ({@link makeEffectRequest} is kept to the
 * catalog package by lint): a name with arguments is not a request, and there is no way to execute a name.
 */
import type { CallId } from "./Identifiers.ts"
import type { Json } from "./Json.ts"

/** Identifies the catalog that made a request, by identity. */
export interface RequestOwner {
  readonly id: string
}

export class EffectRequest {
  readonly callId: CallId
  /** The entry's name at the time of the request; the binding stage compares it. */
  readonly name: string
  /** Deeply frozen. */
  readonly arguments: Json
  readonly #owner: RequestOwner

  private constructor(callId: CallId, name: string, args: Json, owner: RequestOwner) {
    this.callId = callId
    this.name = name
    this.arguments = args
    this.#owner = owner
    Object.freeze(this)
  }

  /** Whether `value` is a genuine request made by `owner`. Copies and look-alikes are not. */
  static isOwnedBy(value: unknown, owner: RequestOwner): value is EffectRequest {
    return typeof value === "object" && value !== null && #owner in value && value.#owner === owner
  }

  /** @internal */
  static make(callId: CallId, name: string, args: Json, owner: RequestOwner): EffectRequest {
    return new EffectRequest(callId, name, args, owner)
  }
}
