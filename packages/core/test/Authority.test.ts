import { Authorized } from "@gatehouse/core/Authorized"
import { EffectRequest } from "@gatehouse/core/EffectRequest"
import { CallId, PrincipalId } from "@gatehouse/core/Identifiers"
import { makePrincipalIssuer } from "@gatehouse/core/PrincipalIssuer"
import { assert, describe, it } from "vitest"

describe("a principal scope", () => {
  const issuer = makePrincipalIssuer()
  const scope = issuer.issue(PrincipalId("p"), "user")

  it("is recognised by its issuer only, and by identity", () => {
    assert.isTrue(issuer.recognises(scope))
    assert.isFalse(issuer.recognises({ ...scope }))
    assert.isFalse(makePrincipalIssuer().recognises(scope))
  })

  it("cannot be made an operator afterwards", () => {
    assert.isTrue(Object.isFrozen(scope))
    assert.throws(() => Object.assign(scope, { kind: "operator" }))
  })

  it("ends with its revocation, and with the host", () => {
    const own = makePrincipalIssuer()
    const first = own.issue(PrincipalId("p"), "user")
    const second = own.issue(PrincipalId("p"), "user")
    own.revoke(first)
    assert.isFalse(own.recognises(first))
    assert.isTrue(own.recognises(second))
    own.close()
    assert.isFalse(own.recognises(second))
  })
})

describe("a request", () => {
  const owner = { id: "catalog" }
  const request = EffectRequest.make(CallId("c"), "read_file", { path: "x" }, owner)

  it("belongs to the catalog that made it, by identity", () => {
    assert.isTrue(EffectRequest.isOwnedBy(request, owner))
    assert.isFalse(EffectRequest.isOwnedBy(request, { id: "catalog" }))
  })

  it("is not a name with arguments, nor a copy, nor a look-alike", () => {
    assert.isFalse(EffectRequest.isOwnedBy({ name: "read_file", arguments: {} }, owner))
    assert.isFalse(EffectRequest.isOwnedBy({ ...request }, owner))
    assert.isFalse(EffectRequest.isOwnedBy(Object.create(EffectRequest.prototype), owner))
    assert.isFalse(EffectRequest.isOwnedBy(null, owner))
  })

  it("cannot be changed", () => {
    assert.throws(() => Object.assign(request, { name: "terminal" }))
  })
})

describe("an authorized value", () => {
  it("is recognised by what minted it, not by its shape", () => {
    assert.isFalse(Authorized.is({ call: {}, prepared: {} }))
    assert.isFalse(Authorized.is(Object.create(Authorized.prototype)))
    assert.isFalse(Authorized.is(null))
  })
})
