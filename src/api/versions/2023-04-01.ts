import { was } from "./field-change.ts";
import { withoutValues } from "./schema-path.ts";
import type { VersionStep } from "./step.ts";

/** Reasons that 2023-04-15 was the first to know. */
const LATER = ["CHARGE_INTERRUPTED", "FINISHED_EARLY"];

/** What 2023-04-15 changed: more reasons why a smart charging plan failed. */
export const VERSION_2023_04_01: VersionStep = {
  date: "2023-04-01",
  records: {
    VehicleSmartChargingPlan: [
      was(
        "failureCondition",
        (reason) => (LATER.some((later) => later === reason) ? "UNKNOWN" : reason),
        ({ schema, isRequired }) => ({ schema: withoutValues(schema, LATER), isRequired }),
      ),
    ],
  },
  routes: {},
  lacks: [],
};
