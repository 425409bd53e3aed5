import type { Schedule } from "../../domain/schedules/schedule.ts";
import type { ScheduleStatus } from "../../domain/schedules/schedule-status.ts";

export interface ScheduleRecord {
  readonly schedule: Schedule;
  readonly userId: string;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
}

/** How often a schedule commanded its target for one expectation. */
export interface AttemptsRecord {
  /** What was expected, as text. */
  readonly expectation: string;
  readonly count: number;
  /** Wall-clock ms at which the last command began or came to its end. */
  readonly atMs: number;
}

/** What a schedule last told, kept under its id, so that a restart is no news. */
export interface ScheduleStateRecord {
  readonly status: ScheduleStatus;
  /** Null: nothing was commanded for what is expected. */
  readonly attempts: AttemptsRecord | null;
  /** Where the target was; null: at no location. */
  readonly locationId: string | null;
}
