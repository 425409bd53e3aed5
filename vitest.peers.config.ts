import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: [] } },
  // Peers run in real time: on a machine that is busy one may answer late, and is given a second chance.
  defineConfig({ test: { include: ["test/peers/**/*.test.ts"], testTimeout: 600_000, retry: 1 } }),
);
