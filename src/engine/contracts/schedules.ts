import type { NewSchedule, Schedule, ScheduleChanges } from "../../domain/schedules/schedule.ts";
import type { ScheduleStatus } from "../../domain/schedules/schedule-status.ts";

/** A schedule with its user and time of creation. */
export interface ScheduleEntry {
  readonly schedule: Schedule;
  readonly userId: string;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
}

/** Charge and temperature schedules (rules I2.12 and S7). Reads are from memory. */
export interface Schedules {
  get(id: string): Schedule | null;
  /** Returns the schedules of all users, or of one; newest created first, then by id. */
  list(userId?: string): readonly ScheduleEntry[];
  /** Returns the status of a schedule, the same object until it changes; `null` if the schedule is unknown. */
  status(id: string): ScheduleStatus | null;
  /**
   * Stores a new schedule. An enabled schedule takes over the target from all other features. Throws `not-found` for an
   * unknown user, and `bad-request` if target or location are not the user's, or another enabled schedule has the target.
   */
  create(userId: string, fields: NewSchedule): Promise<Schedule>;
  /** Changes a schedule; returns `null` if it is unknown. Throws `bad-request` as `create` does. */
  update(id: string, changes: ScheduleChanges): Promise<Schedule | null>;
  /** Deletes a schedule without changing what its target does now. Returns false if it is unknown. */
  remove(id: string): Promise<boolean>;
  /** Calls the listener after a status changed, with `null` for a deleted schedule. Disposing the result unsubscribes. */
  observe(listener: (id: string, status: ScheduleStatus | null) => void): Disposable;
}
