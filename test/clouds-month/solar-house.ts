/** Sun, people and a battery: what a house's meter, panels and battery really do. W, positive into the battery. */
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { Fact, Moment } from "./estate.ts";

const STEP_MS = 5 * 60_000;
const PEAK_W = 6_000;
const BATTERY_W = 3_000;
const SUNRISE = 7;
const SUNSET = 18.5;

export interface Flows {
  readonly pvW: number;
  readonly gridW: number;
  readonly batteryW: number;
  readonly soc: number;
}

/** Whole tens: vendors round to hundredths of kW. */
const tens = (watts: number): number => Math.round(watts / 10) * 10;

export class SolarHouse {
  readonly #random: SeededRandom;
  readonly #hasBattery: boolean;
  readonly #show: (flows: Flows) => void;
  #flows: Flows = { pvW: 0, gridW: 400, batteryW: 0, soc: 50 };
  #nextMs = 0;

  constructor(random: SeededRandom, show: (flows: Flows) => void, hasBattery = true) {
    this.#random = random;
    this.#hasBattery = hasBattery;
    this.#show = show;
    show(this.#flows);
  }

  live({ nowMs, hour }: Moment): void {
    if (nowMs < this.#nextMs) return;
    this.#nextMs = nowMs + STEP_MS;
    const random = this.#random;
    const height = Math.sin((Math.PI * (hour - SUNRISE)) / (SUNSET - SUNRISE));
    const isDay = hour > SUNRISE && hour < SUNSET;
    const pvW = isDay ? tens(PEAK_W * Math.max(0, height) * random.between(0.2, 1)) : 0;
    const loadW = tens(random.between(200, random.isChance(0.1) ? 7_000 : 1_200));
    const { soc } = this.#flows;
    const surplusW = Math.max(-BATTERY_W, Math.min(BATTERY_W, pvW - loadW));
    const isFull = (surplusW > 0 && soc >= 99) || (surplusW < 0 && soc <= 11);
    const batteryW = this.#hasBattery && !isFull ? surplusW : 0;
    const level = Math.round(Math.min(99, Math.max(11, soc + (batteryW / BATTERY_W) * 2.5)));
    this.#flows = { pvW, batteryW, gridW: loadW + batteryW - pvW, soc: level };
    this.#show(this.#flows);
  }

  get facts(): readonly Fact[] {
    const kw = (read: (flows: Flows) => number) => () => read(this.#flows) / 1_000;
    const near = 0.021;
    return [
      { kind: "inverter", group: "productionState", field: "productionRate", truth: kw(({ pvW }) => pvW), near },
      { kind: "meter", group: "energyState", field: "power", truth: kw(({ gridW }) => gridW), near },
      ...(this.#hasBattery ? this.#batteryFacts(kw, near) : []),
    ];
  }

  #batteryFacts(kw: (read: (flows: Flows) => number) => () => number, near: number): readonly Fact[] {
    const group = "chargeState";
    return [
      { kind: "battery", group, field: "chargeRate", truth: kw(({ batteryW }) => batteryW), near },
      { kind: "battery", group, field: "batteryLevel", truth: () => this.#flows.soc, near: 0.51 },
    ];
  }
}
