/** Builders, test runners and linters: the project tells them what to run. */
import type { Program } from "../Program.ts"

export const builders: Program = {
  names: `make gmake cmake ninja meson gradle gradlew mvn mvnw ant bazel buck buck2 pants scons just task rake invoke
    nox tox pytest jest vitest mocha ava eslint prettier tsc mypy ruff black flake8 pylint pyright webpack vite
    rollup esbuild turbo nx lerna grunt gulp phpunit rspec ctest sbt lein stack cabal mix rebar3 dune zig gcc
    g++ cc c++ clang clang++ ld go-task pre-commit act protoc cargo-nextest`.split(/\s+/),
  does: "runs",
  because: "runs what the project says",
  examples: {
    allowed: ["grep -n 'make' notes.txt", "echo make"],
    refused: ["make test", "ninja", "pytest -q", "mypy src", "rake"]
  }
}
