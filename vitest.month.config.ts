import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

export default mergeConfig(
  {
    ...base,
    test: {
      ...base.test,
      include: [
        ,
        "test/engine/smart/vehicle-week.test.ts",
        "test/engine/model.test.ts",
        "test/sync/webhook-days.test.ts",
        "test/api/vehicle-smart-restarts.test.ts",
      ],
      exclude: [],
    },
  },
  defineConfig({ test: { include: ["test/month/**/*.test.ts"], testTimeout: 1_800_000 } }),
);
