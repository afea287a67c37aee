/** Package managers of languages: they fetch, build and run code. */
import type { Program } from "../Program.ts"

export const languagePackages: Program = {
  names: `cargo rustup rustc go gem bundle bundler composer nuget luarocks cpan cpanm opam hex mill coursier cs vcpkg
    conan swiftpm pod carthage asdf mise sdk`.split(/\s+/),
  does: "controls",
  because: "fetches, builds or runs code",
  examples: {
    allowed: ["grep -n 'cargo' notes.txt", "echo cargo"],
    refused: ["cargo build --release", "cargo test", "cargo install x", "go test ./...", "composer test"]
  }
}
