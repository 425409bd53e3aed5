import type { VersionStep } from "./step.ts";

/** What 2023-04-15 changed: two more reasons why a smart charging plan failed. */
export const VERSION_2023_04_01: VersionStep = {
  date: "2023-04-01",
  records: {},
  routes: {},
  lacks: [],
};
