/** A house on three phases with single-phase loads, second by second, and what is true of it. */
import { type PerPhase, PHASES } from "../../src/domain/energy/site/site-connection.ts";
import { FakeDevice } from "../../src/testing/fake-adapter.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { World } from "../../src/testing/world.ts";
import { Charging, chargingSpecs, VOLTS } from "./charging.ts";
import { Heating } from "./heating.ts";
import { Panels, SimBattery } from "./storage.ts";

const STEP_MS = 1_000;
/** Seconds of the past that are kept. */
const KEPT_S = 120;
const HOUR_MS = 3_600_000;
/** Berlin in summer. */
const OFFSET_MS = 2 * HOUR_MS;

interface Appliance {
  /** A on each phase. */
  readonly amps: PerPhase<number>;
  readonly seconds: readonly [number, number];
  /** Times a day. */
  readonly aDay: number;
}

const APPLIANCES: readonly Appliance[] = [
  { amps: [9, 0, 0], seconds: [120, 240], aDay: 6 },
  { amps: [0, 10, 0], seconds: [600, 1_800], aDay: 2 },
  { amps: [0, 0, 9], seconds: [300, 2_400], aDay: 2 },
  { amps: [8, 8, 0], seconds: [60, 1_500], aDay: 4 },
  { amps: [5, 5, 5], seconds: [900, 3_600], aDay: 6 },
  { amps: [0, 0, 16], seconds: [60, 400], aDay: 3 },
];

/** One second of the house as it was. */
export interface Truth {
  readonly atMs: number;
  readonly phaseA: PerPhase<number>;
  readonly gridW: number;
  readonly sunW: number;
  readonly batteryW: number;
  readonly chargersW: number;
  readonly heatW: number;
}

/** How the grid meter lies. */
export type MeterFault = "none" | "sign" | "currents" | "frozen";

export class House {
  readonly chargers: readonly Charging[];
  readonly battery: SimBattery;
  readonly panels: Panels;
  /** `null`: nothing that can be planned. */
  readonly heating: Heating | null;
  /** True if the grid operator may dim the heat pump (§ 14a EnWG). */
  readonly isDimmable: boolean;
  readonly meter: FakeDevice;
  /** How long the meter shows what was, s. */
  readonly meterLagS: number;
  meterFault: MeterFault = "none";
  truth: Truth = { atMs: 0, phaseA: [0, 0, 0], gridW: 0, sunW: 0, batteryW: 0, chargersW: 0, heatW: 0 };
  /** The last seconds, the newest last. */
  readonly past: Truth[] = [];
  readonly #world: World;
  readonly #random: SeededRandom;
  /** Half of the meters measure the power of each phase, and so know its direction. */
  readonly #hasPhasePower: boolean;
  readonly #running: { amps: PerPhase<number>; untilMs: number }[] = [];
  readonly #base: PerPhase<number>;

  constructor(world: World) {
    const random = world.random.fork("house");
    this.#world = world;
    this.#random = random;
    this.#base = [random.between(0.5, 2), random.between(0.3, 1.5), random.between(0.3, 1.5)];
    this.chargers = chargingSpecs(random.fork("chargers")).map((spec) => new Charging(world, spec));
    this.battery = new SimBattery(world, random.fork("battery"));
    this.panels = new Panels(world, random.fork("panels"));
    const heat = random.fork("heating");
    const kind = heat.pick(["heater", "heat-pump", null] as const);
    this.heating = kind === null ? null : new Heating(world, kind, heat);
    this.isDimmable = kind === "heat-pump" && heat.isChance(0.5);
    this.#hasPhasePower = random.isChance(0.5);
    this.meterLagS = random.pick([0, 0, 1, 2]);
    this.meter = new FakeDevice({
      clock: world.clock,
      pollMs: random.pick([1_000, 2_000, 5_000]),
      values: { "meter.power": 0, "meter.current.l1": 0, "meter.current.l2": 0, "meter.current.l3": 0 },
      identity: { manufacturer: "Meters", model: "M", serial: "M-1" },
    });
    this.#tick();
  }

  get devices(): Readonly<Record<string, FakeDevice>> {
    const chargers = this.chargers.map(({ spec, device }) => [spec.id, device] as const);
    return {
      meter: this.meter,
      battery: this.battery.device,
      panels: this.panels.device,
      ...(this.heating !== null && { [this.heating.id]: this.heating.device }),
      ...Object.fromEntries(chargers),
    };
  }

  /** Hour of the wall clock, with its fraction. */
  get hour(): number {
    return (((this.#world.clock.nowMs() + OFFSET_MS) / HOUR_MS) % 24) + 0;
  }

  /** The net import of what § 14a EnWG limits, W: the own sun comes on top of it. */
  get controllableW(): number {
    const { chargersW, heatW, batteryW, sunW } = this.truth;
    return chargersW + heatW + batteryW - sunW;
  }

  #tick(): void {
    this.#world.clock.timer(STEP_MS, () => {
      this.#step();
      this.#tick();
    });
  }

  #step(): void {
    const atMs = this.#world.clock.monotonicMs();
    const { chargers, battery, panels, heating, truth } = this;
    for (const charging of chargers) charging.step(STEP_MS / 1_000);
    battery.step(STEP_MS / 1_000, truth.gridW);
    panels.step(STEP_MS / 1_000, atMs / 1_000, this.hour);
    heating?.step(STEP_MS / 1_000);
    const load = this.#loadA(atMs);
    const sharedA = battery.ampsOnEachPhase() - panels.watts / 3 / VOLTS;
    const onPhase = (i: 0 | 1 | 2): number =>
      load[i] +
      sharedA +
      (heating?.ampsOn(PHASES[i]) ?? 0) +
      chargers.reduce((sum, charging) => sum + charging.ampsOn(PHASES[i]), 0);
    const phaseA: PerPhase<number> = [onPhase(0), onPhase(1), onPhase(2)];
    this.truth = {
      atMs,
      phaseA,
      gridW: (phaseA[0] + phaseA[1] + phaseA[2]) * VOLTS,
      sunW: panels.watts,
      batteryW: battery.watts,
      chargersW: chargers.reduce((sum, { watts }) => sum + watts, 0),
      heatW: heating?.watts ?? 0,
    };
    this.past.push(this.truth);
    if (this.past.length > KEPT_S) this.past.shift();
    this.#showMeter();
  }

  #loadA(atMs: number): PerPhase<number> {
    const random = this.#random;
    const isNight = this.hour < 6;
    for (const { amps, seconds, aDay } of APPLIANCES) {
      if (!random.isChance((aDay / 86_400) * (isNight ? 0.2 : 1.3))) continue;
      this.#running.push({ amps, untilMs: atMs + random.between(...seconds) * 1_000 });
    }
    const sum: [number, number, number] = [...this.#base];
    for (let i = this.#running.length - 1; i >= 0; i -= 1) {
      const running = this.#running[i];
      if (running === undefined) continue;
      if (running.untilMs <= atMs) this.#running.splice(i, 1);
      else for (const phase of [0, 1, 2] as const) sum[phase] += running.amps[phase];
    }
    for (const phase of [0, 1, 2] as const) sum[phase] += random.between(-0.15, 0.15);
    return sum;
  }

  /** Most meters report currents without a sign. */
  #showMeter(): void {
    if (this.meterFault === "frozen") return;
    const seen = this.past.at(-1 - this.meterLagS) ?? this.truth;
    const sign = this.meterFault === "sign" ? -1 : 1;
    this.meter.show("meter.power", sign * seen.gridW);
    for (const phase of [0, 1, 2] as const) {
      const amps = this.meterFault === "currents" ? null : Math.abs(seen.phaseA[phase]);
      const point = (["meter.current.l1", "meter.current.l2", "meter.current.l3"] as const)[phase];
      this.meter.show(point, amps);
      if (!this.#hasPhasePower) continue;
      const power = (["meter.power.l1", "meter.power.l2", "meter.power.l3"] as const)[phase];
      this.meter.show(power, this.meterFault === "currents" ? null : sign * seen.phaseA[phase] * VOLTS);
    }
  }
}
