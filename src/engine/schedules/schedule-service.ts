import { problem } from "../../domain/problem.ts";
import {
  changeSchedule,
  type NewSchedule,
  type Schedule,
  type ScheduleChanges,
} from "../../domain/schedules/schedule.ts";
import type { ScheduleStatus } from "../../domain/schedules/schedule-status.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import type { ScheduleRecord, ScheduleStateRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { Controller, Controllers, SmartOverrides } from "../contracts/control.ts";
import type { Actions, Assets } from "../contracts/engine.ts";
import type { Locations } from "../contracts/places.ts";
import type { ScheduleEntry, Schedules } from "../contracts/schedules.ts";
import type { Forgetter, Removal, Users } from "../contracts/users.ts";
import type { EnginePart } from "../engine-part.ts";
import type { Feature } from "../feature.ts";
import type { RemovalStep } from "../places/location-removals.ts";
import { withLock } from "../with-lock.ts";
import { ScheduleBook } from "./schedule-book.ts";
import { checkPlaces, targetTaken } from "./schedule-checks.ts";
import { type DriverContext, LOOK_EVERY_MS, type ScheduleChange, ScheduleDriver } from "./schedule-driver.ts";
import { ScheduleRunner } from "./schedule-runner.ts";

/** Schedules of one user; more is a mistake of a program. */
const MAX_OF_USER = 1_000;
const CHANGES = "schedules";

/** What schedules need of the engine. */
export interface ScheduleNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: Store;
  readonly assets: Assets;
  readonly actions: Actions;
  readonly users: Users;
}

/** What schedules work with, beside the engine's own. */
export interface ScheduleParts {
  readonly controllers: Pick<Controllers, "takeOver">;
  readonly locations: Pick<Locations, "get" | "zoneOf" | "observe" | "follow">;
  readonly smartOverrides: Pick<SmartOverrides, "active" | "observe" | "follow">;
}

/** The schedules on disk, each at work; one enabled schedule a target. */
export class ScheduleService implements Schedules, Controller, EnginePart, Forgetter {
  readonly kind = "schedule";
  readonly #context: ScheduleNeeds;
  readonly #parts: ScheduleParts;
  readonly #drivers: DriverContext;
  readonly #book = new ScheduleBook();
  readonly #runner: ScheduleRunner;
  readonly #listeners = new Listeners<[id: string, status: ScheduleStatus | null]>();
  /** Changes of the list run one after the other; so do a schedule's looks and changes. */
  readonly #mutex = new KeyedMutex();

  constructor(context: ScheduleNeeds, parts: ScheduleParts) {
    const { clock, store } = context;
    const log = context.log.child({ part: "schedules" });
    this.#context = { ...context, log };
    this.#parts = parts;
    const { locations, smartOverrides } = parts;
    this.#drivers = { ...this.#context, locations, smartOverrides };
    for (const record of store.all("schedule")) {
      this.#book.put(this.#driver(record, store.get("schedule-state", record.schedule.id)));
    }
    this.#runner = new ScheduleRunner({ clock, log, book: this.#book, look: (id) => this.#look(id) });
  }

  get(id: string): Schedule | null {
    return this.#book.get(id)?.schedule ?? null;
  }

  list(userId?: string): readonly ScheduleEntry[] {
    const all = this.#book.list();
    return userId === undefined ? all : all.filter((entry) => entry.userId === userId);
  }

  status(id: string): ScheduleStatus | null {
    return this.#book.get(id)?.status ?? null;
  }

  observe(listener: (id: string, status: ScheduleStatus | null) => void): Disposable {
    return this.#listeners.subscribe(listener);
  }

  async create(userId: string, fields: NewSchedule): Promise<Schedule> {
    const { users, random, clock } = this.#context;
    const check = (): void => {
      users.require(userId);
      checkPlaces(userId, fields, null, { ...this.#context, ...this.#parts });
      this.#refuseTaken(fields, null);
      if (this.list(userId).length < MAX_OF_USER) return;
      throw problem("bad-request", `The user has ${MAX_OF_USER} schedules already.`);
    };
    check();
    const make = (): Promise<Schedule> =>
      withLock(this.#mutex, CHANGES, async () => {
        check();
        const schedule: Schedule = { id: random.uuid(), ...fields };
        const driver = this.#driver({ schedule, userId, createdAtMs: clock.nowMs() }, null);
        await this.#store(driver, driver.change(schedule));
        return schedule;
      });
    return await this.#inCharge(fields, make);
  }

  async update(id: string, changes: ScheduleChanges): Promise<Schedule | null> {
    const known = this.#book.get(id);
    if (known === null) return null;
    const planned = this.#changed(known, changes);
    const change = (): Promise<Schedule | null> =>
      this.#withSchedule(id, async (driver) => {
        const schedule: Schedule = { ...this.#changed(driver, changes), id };
        const isLetGo = schedule.targetId !== driver.schedule.targetId || !schedule.isEnabled;
        if (isLetGo && driver.schedule.isEnabled) await driver.withdraw();
        await this.#store(driver, driver.change(schedule));
        return schedule;
      });
    return await this.#inCharge(planned, change);
  }

  async remove(id: string): Promise<boolean> {
    const removed = await this.#withSchedule(id, async (driver) => {
      await this.#context.store.commit(removals(id), []);
      this.#forget(driver);
      await driver.withdraw();
      return driver;
    });
    return removed !== null;
  }

  controls(targetId: string): boolean {
    return this.#book.enabledFor(targetId)?.isInCharge() ?? false;
  }

  async release(targetId: string): Promise<void> {
    const known = this.#book.enabledFor(targetId);
    if (known === null) return;
    await this.#withSchedule(known.schedule.id, async (driver) => {
      if (driver.schedule.targetId !== targetId || !driver.schedule.isEnabled) return;
      await driver.withdraw();
      await this.#store(driver, driver.change({ ...driver.schedule, isEnabled: false }));
    });
  }

  forget(removal: Removal): readonly Write[] {
    return removal.kind === "user" ? this.#ofUser(removal.userId).flatMap(({ schedule }) => removals(schedule.id)) : [];
  }

  onForgotten(removal: Removal): void {
    if (removal.kind === "user") for (const driver of this.#ofUser(removal.userId)) this.#forget(driver);
  }

  latenessMs(): number {
    return this.#runner.latenessMs();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { assets, actions } = this.#context;
    const { locations, smartOverrides } = this.#parts;
    using _assets = assets.observe((_kind, id) => this.#ringFor(id));
    using _actions = actions.observe(({ targetId }) => this.#ringFor(targetId));
    using _overrides = smartOverrides.observe((targetId) => this.#ringFor(targetId));
    using _locations = locations.observe(() => this.#runner.ringAll());
    using _ended = smartOverrides.follow((targetId) => this.#lookAt(this.#book.ofTarget(targetId)));
    using _moved = locations.follow((userId) => this.#lookAt(this.#ofUser(userId)));
    await this.#dropOrphans();
    await this.#runner.run(signal);
  }

  /** Removes statuses that were stored while their schedule was deleted; nothing else would remove them. */
  async #dropOrphans(): Promise<void> {
    const { store, log } = this.#context;
    const orphans = store.all("schedule-state").filter(({ status }) => this.#book.get(status.scheduleId) === null);
    if (orphans.length === 0) return;
    const writes = orphans.flatMap(({ status }) => removals(status.scheduleId));
    await store.commit(writes, []).catch((err: unknown) => log.warn({ err }, "statuses without schedule not removed"));
  }

  /** A location goes: its schedules must not apply everywhere all of a sudden, so they are switched off. */
  readonly locationRemoval: RemovalStep = async ({ id }, commit) => {
    await withLock(this.#mutex, CHANGES, async () => {
      const there = this.#book
        .all()
        .filter(({ schedule }) => schedule.targetType !== "hvac" && schedule.locationId === id);
      const keys = there.map(({ schedule }) => schedule.id);
      await this.#mutex.runAll(keys, async () => {
        for (const driver of there) if (driver.schedule.isEnabled) await driver.withdraw();
        const changes = there.map((driver) => ({ driver, ...driver.change(placeless(driver.schedule)) }));
        await commit({
          writes: changes.flatMap(({ writes }) => writes),
          entries: changes.flatMap(({ entries }) => entries),
        });
        for (const change of changes) this.#apply(change.driver, change);
      });
    });
  };

  #driver(record: ScheduleRecord, state: ScheduleStateRecord | null): ScheduleDriver {
    return new ScheduleDriver(this.#drivers, record, { state, owns: (driver) => this.#book.owns(driver) });
  }

  /** The fields after a change, checked. Throws `bad-request`. */
  #changed({ schedule, record }: ScheduleDriver, changes: ScheduleChanges): NewSchedule {
    const { id: _id, ...before } = schedule;
    const after = changeSchedule(before, changes);
    checkPlaces(record.userId, after, before, { ...this.#context, ...this.#parts });
    this.#refuseTaken(after, schedule.id);
    return after;
  }

  #refuseTaken({ isEnabled, targetId }: NewSchedule, id: string | null): void {
    const enabled = isEnabled ? this.#book.enabledFor(targetId) : null;
    if (enabled !== null && enabled.schedule.id !== id) throw targetTaken();
  }

  /**
   * Stores a schedule; one that is switched on by that switches off what else controls the target first. No lock is held
   * meanwhile: the other feature may be about to switch off the schedule in the same way.
   */
  async #inCharge<T>({ isEnabled, targetId }: NewSchedule, store: () => Promise<T>): Promise<T> {
    return isEnabled ? await this.#parts.controllers.takeOver(targetId, this.kind, store) : await store();
  }

  /** Runs a change of a schedule after all earlier changes, and between two of its looks. Returns `null` if it does not exist. */
  async #withSchedule<T>(id: string, change: (driver: ScheduleDriver) => Promise<T>): Promise<T | null> {
    return await withLock(this.#mutex, CHANGES, () =>
      this.#mutex.run(id, async () => {
        const driver = this.#book.get(id);
        return driver === null ? null : await change(driver);
      }),
    );
  }

  async #store(driver: ScheduleDriver, change: ScheduleChange): Promise<void> {
    await this.#context.store.commit(change.writes, change.entries);
    this.#apply(driver, change);
  }

  #apply(driver: ScheduleDriver, change: ScheduleChange): void {
    change.apply();
    this.#book.put(driver);
    this.#runner.wake(driver.schedule.id);
    if (change.entries.length > 0) this.#tell(driver.schedule.id, driver.status);
  }

  async #look(id: string): Promise<number> {
    return await this.#mutex.run(id, async () => {
      const driver = this.#book.get(id);
      const before = driver?.status ?? null;
      try {
        return (await driver?.look()) ?? LOOK_EVERY_MS;
      } finally {
        if (driver !== null && driver.status !== before) this.#tell(id, driver.status);
      }
    });
  }

  #forget(driver: ScheduleDriver): void {
    driver.retire();
    this.#book.remove(driver.schedule.id);
    this.#tell(driver.schedule.id, null);
  }

  #ofUser(userId: string): readonly ScheduleDriver[] {
    return this.#book.all().filter(({ record }) => record.userId === userId);
  }

  async #lookAt(drivers: Iterable<ScheduleDriver>): Promise<void> {
    await Promise.all([...drivers].map(({ schedule }) => this.#runner.lookNow(schedule.id)));
  }

  #ringFor(targetId: string): void {
    for (const { schedule } of this.#book.ofTarget(targetId)) this.#runner.wake(schedule.id);
  }

  #tell(id: string, status: ScheduleStatus | null): void {
    this.#listeners.emit(id, status);
  }
}

export function createSchedules(context: ScheduleNeeds, parts: ScheduleParts): Feature<ScheduleService> {
  const service = new ScheduleService(context, parts);
  const { locationRemoval } = service;
  return { name: "schedules", service, forgetter: service, locationRemoval, controller: service, loop: service };
}

function removals(id: string): readonly Write[] {
  return [
    { table: "schedule", key: id, remove: true },
    { table: "schedule-state", key: id, remove: true },
  ];
}

function placeless(schedule: Schedule): Schedule {
  return schedule.targetType === "hvac" ? schedule : { ...schedule, locationId: null, isEnabled: false };
}
