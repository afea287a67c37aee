import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ArtifactId } from "@gatehouse/core/Identifiers"
import { Artifacts, type ArtifactsOptions } from "@gatehouse/process/Artifacts"
import { clearance, type Occupant } from "@gatehouse/process/artifacts/Quota"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FastCheck from "fast-check"
import { homeAt, temporaryFolder } from "./Support.ts"

const withArtifacts = <A, E>(
  use: (root: string, artifacts: Artifacts["Type"]) => Effect.Effect<A, E>,
  options: ArtifactsOptions = {}
) =>
  Effect.scoped(
    Effect.flatMap(temporaryFolder, (root) =>
      Effect.flatMap(Artifacts, (artifacts) => use(root, artifacts)).pipe(
        Effect.provide(Layer.provide(Artifacts.layer(options), homeAt(root)))
      )
    )
  )

const store = (artifacts: Artifacts["Type"], text: string) =>
  Effect.scoped(
    Effect.flatMap(artifacts.create("stdout.log", "text/plain"), ({ finish, write }) =>
      Effect.zipRight(write(Buffer.from(text)), finish)
    )
  )

const mode = (path: string): string => (fs.statSync(path).mode & 0o777).toString(8)

describe("an artifact", () => {
  it.live("is a private file under a name that nobody chose, with its size and digest", () =>
    withArtifacts((root, artifacts) =>
      Effect.gen(function* () {
        const before = process.umask(0o277)
        const reference = yield* Effect.ensuring(
          store(artifacts, "hello"),
          Effect.sync(() => process.umask(before))
        )
        const sha256 = createHash("sha256").update("hello").digest("hex")
        assert.deepInclude(reference, { name: "stdout.log", mediaType: "text/plain", bytes: 5, sha256 })
        const path = yield* artifacts.locate(reference.id)
        assert.strictEqual(path, join(root, "artifacts", reference.id, "stdout.log"))
        assert.match(reference.id, /^artifact_[0-9a-f]{32}$/)
        assert.deepStrictEqual([path, dirname(path), join(root, "artifacts")].map(mode), ["600", "700", "700"])
        assert.strictEqual(mode(join(dirname(path), "about.json")), "600")
      })
    )
  )

  it.live("keeps what was written when its scope closes early", () =>
    withArtifacts((_root, artifacts) =>
      Effect.gen(function* () {
        yield* Effect.scoped(
          Effect.flatMap(artifacts.create("part.log", "text/plain"), ({ write }) => write(Buffer.from("part")))
        )
        const [summary] = yield* artifacts.list
        assert.deepInclude(summary, { name: "part.log", bytes: 4, inUse: false })
      })
    )
  )

  it.live("is refused under any name that is not one plain file name", () =>
    withArtifacts((_root, artifacts) =>
      Effect.gen(function* () {
        for (const name of ["../x", "a/b", "", ".hidden", "..", "a\0b", "x".repeat(65), "/etc/passwd"]) {
          const error = yield* Effect.flip(Effect.scoped(artifacts.create(name, "text/plain")))
          assert.strictEqual(error.reason, "open")
          assert.match(error.message, /^name:/)
        }
      })
    )
  )

  it.live("is not found under an id that is a path or made up", () =>
    withArtifacts((_root, artifacts) =>
      Effect.gen(function* () {
        for (const id of ["../../etc/passwd", `artifact_${"0".repeat(32)}`, "artifact_../x", ""]) {
          const error = yield* Effect.flip(artifacts.locate(ArtifactId(id)))
          assert.strictEqual(error.reason, "not_found")
        }
      })
    )
  )

  it.live("is not written through a link or a file at the place of its folder", () =>
    withArtifacts((root, artifacts) =>
      Effect.gen(function* () {
        fs.mkdirSync(join(root, "elsewhere"))
        fs.symlinkSync(join(root, "elsewhere"), join(root, "artifacts"))
        assert.strictEqual((yield* Effect.flip(store(artifacts, "x"))).reason, "open")
        assert.deepStrictEqual(fs.readdirSync(join(root, "elsewhere")), [])
        fs.unlinkSync(join(root, "artifacts"))
        fs.writeFileSync(join(root, "artifacts"), "")
        assert.strictEqual((yield* Effect.flip(store(artifacts, "x"))).reason, "open")
      })
    )
  )
})

describe("room for artifacts", () => {
  it.live("is made by removing the oldest, and never one in use", () =>
    withArtifacts(
      (_root, artifacts) =>
        Effect.gen(function* () {
          const first = yield* store(artifacts, "a".repeat(400))
          yield* Effect.sleep(5)
          const second = yield* store(artifacts, "b".repeat(400))
          yield* Effect.scoped(
            Effect.gen(function* () {
              const open = yield* artifacts.create("stdout.log", "text/plain")
              yield* open.write(Buffer.alloc(400, "c"))
              assert.deepStrictEqual((yield* artifacts.list).map(({ id }) => id).sort(), [second.id, open.id].sort())
              const error = yield* Effect.flip(open.write(Buffer.alloc(900, "d")))
              assert.strictEqual(error.reason, "quota")
              assert.match(error.remedy, /artifacts prune/)
              assert.strictEqual((yield* Effect.flip(artifacts.locate(first.id))).reason, "not_found")
              yield* artifacts.locate(open.id)
            })
          )
        }),
      { quotaBytes: 1000 }
    )
  )

  it.live("is made on demand, and says what went", () =>
    withArtifacts((root, artifacts) =>
      Effect.gen(function* () {
        const first = yield* store(artifacts, "a".repeat(10))
        yield* Effect.sleep(5)
        const second = yield* store(artifacts, "b".repeat(10))
        const gone = yield* artifacts.prune(15)
        assert.deepStrictEqual(
          gone.map(({ id }) => id),
          [first.id]
        )
        assert.deepStrictEqual(fs.readdirSync(join(root, "artifacts")), [second.id])
      })
    )
  )

  it.live("is not made at the cost of another host that lives; what a dead one left half done goes like the rest", () =>
    withArtifacts((root, artifacts) =>
      Effect.gen(function* () {
        const leave = (id: string, owner: string) => {
          fs.mkdirSync(join(root, "artifacts", id), { recursive: true })
          const about = { name: "stdout.log", mediaType: "text/plain", createdAt: 1, owner, bytes: null, sha256: null }
          fs.writeFileSync(join(root, "artifacts", id, "about.json"), JSON.stringify(about))
          fs.writeFileSync(join(root, "artifacts", id, "stdout.log"), "x".repeat(50))
        }
        const finished = yield* store(artifacts, "own")
        const place = JSON.parse(
          fs.readFileSync(join(root, "artifacts", finished.id, "about.json"), "utf8")
        ).owner.split("-")
        // The parent of this process lives, and is another host as far as anybody can tell.
        const stat = fs.readFileSync(`/proc/${process.ppid}/stat`, "utf8")
        const startedAt = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
        const living = `artifact_${"1".repeat(32)}`
        const dead = `artifact_${"2".repeat(32)}`
        leave(living, [process.ppid, startedAt, ...place.slice(2)].join("-"))
        leave(dead, [process.ppid, "1", ...place.slice(2)].join("-"))
        yield* artifacts.prune(0)
        assert.deepStrictEqual(fs.readdirSync(join(root, "artifacts")), [living])
      })
    )
  )

  it("is decided the same way for any set of artifacts", () => {
    const occupant = FastCheck.record({
      id: FastCheck.uuid(),
      bytes: FastCheck.nat(1000),
      createdAt: FastCheck.nat(100),
      inUse: FastCheck.boolean()
    })
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(occupant),
        FastCheck.nat(5000),
        (occupants: ReadonlyArray<Occupant>, bytes) => {
          const { remaining, remove } = clearance(occupants, bytes)
          const kept = occupants.filter((it) => !remove.includes(it))
          assert.strictEqual(
            kept.reduce((sum, it) => sum + it.bytes, 0),
            remaining
          )
          assert.isFalse(remove.some(({ inUse }) => inUse))
          if (remaining > bytes) assert.isTrue(kept.every(({ inUse }) => inUse))
          for (const gone of remove) {
            for (const stays of kept) if (!stays.inUse) assert.isAtMost(gone.createdAt, stays.createdAt)
          }
        }
      )
    )
  })
})
