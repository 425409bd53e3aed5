import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** One file after the other in one process, so that what a run finds depends on its seed alone. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: ["test/fuzz/**/*.test.ts"],
      testTimeout: 600_000,
      fileParallelism: false,
      execArgv: ["--expose-gc"],
      // One seed for all files.
      env: { FUZZ_SEED: process.env["FUZZ_SEED"] ?? String(Date.now() % 1_000_000_000) },
    },
  }),
);
