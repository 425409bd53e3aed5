import type { Schedule } from "../../domain/schedules/schedule.ts";
import type { ScheduleStatus } from "../../domain/schedules/schedule-status.ts";

export interface ScheduleRecord {
  readonly schedule: Schedule;
  readonly userId: string;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
}

/** The commands that a schedule sent for one expected state. */
export interface AttemptsRecord {
  /** The expected state, as text. */
  readonly expectation: string;
  readonly count: number;
  /** Wall-clock ms at which the last command started or ended. */
  readonly atMs: number;
}

/** The last reported status of a schedule; the key is its id. It prevents that a restart reports the status again. */
export interface ScheduleStateRecord {
  readonly status: ScheduleStatus;
  /** `null` if no command was sent for the expected state. */
  readonly attempts: AttemptsRecord | null;
  /** Location of the target; `null` if it had none. */
  readonly locationId: string | null;
}
