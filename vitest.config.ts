import { defineConfig } from "vitest/config";

/** What `npm test` runs: no network beyond loopback, no recordings, no peers that Debian has to install. */
export default defineConfig({
  ssr: { resolve: { conditions: ["source", "module", "node"], externalConditions: ["source", "node"] } },
  resolve: { conditions: ["source", "module", "node"] },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [
      "test/recordings/**",
      "test/peers/**",
      "test/crash/**",
      "test/fuzz/**",
      "test/browser/**",
      "test/conformance/**",
      "test/openapi/**",
      "test/month/**",
      "test/week/**",
      "test/schedules/**",
    ],
    testTimeout: 20_000,
  },
});
