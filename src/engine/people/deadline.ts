/** Ends in wall-clock time that hold over restarts, on a machine whose clock may not be set yet. */
import type { Clock } from "../../platform/ports/ports.ts";
import type { DeadlineFields } from "../../store/records/people.ts";

type WallClock = Pick<Clock, "nowMs" | "quality">;

export function deadlineIn(lifeMs: number, clock: WallClock): DeadlineFields {
  const expiresAtMs = clock.nowMs() + lifeMs;
  return clock.quality() === "unset" ? { expiresAtMs, isDateUnsure: true } : { expiresAtMs };
}

/** Returns true if the end has come; while the clock is not set, nothing ends. */
export function isOver({ expiresAtMs, isDateUnsure }: DeadlineFields, clock: WallClock): boolean {
  return clock.quality() !== "unset" && isDateUnsure !== true && clock.nowMs() >= expiresAtMs;
}

/** Returns true if the end was fixed before the clock was set, and can be fixed now. */
export function isToBeFixed({ isDateUnsure }: DeadlineFields, clock: WallClock): boolean {
  return isDateUnsure === true && clock.quality() !== "unset";
}
