import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: ["test/browser/*.test.ts"],
      globalSetup: ["test/browser/unpack-browser.ts"],
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
  }),
);
