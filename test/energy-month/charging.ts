/** A charger with its car: dead time, ramps, a car that starts late, sleeps or draws more than it is offered. */
import type { Phase } from "../../src/domain/energy/site/site-connection.ts";
import type { PointValue } from "../../src/points/points.ts";
import { FakeDevice } from "../../src/testing/fake-adapter.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { World } from "../../src/testing/world.ts";

export const VOLTS = 230;
const LEAST_A = 6;
/** A per second. */
const RISE_A = 3;
const FALL_A = 8;
/** Charging ends slowly: the current falls over the last energy, Wh. */
const TAPER_WH = 500;

export interface ChargingSpec {
  readonly id: string;
  /** The phases of the house that it hangs on, its own L1 first. */
  readonly phases: readonly Phase[];
  readonly maxA: number;
  /** The least step of its current, A. */
  readonly stepA: number;
  /** From a command to its effect, ms. */
  readonly latencyMs: number;
  /** True: its register shows a command at once, before it has an effect. */
  readonly showsAtOnce: boolean;
  readonly pollMs: number;
  /** Its own timer, after which it falls back to 6 A; `null`: none. */
  readonly holdMs: number | null;
  readonly car: { readonly phases: number; readonly maxA: number; readonly startMs: number };
}

export class Charging {
  readonly spec: ChargingSpec;
  readonly device: FakeDevice;
  offeredA: number;
  isOn = true;
  isPlugged = false;
  /** A on each phase that the car uses. */
  amps = 0;
  sessionWh = 0;
  /** What the car still takes, Wh. */
  wantedWh = 0;
  /** True: the car does not start. */
  isAsleep = false;
  /** What the car draws above what it is offered, A; 0: it follows. */
  excessA = 0;
  /** False: commands are acknowledged and lost. */
  isConnected = true;
  /** Monotonic ms at which the gateway switched it on. */
  readonly startsMs: number[] = [];
  #onSinceMs = 0;
  /** What it was last told to be, which may not have its effect yet. */
  #isWantedOn = true;
  readonly #world: World;

  constructor(world: World, spec: ChargingSpec) {
    this.spec = spec;
    this.#world = world;
    this.offeredA = spec.maxA;
    this.device = new FakeDevice({
      clock: world.clock,
      pollMs: spec.pollMs,
      values: {
        "charger.state": "UNPLUGGED",
        "charger.power": 0,
        "charger.energySession": 0,
        "charger.current.l1": 0,
        ...(spec.phases.length === 3 && { "charger.current.l2": 0, "charger.current.l3": 0 }),
        "charger.enabled": true,
        "charger.maxCurrent": spec.maxA,
      },
      controls: [
        { point: "charger.enabled", values: [true, false], holdMs: null, safeDefault: "as-found" },
        {
          point: "charger.maxCurrent",
          range: { min: LEAST_A, max: spec.maxA },
          step: spec.stepA,
          holdMs: spec.holdMs,
          safeDefault: spec.holdMs === null ? "as-found" : LEAST_A,
        },
      ],
      identity: { manufacturer: "Chargers", model: "C", serial: spec.id },
    });
    this.device.onWrite = (point, value) => this.#command(point, value);
  }

  /** The phases of the house that the car draws on. */
  get carPhases(): readonly Phase[] {
    return this.spec.phases.slice(0, this.spec.car.phases);
  }

  get watts(): number {
    return this.amps * this.carPhases.length * VOLTS;
  }

  /** True if the gateway can lower it: it hears and follows. */
  get isObedient(): boolean {
    return this.isConnected && this.device.isUp && this.device.refusesWrites === null && this.excessA === 0;
  }

  ampsOn(phase: Phase): number {
    return this.carPhases.includes(phase) ? this.amps : 0;
  }

  plug(wantedWh: number): void {
    this.isPlugged = true;
    this.wantedWh = wantedWh;
    this.sessionWh = 0;
    this.#onSinceMs = this.#world.clock.monotonicMs();
  }

  unplug(): void {
    this.isPlugged = false;
    this.wantedWh = 0;
    this.sessionWh = 0;
    this.isAsleep = false;
    this.excessA = 0;
  }

  /** Somebody changes it by the maker's app. */
  change(value: { readonly isOn?: boolean; readonly offeredA?: number }): void {
    const { isOn, offeredA } = value;
    if (isOn !== undefined) this.#set("charger.enabled", isOn);
    if (isOn !== undefined) this.#isWantedOn = isOn;
    if (isOn !== undefined) this.#showSetting("charger.enabled", isOn);
    if (offeredA !== undefined) this.#set("charger.maxCurrent", offeredA);
    if (offeredA !== undefined) this.#showSetting("charger.maxCurrent", offeredA);
    this.show();
  }

  step(seconds: number): void {
    const isStarted = this.#world.clock.monotonicMs() - this.#onSinceMs >= this.spec.car.startMs;
    const canDraw = this.isOn && this.isPlugged && isStarted && !this.isAsleep && this.wantedWh > 0;
    const taperA = Math.max(LEAST_A, (this.wantedWh / TAPER_WH) * this.spec.car.maxA);
    const goalA = canDraw ? Math.min(this.offeredA + this.excessA, this.spec.car.maxA, taperA) : 0;
    this.amps =
      goalA > this.amps ? Math.min(goalA, this.amps + RISE_A * seconds) : Math.max(goalA, this.amps - FALL_A * seconds);
    if (!this.isOn || !this.isPlugged) this.amps = 0;
    const chargedWh = (this.watts * seconds) / 3_600;
    this.sessionWh += chargedWh;
    this.wantedWh = Math.max(0, this.wantedWh - chargedWh);
    this.show();
  }

  show(): void {
    const { device, spec } = this;
    device.show("charger.state", this.#state());
    device.show("charger.power", this.watts);
    device.show("charger.energySession", this.sessionWh);
    for (const point of ["charger.current.l1", "charger.current.l2", "charger.current.l3"] as const) {
      const index = Number(point.slice(-1)) - 1;
      if (index < spec.phases.length) device.show(point, index < this.carPhases.length ? this.amps : 0);
    }
  }

  #state() {
    if (!this.isPlugged) return "UNPLUGGED";
    if (this.wantedWh <= 0) return "PLUGGED_IN:NO_POWER";
    return this.amps > 1 ? "PLUGGED_IN:CHARGING" : "PLUGGED_IN:STOPPED";
  }

  #command(point: string, value: PointValue): void {
    if (!this.isConnected) return;
    if (point === "charger.enabled") {
      // The same command again before it has an effect is no other start.
      if (value === true && !this.#isWantedOn) this.startsMs.push(this.#world.clock.monotonicMs());
      this.#isWantedOn = value === true;
    }
    if (this.spec.showsAtOnce) this.#showSetting(point, value);
    this.#world.clock.timer(this.spec.latencyMs, () => {
      this.#set(point, value);
      // A later command stays in the register while this one has its effect.
      if (!this.spec.showsAtOnce) this.#showSetting(point, value);
    });
  }

  #set(point: string, value: PointValue): void {
    if (point === "charger.enabled") {
      if (!this.isOn && value === true) this.#onSinceMs = this.#world.clock.monotonicMs();
      this.isOn = value === true;
    } else this.offeredA = Number(value);
  }

  #showSetting(point: string, value: PointValue): void {
    if (point === "charger.enabled" || point === "charger.maxCurrent") this.device.show(point, value);
  }
}

/** Two chargers as different as real ones: one beside the meter, one behind a slow link. */
export function chargingSpecs(random: SeededRandom): readonly ChargingSpec[] {
  const wired: ChargingSpec = {
    id: "wallbox",
    phases: random.pick([
      ["L1", "L2", "L3"],
      ["L2", "L3", "L1"],
    ]),
    maxA: 16,
    stepA: 1,
    latencyMs: random.pick([500, 2_000, 8_000]),
    showsAtOnce: random.isChance(0.5),
    pollMs: random.pick([2_000, 5_000]),
    holdMs: random.pick([null, 60_000]),
    car: { phases: random.pick([3, 3, 1]), maxA: random.pick([16, 13]), startMs: random.pick([2_000, 15_000, 40_000]) },
  };
  const slow: ChargingSpec = {
    id: "carport",
    phases: [random.pick(["L1", "L2", "L3"])],
    maxA: random.pick([16, 20, 32]),
    stepA: 1,
    latencyMs: random.pick([4_000, 15_000, 25_000]),
    showsAtOnce: random.isChance(0.5),
    pollMs: random.pick([2_000, 5_000, 10_000]),
    holdMs: null,
    car: { phases: 1, maxA: random.pick([16, 20, 32]), startMs: random.pick([2_000, 30_000]) },
  };
  return [wired, slow].map((spec) => ({ ...spec, stepA: random.pick([1, 0.1]) }));
}
