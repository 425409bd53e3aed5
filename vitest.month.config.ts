import { defineConfig, mergeConfig } from "vitest/config";
import base, { DAYS_OF_A_HOME } from "./vitest.config.ts";

export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: [] } },
  defineConfig({ test: { include: ["test/month/**/*.test.ts", ...DAYS_OF_A_HOME], testTimeout: 1_800_000 } }),
);
