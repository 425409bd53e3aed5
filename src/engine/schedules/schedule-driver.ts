import { isSameDesiredSetting, settingOf } from "../../domain/actions/desired-setting.ts";
import { instant } from "../../domain/fields.ts";
import type { Schedule } from "../../domain/schedules/schedule.ts";
import { isActive, type ScheduleStatus, settleStatus } from "../../domain/schedules/schedule-status.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { ScheduleRecord, ScheduleStateRecord, Write } from "../../store/records.ts";
import type { NewJournalEntry, Store } from "../../store/store.ts";
import type { Actions } from "../contracts/engine.ts";
import { scheduleUpdated } from "../events.ts";
import { Attempts } from "./attempts.ts";
import { type Looker, lookerOf, type ScheduleLook, type ScheduleSources } from "./schedule-look.ts";

/** However little happens, each schedule looks this often, ms: the wall clock may have been set. */
export const LOOK_EVERY_MS = 60_000;

const ORIGIN = "schedule";

export interface DriverContext extends ScheduleSources {
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs" | "quality">;
  readonly log: Log;
  readonly store: Pick<Store, "commit">;
  readonly actions: Pick<Actions, "start" | "withdraw" | "pendingOf">;
}

/** A change of a schedule, to be stored in one commit with whatever goes along; `apply` takes it over when it is. */
export interface ScheduleChange {
  readonly writes: readonly Write[];
  readonly entries: readonly NewJournalEntry[];
  apply(): void;
}

/**
 * One schedule at work. Each look compares what the rules want now with what the target shows, commands the target when
 * they differ, and publishes what became of it. There is no list of jobs: what was missed while nobody looked is over.
 */
export class ScheduleDriver {
  readonly #context: DriverContext;
  /** Whether a pending action of schedules on the target can be this one's. */
  readonly #owns: () => boolean;
  #record: ScheduleRecord;
  #looker: Looker;
  #attempts: Attempts;
  /** The state that was stored and published last. */
  #state: ScheduleStateRecord | null;
  #isGone = false;

  constructor(
    context: DriverContext,
    record: ScheduleRecord,
    more: { readonly state: ScheduleStateRecord | null; readonly owns: (driver: ScheduleDriver) => boolean },
  ) {
    this.#context = context;
    this.#owns = () => more.owns(this);
    this.#record = record;
    this.#looker = lookerOf(record.schedule, context);
    this.#state = more.state;
    this.#attempts = new Attempts(context.clock, more.state?.attempts ?? null);
  }

  get record(): ScheduleRecord {
    return this.#record;
  }

  get schedule(): Schedule {
    return this.#record.schedule;
  }

  /** The status that was published last; `null` before the first time. */
  get status(): ScheduleStatus | null {
    return this.#state?.status ?? null;
  }

  /** True while clients may not command the target. */
  isInCharge(): boolean {
    return !this.#isGone && isActive(this.#look().status.state);
  }

  /** The schedule as stored from now on, with the status that follows from it. */
  change(schedule: Schedule): ScheduleChange {
    const record: ScheduleRecord = { ...this.#record, schedule };
    const isOtherTarget = schedule.targetId !== this.schedule.targetId;
    const before = isOtherTarget ? null : this.#state;
    const looker = lookerOf(schedule, this.#context);
    const state = this.#settled(looker(before), isOtherTarget);
    const published = this.#state?.status ?? null;
    return {
      writes: [{ table: "schedule", key: schedule.id, put: record }, putState(schedule.id, state)],
      entries: state.status === published ? [] : [scheduleUpdated(record.userId, schedule, published, state.status)],
      apply: () => {
        this.#record = record;
        this.#looker = looker;
        this.#state = state;
        if (isOtherTarget) this.#attempts = new Attempts(this.#context.clock, null);
      },
    };
  }

  /** Stops all commands and events. */
  retire(): void {
    this.#isGone = true;
  }

  /** Takes back what is pending; does nothing when it is another schedule's. */
  async withdraw(): Promise<void> {
    if (this.#owns()) await this.#context.actions.withdraw(this.schedule.targetId, ORIGIN);
  }

  /** Does what is due and publishes what changed. Returns after how long to look again, ms. Rejects if the disk refuses. */
  async look(): Promise<number> {
    const { clock } = this.#context;
    // Nothing is begun by a clock that may be wrong.
    if (this.#isGone || clock.quality() !== "synced") return LOOK_EVERY_MS;
    const waitMs = await this.#act(this.#look());
    const seen = this.#look();
    await this.#publish(seen);
    return Math.min(waitMs, LOOK_EVERY_MS, seen.nextMs - clock.nowMs());
  }

  #look(): ScheduleLook {
    return this.#looker(this.#state);
  }

  async #act(seen: ScheduleLook): Promise<number> {
    const { actions } = this.#context;
    const { targetId } = this.schedule;
    const attempts = this.#attempts;
    if (!isActive(seen.status.state)) {
      attempts.forget();
      await this.#withdrawPending();
      return LOOK_EVERY_MS;
    }
    if (!this.#owns()) return LOOK_EVERY_MS;
    attempts.expect(JSON.stringify(seen.setting));
    const pending = actions.pendingOf(targetId);
    const isTowards = pending !== null && isSameDesiredSetting(settingOf(pending.action), seen.setting);
    if (pending?.origin === ORIGIN && !isTowards) {
      await this.#withdrawPending();
      // Anything may have happened meanwhile.
      return 0;
    }
    if (!seen.isDifferent) {
      attempts.aligned();
      return LOOK_EVERY_MS;
    }
    if (isTowards) {
      attempts.underWay();
      return LOOK_EVERY_MS;
    }
    // A new current does not contradict the schedule; the device takes one command at a time.
    if (pending !== null && "maxCurrent" in settingOf(pending.action)) return LOOK_EVERY_MS;
    const waitMs = attempts.waitMs();
    return waitMs > 0 || !seen.mayBeCommanded ? waitMs || LOOK_EVERY_MS : await this.#command(seen);
  }

  async #command({ setting }: ScheduleLook): Promise<number> {
    const { actions, log } = this.#context;
    const { id, targetId } = this.schedule;
    this.#attempts.began();
    try {
      const action = await actions.start(targetId, setting, ORIGIN);
      log.info({ scheduleId: id, targetId, actionId: action.id }, "schedule commands its target");
      return LOOK_EVERY_MS;
    } catch (err) {
      log.warn({ err, scheduleId: id, targetId }, "schedule cannot command its target");
      return this.#attempts.waitMs();
    }
  }

  async #withdrawPending(): Promise<void> {
    const pending = this.#context.actions.pendingOf(this.schedule.targetId);
    if (pending?.origin === ORIGIN) await this.withdraw();
  }

  async #publish(seen: ScheduleLook): Promise<void> {
    const published = this.#state?.status ?? null;
    const state = this.#settled(seen, false);
    if (state.status === published || this.#isGone) return;
    const { schedule, userId } = this.#record;
    const entry = scheduleUpdated(userId, schedule, published, state.status);
    await this.#context.store.commit([putState(schedule.id, state)], [entry]);
    this.#state = state;
  }

  #settled({ status, locationId }: ScheduleLook, isNew: boolean): ScheduleStateRecord {
    const published = this.#state?.status ?? null;
    const attempts = isNew ? null : this.#attempts.record;
    return { status: settleStatus(published, status, instant(this.#context.clock.nowMs())), attempts, locationId };
  }
}

function putState(scheduleId: string, state: ScheduleStateRecord): Write {
  return { table: "schedule-state", key: scheduleId, put: state };
}
