/** A home with a charger or a heat pump under a schedule, at a chosen time, and what others see of it. */

import type { AssetKind } from "../../../src/domain/assets/asset.ts";
import type { NewChargeSchedule, NewTemperatureSchedule, Schedule } from "../../../src/domain/schedules/schedule.ts";
import type { ChargeScheduleStatus, ScheduleStatus } from "../../../src/domain/schedules/schedule-status.ts";
import type { FakeDevice, FakeDeviceOptions } from "../../../src/testing/fake-adapter.ts";
import { chargerOptions, followSwitch, type Home, makeHome, type Run } from "../home.ts";

const LIMIT_MS = 60_000;

/** A charge schedule without rules that never charges, anywhere. */
export function makeChargeSchedule(change: Partial<NewChargeSchedule> = {}): NewChargeSchedule {
  return {
    targetType: "charger",
    targetId: "",
    locationId: null,
    isEnabled: true,
    defaultShouldCharge: false,
    rules: [],
    ...change,
  };
}

/** A temperature schedule that heats to 20 °C. */
export function makeTemperatureSchedule(change: Partial<NewTemperatureSchedule> = {}): NewTemperatureSchedule {
  return {
    targetType: "hvac",
    targetId: "",
    isEnabled: true,
    defaultTargetState: { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 20 },
    rules: [],
    ...change,
  };
}

/** A heat pump that heats to 20 °C by a schedule of its own. */
export function heatPumpOptions(change: Partial<FakeDeviceOptions> = {}): Omit<FakeDeviceOptions, "clock"> {
  return {
    values: {
      "hvac.mode": "HEAT",
      "hvac.heatSetpoint": 20,
      "hvac.coolSetpoint": 26,
      "hvac.holdType": "SCHEDULED",
      "hvac.temperature": 19.5,
    },
    controls: [
      { point: "hvac.mode", values: ["OFF", "HEAT", "COOL", "AUTO"], holdMs: null, safeDefault: null },
      { point: "hvac.heatSetpoint", range: { min: 10, max: 28 }, holdMs: null, safeDefault: null },
      { point: "hvac.coolSetpoint", range: { min: 18, max: 30 }, holdMs: null, safeDefault: null },
      { point: "hvac.holdType", values: ["PERMANENT", "SCHEDULED"], holdMs: null, safeDefault: null },
    ],
    ...change,
  };
}

/** A home whose gateway is started, killed and asked at will. */
export class ScheduleHouse implements AsyncDisposable {
  readonly home: Home;
  #run: Run | null = null;

  /** `at` is the wall clock at the beginning, an instant in ISO 8601. */
  constructor(at: string, seed = 1) {
    this.home = makeHome(seed);
    this.home.world.clock.setWallMs(Date.parse(at));
  }

  /** A charger with a car on it, paused, that follows its switch. */
  addCharger(id = "charger", change: Partial<FakeDeviceOptions> = {}): FakeDevice {
    const charger = this.home.add(id, chargerOptions({ pollMs: 10_000, ...change }));
    followSwitch(charger);
    return charger;
  }

  get run(): Run {
    if (this.#run === null) throw new Error("the gateway does not run");
    return this.#run;
  }

  get now(): string {
    return new Date(this.home.world.clock.nowMs()).toISOString();
  }

  async start(): Promise<void> {
    this.#run = await this.home.start();
    await this.pass(2_000);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    await this.#run?.close();
    this.#run = null;
  }

  /** As a power cut does it. */
  kill(): void {
    this.run.process.kill();
    this.home.disk.crash();
    this.#run = null;
  }

  async pass(ms: number): Promise<void> {
    await this.home.world.clock.advance(ms);
  }

  /** Until a wall-clock instant, with a little time for what it sets in motion. */
  async passUntil(at: string, moreMs = 5_000): Promise<void> {
    await this.pass(Date.parse(at) - this.home.world.clock.nowMs() + moreMs);
  }

  async settled<T>(promise: Promise<T>): Promise<T> {
    return await this.home.world.clock.resolve(promise, LIMIT_MS);
  }

  /** The id of the only asset of a kind. */
  idOf(kind: AssetKind): string {
    const [entry] = this.run.engine.assets.list(kind);
    if (entry === undefined) throw new Error(`no ${kind} yet`);
    return entry.asset.id;
  }

  async create(fields: NewChargeSchedule | NewTemperatureSchedule): Promise<Schedule> {
    return await this.settled(this.run.engine.services.schedules.create("home", fields));
  }

  /** A location of the house in a zone. */
  async locate(timezoneName: string): Promise<string> {
    const place = { name: "Home", latitude: 52.5, longitude: 13.4, timezoneName };
    return (await this.settled(this.run.engine.services.locations.create("home", place))).id;
  }

  status(id: string): ScheduleStatus {
    const status = this.run.engine.services.schedules.status(id);
    if (status === null) throw new Error("no such schedule");
    return status;
  }

  chargeStatus(id: string): ChargeScheduleStatus {
    const status = this.status(id);
    if (status.scheduleType !== "CHARGE") throw new Error("not a charge schedule");
    return status;
  }

  /** What was written to a switch so far: when by the wall clock, to the minute, and what. */
  writes(device: FakeDevice): readonly string[] {
    const { clock } = this.home.world;
    const originMs = clock.nowMs() - clock.monotonicMs();
    return device.calls.flatMap(({ call, atMs, point, value }) => {
      if (call !== "write") return [];
      const at = new Date(originMs + atMs).toISOString().slice(0, 16);
      return [`${at}Z ${point} ${value}`];
    });
  }

  /** The actions of this run's disk, oldest first: when they were made, what became of them. */
  actions(): readonly string[] {
    return this.run.store
      .all("action")
      .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
      .map(({ action, origin }) => {
        const what = "kind" in action ? action.kind : action.targetType;
        const end = action.failureReason?.type ?? action.state;
        return `${action.createdAt.slice(0, 16)}Z ${origin} ${what} ${end}`;
      });
  }

  /** The states that the journal told of a schedule, oldest first. */
  async told(): Promise<readonly string[]> {
    const entries = await this.settled(this.run.store.journalAfter(null, 10_000));
    return entries.flatMap(({ event, payload }) => {
      if (event !== "user:schedule:execution-updated") return [];
      const { status } = payload as { status: ScheduleStatus };
      return [status.state];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
