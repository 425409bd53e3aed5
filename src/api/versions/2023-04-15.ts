import type { VersionStep } from "./step.ts";

/** What 2023-05-01 changed: temperature schedules, and the name of the smart override. */
export const VERSION_2023_04_15: VersionStep = {
  date: "2023-04-15",
  records: {},
  routes: {},
  lacks: [],
};
