/** A week of plug-ins in a simulated home, with late prices, crashes, silence, overrides and people at the car. */
import { describe, expect, it } from "vitest";
import { ProblemError } from "../../../src/domain/problem.ts";
import { isExecuting } from "../../../src/domain/smart/vehicle-smart-state.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { seedsOf } from "../../long-run/seeds.ts";
import { makeHome, type Run } from "../home.ts";
import { carOptions, fillWhileCharging, followCarSwitch, showCharging } from "./cars.ts";
import { FakeMarket } from "./market.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MINIMUM = 50;
const SEEDS = seedsOf("VEHICLE_SEEDS", "1");

/** What happened in all of the weeks; a kind that never did makes the test worthless. */
const happened = new Map<string, number>();

function note(what: string): void {
  happened.set(what, (happened.get(what) ?? 0) + 1);
}

class Week {
  readonly #random: SeededRandom;
  readonly #market: FakeMarket;
  readonly #home;
  readonly #car;
  readonly faults: string[] = [];
  #run: Run | null = null;
  #id = "";
  /** Something kept the car from charging tonight that no plan can make up for. */
  #isExcused = false;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
    this.#market = new FakeMarket(this.#random.fork("market"));
    this.#home = makeHome(seed, { priceSource: this.#market });
    const place = { "vehicle.latitude": 52.5, "vehicle.longitude": 13.4 };
    const parked = { "vehicle.state": "UNPLUGGED", "vehicle.enabled": true, "vehicle.power": 0 } as const;
    this.#car = this.#home.add("car", { ...carOptions({ ...place, ...parked }), pollMs: 60_000 });
    followCarSwitch(this.#car);
    const follow = this.#car.onWrite;
    this.#car.onWrite = (point, value) => {
      const level = this.#car.values["vehicle.soc"] ?? 0;
      if (value === false && level < MINIMUM) this.faults.push(`stopped at ${level} %`);
      follow(point, value);
    };
    fillWhileCharging(this.#car, this.#home.world.clock);
  }

  async play(): Promise<void> {
    await this.#start();
    const { locations, vehicleSmart } = this.#engine.services;
    await this.#resolve(
      locations.create("home", { name: "House", latitude: 52.5, longitude: 13.4, timezoneName: "Europe/Berlin" }),
    );
    this.#market.publish(this.#now);
    await this.#pass(5 * MINUTE);
    this.#id = this.#engine.assets.list("vehicle")[0]?.asset.id ?? "";
    const policy = { isEnabled: true, deadline: "07:00", minimumChargeLimit: MINIMUM };
    await this.#resolve(vehicleSmart.setPolicy(this.#id, policy));
    for (let day = 0; day < 7; day += 1) await this.#day();
    await this.#run?.close();
  }

  /** From 00:05 to 00:05 UTC; Berlin is two hours ahead. */
  async #day(): Promise<void> {
    const midnight = Math.floor(this.#now / DAY) * DAY;
    const publishAt = midnight + (12 + this.#random.next() * 9) * HOUR;
    const plugAt = midnight + (13 + this.#random.next() * 7) * HOUR;
    const steps = [
      { atMs: midnight + 5.05 * HOUR, do: () => this.#deadline() },
      { atMs: midnight + 6.5 * HOUR, do: () => this.#leave() },
      { atMs: publishAt, do: async () => this.#market.publish(midnight + DAY) },
      { atMs: plugAt, do: () => this.#arrive() },
      // Most of it happens while the car is plugged in: until 05:00, and from 15:00 on.
      ...Array.from({ length: 6 }, () => ({
        atMs: midnight + ((15 + this.#random.next() * 14) % 24) * HOUR,
        do: () => this.#mishap(),
      })),
    ];
    for (const step of steps.toSorted((a, b) => a.atMs - b.atMs)) {
      await this.#pass(Math.max(0, step.atMs - this.#now));
      await step.do();
    }
    await this.#pass(Math.max(0, midnight + DAY + 5 * MINUTE - this.#now));
  }

  async #arrive(): Promise<void> {
    this.#isExcused = false;
    this.#car.show("vehicle.soc", 25 + this.#random.next() * 50);
    this.#car.show("vehicle.enabled", true);
    this.#car.show("vehicle.state", "PLUGGED_IN:INITIALIZING");
    await this.#pass(2 * MINUTE);
    showCharging(this.#car, true);
    note("plug-in");
  }

  /** 07:03 in Berlin. */
  async #deadline(): Promise<void> {
    if (this.#car.values["vehicle.state"] === "UNPLUGGED" || this.#isExcused) return;
    const level = this.#car.values["vehicle.soc"] ?? 0;
    if (level < 99.9) this.faults.push(`${new Date(this.#now).toISOString()}: ${level.toFixed(1)} % at the deadline`);
    note("charged in time");
  }

  async #leave(): Promise<void> {
    this.#car.show("vehicle.state", "UNPLUGGED");
    this.#car.show("vehicle.power", 0);
  }

  async #mishap(): Promise<void> {
    const kinds = [
      () => this.#crash(),
      () => this.#restart(),
      () => this.#silence(),
      () => this.#override(),
      () => this.#endOverride(),
      () => this.#stopAtCar(),
      () => this.#startAtCar(),
    ];
    await kinds[Math.floor(this.#random.next() * kinds.length)]?.();
  }

  async #crash(): Promise<void> {
    note(`crash while ${this.#state}`);
    this.#run?.process.kill();
    this.#home.disk.crash();
    await this.#start();
  }

  async #restart(): Promise<void> {
    note("restart");
    await this.#run?.close();
    await this.#start();
  }

  async #silence(): Promise<void> {
    note("silence");
    this.#car.isUp = false;
    await this.#pass((3 + this.#random.next() * 40) * MINUTE);
    this.#car.isUp = true;
  }

  async #override(): Promise<void> {
    const wasExecuting = isExecuting(this.#engine.services.vehicleSmart.status(this.#id).state);
    const made = await this.#resolve(
      this.#engine.services.smartOverrides.start("vehicle", this.#id).catch((error: unknown) => {
        if (error instanceof ProblemError) return null;
        throw error;
      }),
    );
    if (made !== null) note(wasExecuting ? "override of a plan" : "override");
  }

  async #endOverride(): Promise<void> {
    const ended = await this.#resolve(this.#engine.services.smartOverrides.end("vehicle", this.#id));
    if (ended !== null) note("override ended");
  }

  /** Somebody stops the car: once it charges for good the plan does not fight that. */
  async #stopAtCar(): Promise<void> {
    if (this.#car.values["vehicle.state"] !== "PLUGGED_IN:CHARGING") return;
    note("stopped at the car");
    this.#isExcused = true;
    showCharging(this.#car, false);
  }

  async #startAtCar(): Promise<void> {
    if (this.#car.values["vehicle.state"] !== "PLUGGED_IN:STOPPED") return;
    note("started at the car");
    showCharging(this.#car, true);
  }

  async #start(): Promise<void> {
    const run = await this.#home.start();
    this.#run = run;
    run.engine.actions.observe(({ id, targetId, state }) => {
      const { origin } = run.store.get("action", id) ?? {};
      const isNew = state === "PENDING" && origin === "smart-charging";
      if (isNew && run.engine.services.smartOverrides.active(targetId) !== null) {
        this.faults.push(`${new Date(this.#now).toISOString()}: a command while overridden`);
      }
    });
  }

  get #engine() {
    if (this.#run === null) throw new Error("the home has no gateway");
    return this.#run.engine;
  }

  get #state(): string {
    return this.#engine.services.vehicleSmart.status(this.#id).state;
  }

  get #now(): number {
    return this.#home.world.clock.nowMs();
  }

  #pass(ms: number): Promise<void> {
    return this.#home.world.clock.advance(ms);
  }

  #resolve<T>(promise: Promise<T>): Promise<T> {
    return this.#home.world.clock.resolve(promise, MINUTE);
  }
}

describe("a week of smart charging", () => {
  it.each(SEEDS)("keeps its promises with seed %d", { timeout: 120_000 }, async (seed) => {
    const week = new Week(seed);
    await week.play();
    expect(week.faults).toEqual([]);
  });

  it("met everything that it is about", () => {
    const met = [...happened.keys()];
    for (const kind of [
      "plug-in",
      "charged in time",
      "restart",
      "silence",
      "override of a plan",
      "stopped at the car",
    ]) {
      expect(met).toContain(kind);
    }
    expect(met.filter((kind) => kind.startsWith("crash while PLAN:EXECUTING")).length).toBeGreaterThan(0);
  });
});
