import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** Lives of a gateway and its cloud service; `SYNC_SEEDS` says how many. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: ["test/sync/cloud/sync-lives.test.ts"],
      env: { SYNC_SEEDS: process.env["SYNC_SEEDS"] ?? "10000" },
    },
  }),
);
