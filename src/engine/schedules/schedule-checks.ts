/** What of a submitted schedule must exist, and be the user's. */
import { setpointFault } from "../../domain/actions/action-refusal.ts";
import { type Issue, type ProblemError, problem } from "../../domain/problem.ts";
import type { NewSchedule } from "../../domain/schedules/schedule.ts";
import { isSameTarget } from "../../domain/schedules/schedule-target.ts";
import type { Assets } from "../contracts/engine.ts";
import type { Locations } from "../contracts/places.ts";

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
  issues.push(...setpointIssues(after, before, assets));
  const [first] = issues;
  if (first !== undefined) throw problem("bad-request", `body.${first.path.join(".")}: ${first.message}`, { issues });
}

/** What a unit cannot be held at, as a hold is refused. A unit that cannot be controlled at all makes no issue here. */
function setpointIssues(after: NewSchedule, before: NewSchedule | null, assets: Pick<Assets, "get">): readonly Issue[] {
  const hvac = after.targetType === "hvac" ? assets.get("hvac", after.targetId) : null;
  if (after.targetType !== "hvac" || hvac === null) return [];
  const isTargetNew = before?.targetType !== "hvac" || before.targetId !== after.targetId;
  const known = isTargetNew ? [] : [before.defaultTargetState, ...before.rules.map(({ targetState }) => targetState)];
  const states = [
    { path: ["defaultTargetState"], target: after.defaultTargetState },
    ...after.rules.map(({ targetState }, at) => ({ path: ["rules", at, "targetState"], target: targetState })),
  ];
  return states.flatMap(({ path, target }): readonly Issue[] => {
    if (known.some((one) => isSameTarget(one, target))) return [];
    const message = setpointFault(target, hvac.capabilities);
    return message === null ? [] : [{ code: "custom", path, message, in: "body" }];
  });
}

/** Two schedules would be in charge of one target (rule S7.5). */
export function targetTaken(): ProblemError {
  return problem("bad-request", TAKEN, { title: TAKEN });
}

function locationOf(schedule: NewSchedule): string | null {
  return schedule.targetType === "hvac" ? null : schedule.locationId;
}

function missing(field: string, message: string): Issue {
  return { code: "custom", path: [field], message, in: "body" };
}
