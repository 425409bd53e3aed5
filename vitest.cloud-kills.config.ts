import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.cloud-receiver.config.ts";

/** The tests in which programs die or the line is cut, for long: `CLOUD_KILLS` and `CLOUD_CUTS` times each. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: {
      include: ["test/cloud-receiver/{kills,line}.test.ts"],
      env: { CLOUD_KILLS: process.env["CLOUD_KILLS"] ?? "50", CLOUD_CUTS: process.env["CLOUD_CUTS"] ?? "10" },
      fileParallelism: false,
    },
  }),
);
