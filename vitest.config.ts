import { defineConfig } from "vitest/config"

const conditions = ["source", "module", "import", "node", "default"]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    // Forked workers keep process groups, signals and the native module as they are in production.
    pool: "forks",
    // Node resolves what is not transformed, with the condition `source` too, which leads this package to TypeScript.
    server: { deps: { inline: [/@modelcontextprotocol\/sdk/, /eventsource-parser/] } },
    poolOptions: { forks: { maxForks: 2 } },
    setupFiles: ["test/support/Properties.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000
  }
})
