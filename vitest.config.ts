import { defineConfig } from "vitest/config";

/** Tests that live through days or years; they run with the month. */
export const DAYS_OF_A_HOME = [
  "test/engine/smart/vehicle-week.test.ts",
  "test/engine/model.test.ts",
  "test/engine/checks/installation-swaps.test.ts",
  "test/sync/webhook-days.test.ts",
  "test/api/smart/vehicle-smart-restarts.test.ts",
  "test/api/hem/hem-systems.test.ts",
  "test/api/statistics/statistics.test.ts",
  "test/api/statistics/statistics-production.test.ts",
  "test/domain/schedules/schedule-zones.test.ts",
  "test/engine/schedules/seeded-days.test.ts",
  "test/store/telemetry/roll-up.test.ts",
];

/** What `npm test` runs: no network beyond loopback, no recordings, no peers that Debian has to install. */
export default defineConfig({
  ssr: { resolve: { conditions: ["source", "module", "node"], externalConditions: ["source", "node"] } },
  resolve: { conditions: ["source", "module", "node"] },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [
      ...DAYS_OF_A_HOME,
      "test/recordings/**",
      "test/peers/**",
      "test/crash/**",
      "test/fuzz/**",
      "test/browser/**",
      "test/conformance/**",
      "test/openapi/**",
      "test/month/**",
      "test/clouds-month/clouds.test.ts",
      "test/week/**",
      "test/schedules/**",
      "test/cloud-receiver/**",
    ],
    testTimeout: 60_000,
    // The default leaves a core idle, and loads all modules anew for each file: that was half of the time.
    maxWorkers: "100%",
    isolate: false,
  },
});
