import { VERSION_2024_10_01 } from "./2024-10-01.ts";
import type { ApiVersion } from "./version.ts";

/** What new clients are pinned to and what answers without a client say. */
export const NEWEST_VERSION: ApiVersion = VERSION_2024_10_01;

const SERVED: ReadonlyMap<string, ApiVersion> = new Map([[VERSION_2024_10_01.date, VERSION_2024_10_01]]);

export function findVersion(date: string): ApiVersion | null {
  return SERVED.get(date) ?? null;
}

/** The served versions as a sentence names them. */
export function servedDates(): string {
  return [...SERVED.keys()].join(", ");
}
