/**
 * Optimisation requests of real homes with the optimum that their source publishes: the solver behind our port has to find
 * it too. The models here are those of the source (mode binaries, strategies), not the ones of our plan.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { INTEGER, LinearModelBuilder } from "../../src/domain/energy/plan/linear-model.ts";
import { InProcessOptimizer } from "../../src/platform/optimizer/in-process-optimizer.ts";
import { recordingAt } from "./recordings.ts";

interface CaseBattery {
  readonly charge_from_grid?: boolean;
  readonly discharge_to_grid?: boolean;
  readonly s_capacity?: number;
  readonly s_min: number;
  readonly s_max: number;
  readonly s_initial: number;
  readonly c_min: number;
  readonly c_max: number;
  readonly d_max: number;
  readonly p_a: number;
  readonly c_priority?: number;
  readonly p_demand?: readonly number[];
  readonly s_goal?: readonly number[];
}

interface Case {
  readonly request: {
    readonly strategy?: { readonly charging_strategy?: string; readonly discharging_strategy?: string };
    readonly grid?: { readonly p_max_imp?: number; readonly p_max_exp?: number; readonly prc_p_exc_imp?: number };
    readonly batteries: readonly CaseBattery[];
    readonly time_series: Readonly<Record<"dt" | "gt" | "ft" | "p_N" | "p_E", readonly number[]>>;
    readonly eta_c?: number;
    readonly eta_d?: number;
  };
  readonly expected_response: { readonly objective_value: number };
}

/** The published figure of 013 leaves out what is charged in the first step, so that equal optima differ by that. */
const TOLERANCES: Readonly<Record<string, number>> = { "013-grid-export-limit-hit.json": 4.5e-4 };
const TOLERANCE = 1e-6;
/** Above any power that a home has, Wh a step. */
const BIG = 1e6;
/** As in the source: money per Wh is too small for a solver's tolerances. */
const SCALE = 1e6;

/** Columns and rows of one case: what the source maximises is minimised with the opposite sign. */
class CaseModel {
  readonly builder = new LinearModelBuilder();
  readonly request: Case["request"];
  readonly count: number;
  readonly imports: number;
  readonly exports: number;
  readonly overImport: number;
  readonly overExport: number;
  readonly isExport: number;
  readonly stored: number[] = [];
  readonly penalty: number;

  constructor(request: Case["request"]) {
    this.request = request;
    const { p_N: importPrice, p_E: exportPrice, gt } = request.time_series;
    this.count = gt.length;
    this.penalty = Math.max(1e-4, ...importPrice, ...exportPrice, ...request.batteries.map(({ p_a }) => p_a));
    const { charging_strategy: charging = "", discharging_strategy: discharging = "" } = request.strategy ?? {};
    const lowest = Math.min(...importPrice);
    const { batteries } = request;
    const left = (slot: number) => (this.count - slot) * batteries.length * lowest;
    const beforeImport = (slot: number) => (discharging === "discharge_before_import" ? left(slot) * 5e-6 : 0);
    const beforeExport = (slot: number) => (charging === "charge_before_export" ? left(slot) * 2e-5 : 0);
    this.imports = this.columns((slot) => importPrice[slot]! + beforeImport(slot));
    this.exports = this.columns((slot) => -exportPrice[slot]! + beforeExport(slot));
    const { p_max_imp, p_max_exp } = request.grid ?? {};
    this.overImport = p_max_imp === undefined ? -1 : this.columns((slot) => importPrice[slot]! + this.penalty * 100);
    this.overExport = p_max_exp === undefined ? -1 : this.columns((slot) => this.penalty * 100 * (1 - slot * 1e-5));
    this.isExport = this.binaries();
    for (const battery of batteries) this.addBattery(battery, lowest);
    this.addBalance();
    this.addGrid();
    if (charging === "attenuate_feedin_peaks") this.addPeaks();
  }

  hours(slot: number): number {
    return this.request.time_series.dt[slot]! / 3_600;
  }

  columns(cost: (slot: number) => number, upper: (slot: number) => number = () => Infinity): number {
    const costs = Array.from({ length: this.count }, (_, slot) => cost(slot) * SCALE);
    return this.builder.addColumns(this.count, { cost: costs, upper: costs.map((_, slot) => upper(slot)) });
  }

  binaries(): number {
    return this.builder.addColumns(this.count, { upper: 1, integrality: INTEGER });
  }

  row(lower: number, upper: number, ...terms: readonly (readonly [column: number, coefficient: number])[]): void {
    for (const [column, coefficient] of terms) this.builder.addTerm(column, coefficient);
    this.builder.endRow(lower, upper);
  }

  readonly #charges: { readonly charge: number; readonly discharge: number }[] = [];

  addBattery(battery: CaseBattery, lowest: number): void {
    const { count } = this;
    const priority = (slot: number) => -lowest * 5e-5 * (count - slot) * (battery.c_priority ?? 0);
    const charge = this.columns(priority, (slot) => battery.c_max * this.hours(slot));
    const discharge = this.columns(priority, (slot) => battery.d_max * this.hours(slot));
    const stored = this.columns(
      (slot) => (slot === count - 1 ? -battery.p_a : 0),
      () => battery.s_capacity ?? Infinity,
    );
    const above = this.columns(() => this.penalty * 1_000);
    const below = this.columns(() => this.penalty * 1_000);
    const isDischarge = this.binaries();
    const { eta_c = 0.95, eta_d = 0.95 } = this.request;
    this.stored.push(stored);
    this.#charges.push({ charge, discharge });
    for (let slot = 0; slot < count; slot++) {
      const most = battery.c_max * this.hours(slot);
      const before = slot === 0 ? [] : ([[stored + slot - 1, -1]] as const);
      const amount = slot === 0 ? battery.s_initial : 0;
      this.row(amount, amount, [stored + slot, 1], ...before, [charge + slot, -eta_c], [discharge + slot, 1 / eta_d]);
      this.row(-Infinity, battery.s_max, [stored + slot, 1], [above + slot, -1]);
      this.row(battery.s_min, Infinity, [stored + slot, 1], [below + slot, 1]);
      this.row(-Infinity, 0, [discharge + slot, 1], [isDischarge + slot, -battery.d_max * this.hours(slot)]);
      this.row(-Infinity, most, [charge + slot, 1], [isDischarge + slot, most]);
      if (battery.charge_from_grid !== true) this.row(-Infinity, 0, [charge + slot, 1], [this.isExport + slot, -most]);
      const out = battery.d_max * this.hours(slot);
      if (battery.discharge_to_grid !== true)
        this.row(-Infinity, out, [discharge + slot, 1], [this.isExport + slot, out]);
    }
    if (battery.p_demand !== undefined) this.addDemand(battery, battery.p_demand, charge, stored);
    else if (battery.c_min > 0) this.addMinimum(battery, charge);
    for (const [slot, goal] of (battery.s_goal ?? []).entries()) {
      if (goal <= 0 || slot === 0) continue;
      const short = this.builder.addColumns(1, { cost: this.penalty * 100 * SCALE });
      this.row(goal, Infinity, [stored + slot, 1], [short, 1]);
    }
  }

  /** Nothing, or at least the least power. */
  addMinimum({ c_min, c_max }: CaseBattery, charge: number): void {
    const isOn = this.binaries();
    for (let slot = 0; slot < this.count; slot++) {
      this.row(0, Infinity, [charge + slot, 1], [isOn + slot, -c_min * this.hours(slot)]);
      this.row(-Infinity, 0, [charge + slot, 1], [isOn + slot, -c_max * this.hours(slot)]);
    }
  }

  /** A power that is asked for in a step, unless the vehicle is full; it may stop early when it is nearly full. */
  addDemand({ c_min, c_max, s_max }: CaseBattery, demand: readonly number[], charge: number, stored: number): void {
    const { count } = this;
    const isOn = this.binaries();
    const isNearlyFull = this.binaries();
    const isFull = this.binaries();
    const short = this.columns((slot) => this.penalty * 100 * (1 + (count - slot) / count));
    for (let slot = 0; slot < count; slot++) {
      const least = c_min * this.hours(slot);
      const most = c_max * this.hours(slot);
      if (demand[slot]! > 0) {
        const asked = Math.min(most, demand[slot]!);
        this.row(-least, Infinity, [stored + slot, 1], [isNearlyFull + slot, -s_max]);
        this.row(0, Infinity, [stored + slot, 1], [isFull + slot, -s_max]);
        this.row(asked, Infinity, [charge + slot, 1], [short + slot, 1], [isFull + slot, asked]);
      } else this.row(0, 0, [isNearlyFull + slot, 1]);
      if (c_min <= 0) continue;
      this.row(0, Infinity, [charge + slot, 1], [isNearlyFull + slot, least], [isOn + slot, -least]);
      this.row(-Infinity, 0, [charge + slot, 1], [isOn + slot, -most]);
    }
  }

  addBalance(): void {
    const { gt, ft } = this.request.time_series;
    for (let slot = 0; slot < this.count; slot++) {
      const over = [
        ...(this.overImport < 0 ? [] : [[this.overImport + slot, 1] as const]),
        ...(this.overExport < 0 ? [] : [[this.overExport + slot, -1] as const]),
      ];
      const devices = this.#charges.flatMap(({ charge, discharge }) => [
        [charge + slot, -1] as const,
        [discharge + slot, 1] as const,
      ]);
      const load = gt[slot]! - ft[slot]!;
      this.row(load, load, [this.imports + slot, 1], [this.exports + slot, -1], ...over, ...devices);
    }
  }

  /** One direction a step; more than a limit only when the limit is reached. */
  addGrid(): void {
    const { p_max_imp, p_max_exp } = this.request.grid ?? {};
    for (let slot = 0; slot < this.count; slot++) {
      this.row(-Infinity, 0, [this.exports + slot, 1], [this.isExport + slot, -BIG]);
      this.row(-Infinity, BIG, [this.imports + slot, 1], [this.isExport + slot, BIG]);
    }
    for (const [limit, column, over] of [
      [p_max_imp, this.imports, this.overImport],
      [p_max_exp, this.exports, this.overExport],
    ] as const) {
      if (limit === undefined) continue;
      const isBelow = this.binaries();
      for (let slot = 0; slot < this.count; slot++) {
        const most = limit * this.hours(slot);
        this.row(-Infinity, most, [column + slot, 1]);
        this.row(most, Infinity, [column + slot, 1], [isBelow + slot, most]);
        this.row(-Infinity, BIG, [over + slot, 1], [isBelow + slot, BIG]);
      }
    }
  }

  /** The highest feed-in costs a little, and each step of it up or down still less. */
  addPeaks(): void {
    const peak = this.builder.addColumns(1, { cost: this.penalty * 1e-3 * SCALE });
    const ramp = this.columns((slot) => (slot === 0 ? 0 : this.penalty * 1e-5));
    const power = (slot: number) => [this.exports + slot, 1 / this.hours(slot)] as const;
    for (let slot = 0; slot < this.count; slot++) {
      this.row(-Infinity, 0, power(slot), [peak, -1]);
      if (slot === 0) continue;
      const [before, factor] = power(slot - 1);
      this.row(-Infinity, 0, power(slot), [before, -factor], [ramp + slot, -1]);
      this.row(-Infinity, 0, [before, factor], [this.exports + slot, -1 / this.hours(slot)], [ramp + slot, -1]);
    }
  }

  /** The published figure: money alone, and of the stored energy only what was added after the first step. */
  cleanObjective(values: Float64Array): number {
    const { p_N, p_E } = this.request.time_series;
    let sum = 0;
    for (let slot = 0; slot < this.count; slot++) {
      const over = this.overImport < 0 ? 0 : values[this.overImport + slot]!;
      sum += values[this.exports + slot]! * p_E[slot]! - (values[this.imports + slot]! + over) * p_N[slot]!;
    }
    for (const [index, stored] of this.stored.entries()) {
      const added = values[stored + this.count - 1]! - values[stored]!;
      sum += added * this.request.batteries[index]!.p_a;
    }
    return sum;
  }
}

describe("the published optima of real homes", () => {
  const optimizer = new InProcessOptimizer();
  test.for(readdirSync(recordingAt("optimizer")).filter((name) => name.endsWith(".json")))(
    "%s has the objective that its source expects",
    async (name) => {
      const { request, expected_response } = JSON.parse(readFileSync(recordingAt(`optimizer/${name}`), "utf8")) as Case;
      const built = new CaseModel(request);
      // In the objective's scaled unit: a millionth of the money of a case.
      const solution = await optimizer.solve(built.builder.build(), { absoluteGap: 1e-7 * SCALE });
      expect(solution).toMatchObject({ status: "optimal" });
      if (!("values" in solution)) throw new Error(`${name} has no solution`);
      const expected = expected_response.objective_value;
      const difference = (expected - built.cleanObjective(solution.values)) / Math.abs(expected);
      expect(Math.abs(difference)).toBeLessThan(TOLERANCES[name] ?? TOLERANCE);
    },
  );
});
