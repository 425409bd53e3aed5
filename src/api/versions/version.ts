import type { Step } from "./translation.ts";

/**
 * One dated version of the API (rule I9). The newest is the model; an older one is the list of its differences from
 * the next newer, so routes and services know one shape only.
 */
export interface ApiVersion {
  readonly date: string;
  /** From the next older than the newest down to this one; none for the newest. */
  readonly steps: readonly Step[];
  /** Paths that belong to the user whom a header names; null: the version has no such header and refuses it. */
  readonly userPaths: readonly string[] | null;
  /** Schemas of the newest version that do not exist in this one. */
  readonly lacksTypes: ReadonlySet<string>;
}

/** Whether a path belongs to the user whom a header names. */
export function needsUser({ userPaths }: ApiVersion, path: string): boolean {
  return userPaths?.some((owned) => path === owned || path.startsWith(`${owned}/`)) ?? false;
}
