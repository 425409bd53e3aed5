import { defineConfig, mergeConfig } from "vitest/config";
import { RECORDINGS } from "./test/recordings/recordings.ts";
import base from "./vitest.config.ts";

/** Without recordings one test is left, which is skipped and says what brings them. */
const include = RECORDINGS === undefined ? "test/recordings/recordings.test.ts" : "test/recordings/**/*.test.ts";

export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: [] } },
  defineConfig({ test: { include: [include], testTimeout: 600_000 } }),
);
