/** What of a submitted schedule must exist, and be the user's. */
import { type Issue, type ProblemError, problem } from "../../domain/problem.ts";
import type { NewSchedule } from "../../domain/schedule.ts";
import type { Locations } from "../services/places.ts";
import type { Assets } from "../services.ts";

export interface CheckSources {
  readonly assets: Pick<Assets, "get">;
  readonly locations: Pick<Locations, "get">;
}

const TAKEN = "Another schedule is active for this target";

/**
 * Throws `bad-request` with issues. Of a change only what it changes is looked at: a schedule whose device is gone can
 * still be switched off.
 */
export function checkPlaces(
  userId: string,
  after: NewSchedule,
  before: NewSchedule | null,
  { assets, locations }: CheckSources,
): void {
  const issues: Issue[] = [];
  const isTargetNew = after.targetId !== before?.targetId || after.targetType !== before.targetType;
  if (isTargetNew && assets.get(after.targetType, after.targetId)?.userId !== userId) {
    issues.push(missing("targetId", `The user has no ${after.targetType} with this id`));
  }
  const locationId = locationOf(after);
  const isLocationNew = before === null || locationId !== locationOf(before);
  if (locationId !== null && isLocationNew && locations.get(locationId)?.userId !== userId) {
    issues.push(missing("locationId", "The user has no location with this id"));
  }
  const [first] = issues;
  if (first !== undefined) throw problem("bad-request", `body.${first.path.join(".")}: ${first.message}`, { issues });
}

/** Two schedules would be in charge of one target (supplement 7.5). */
export function targetTaken(): ProblemError {
  return problem("bad-request", TAKEN, { title: TAKEN });
}

function locationOf(schedule: NewSchedule): string | null {
  return schedule.targetType === "hvac" ? null : schedule.locationId;
}

function missing(field: string, message: string): Issue {
  return { code: "custom", path: [field], message, in: "body" };
}
