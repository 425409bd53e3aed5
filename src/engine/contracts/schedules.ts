import type { NewSchedule, Schedule, ScheduleChanges } from "../../domain/schedules/schedule.ts";
import type { ScheduleStatus } from "../../domain/schedules/schedule-status.ts";

export interface ScheduleEntry {
  readonly schedule: Schedule;
  readonly userId: string;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
}

/** Charge and temperature schedules (rules I2.12 and S7). Reads are from memory. */
export interface Schedules {
  get(id: string): Schedule | null;
  /** Of all users, or of one; newest created first, then by id. */
  list(userId?: string): readonly ScheduleEntry[];
  /** How far a schedule is with its target; the same object until something in it changes. Null: no such schedule. */
  status(id: string): ScheduleStatus | null;
  /**
   * Throws `not-found` for an unknown user, and `bad-request` for a target or location that is not the user's, and when
   * another enabled schedule has the target. An enabled schedule takes the target from every other feature.
   */
  create(userId: string, fields: NewSchedule): Promise<Schedule>;
  /** A partial update; null when there is no such schedule. Throws `bad-request` as `create` does. */
  update(id: string, changes: ScheduleChanges): Promise<Schedule | null>;
  /** False when there is no such schedule. What the target does at that moment goes on. */
  remove(id: string): Promise<boolean>;
  /** Calls the listener after a status changed, and with null after its schedule was removed. Disposing ends it. */
  observe(listener: (id: string, status: ScheduleStatus | null) => void): Disposable;
}
