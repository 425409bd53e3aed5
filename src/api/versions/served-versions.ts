import { VERSION_2023_04_01 } from "./2023-04-01.ts";
import { VERSION_2023_04_15 } from "./2023-04-15.ts";
import { VERSION_2023_05_01 } from "./2023-05-01.ts";
import { VERSION_2023_08_01 } from "./2023-08-01.ts";
import { VERSION_2024_01_01 } from "./2024-01-01.ts";
import { createRouteTable } from "./route-table.ts";
import type { VersionStep } from "./step.ts";
import type { Step } from "./translation.ts";
import type { ApiVersion } from "./version.ts";

/** What new clients are pinned to and what answers without a client say. It is the model: nothing is mapped. */
export const NEWEST_VERSION: ApiVersion = { date: "2024-10-01", steps: [], userPaths: null, lacksTypes: new Set() };

/** Each against the one before it. */
const OLDER: readonly VersionStep[] = [
  VERSION_2024_01_01,
  VERSION_2023_08_01,
  VERSION_2023_05_01,
  VERSION_2023_04_15,
  VERSION_2023_04_01,
];

const STEPS: readonly Step[] = OLDER.map((says) => ({
  says,
  routes: createRouteTable(Object.entries(says.routes)),
  lacks: createRouteTable(says.lacks.map((route) => [route, true as const])),
}));

/** Newest first. */
export const SERVED_VERSIONS: readonly ApiVersion[] = [
  NEWEST_VERSION,
  ...STEPS.map((step, at): ApiVersion => {
    const steps = STEPS.slice(0, at + 1);
    const lacksTypes = new Set(steps.flatMap(({ says }) => says.lacksTypes ?? []));
    return {
      lacksTypes,
      date: step.says.date,
      steps,
      userPaths: steps.findLast(({ says }) => says.userPaths)?.says.userPaths ?? null,
    };
  }),
];

export function findVersion(date: string): ApiVersion | null {
  return SERVED_VERSIONS.find((version) => version.date === date) ?? null;
}

/** The served versions as a sentence names them. */
export function servedDates(): string {
  return SERVED_VERSIONS.map(({ date }) => date).join(", ");
}
