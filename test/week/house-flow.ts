/** What flows in a house with panels and a battery: powers that agree with each other, and counters that follow them. */
import type { SeededRandom, World } from "hemgate/testing";

const HOUR_MS = 3_600_000;

/** Since the beginning, Wh. */
export interface HouseEnergies {
  readonly import: number;
  readonly export: number;
  readonly generation: number;
  readonly charge: number;
  readonly discharge: number;
  /** What the house used. */
  readonly consumption: number;
}

export const NO_ENERGIES: HouseEnergies = {
  import: 0,
  export: 0,
  generation: 0,
  charge: 0,
  discharge: 0,
  consumption: 0,
};
export const FLOWS = ["import", "export", "generation", "charge", "discharge", "consumption"] as const;

export class HouseFlow {
  /** W; the battery's is positive while it charges. */
  pvW = 0;
  batteryW = 0;
  loadW = 400;
  soc = 50;
  energiesWh = NO_ENERGIES;
  readonly #world: World;
  #turnedAtMs = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** W; positive is import. */
  get gridW(): number {
    return this.loadW + this.batteryW - this.pvW;
  }

  /** Counts up to now, and moves what flows from now on: once in a moment, however many devices ask for it. */
  turn(random: SeededRandom, hour: number): void {
    const nowMs = this.#world.clock.monotonicMs();
    if (nowMs === this.#turnedAtMs) return;
    this.energiesWh = this.#countedTo(nowMs);
    this.#turnedAtMs = nowMs;
    const sun = Math.max(0, Math.sin(((hour - 4) / 16) * Math.PI));
    this.pvW = Math.round(8_000 * sun * random.between(0.3, 1));
    this.loadW = Math.round(random.between(200, random.isChance(0.1) ? 7_000 : 1_500));
    const wantedW = Math.max(-3_000, Math.min(3_000, this.pvW - this.loadW));
    const isFull = (wantedW > 0 && this.soc >= 95) || (wantedW < 0 && this.soc <= 10);
    this.batteryW = isFull ? 0 : wantedW;
    this.soc = Math.round(10 * (this.soc + this.batteryW / 6_000)) / 10;
  }

  #countedTo(nowMs: number): HouseEnergies {
    const { energiesWh: before, gridW, batteryW, pvW, loadW } = this;
    const hours = (nowMs - this.#turnedAtMs) / HOUR_MS;
    return {
      import: before.import + Math.max(0, gridW) * hours,
      export: before.export + Math.max(0, -gridW) * hours,
      generation: before.generation + pvW * hours,
      charge: before.charge + Math.max(0, batteryW) * hours,
      discharge: before.discharge + Math.max(0, -batteryW) * hours,
      consumption: before.consumption + loadW * hours,
    };
  }
}
