/** What the last days would have cost with another battery, price or mode. */
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../../domain/duration.ts";
import { LoadProfile } from "../../../domain/energy/load-forecast.ts";
import type { EnergyPlan } from "../../../domain/energy/plan/energy-plan.ts";
import {
  cheapestQuarter,
  gapBefore,
  gridCost,
  gridWith,
  type HouseBattery,
  type MeasuredQuarter,
  netWithoutBattery,
  runBattery,
  storedAfterGap,
} from "../../../domain/energy/plan/house-costs.ts";
import { makePlan } from "../../../domain/energy/plan/make-plan.ts";
import { storedValueInPlan } from "../../../domain/energy/plan/plan-acts.ts";
import { type PlanBattery, type PlanSlot, planTimes } from "../../../domain/energy/plan/plan-inputs.ts";
import {
  type EnergySimulation,
  type EnergySimulationRequest,
  moneyOrNull,
  SIMULATION_METHOD,
} from "../../../domain/energy/plan/savings-view.ts";
import { storedEnergyPolicy } from "../../../domain/energy/plan/stored-energy-policy.ts";
import { sunFromEarlierDays } from "../../../domain/energy/plan/sun-forecast.ts";
import { publicHolidays } from "../../../domain/energy/public-holidays.ts";
import { instant } from "../../../domain/fields.ts";
import { localDayAt } from "../../../domain/statistics/statistics-calendar.ts";
import type { Optimizer } from "../../../platform/ports/optimizer-port.ts";
import type { Clock } from "../../../platform/ports/ports.ts";

const HOURS = 0.25;
const W_PER_KW = 1_000;
/** A new simulated plan is made so often, ms. */
const PLAN_EVERY_MS = 3 * HOUR_MS;
const SOLVE_DEADLINE_MS = 10 * SECOND_MS;
const WEAR = 0.01;
/** Day-ahead prices of the next day are known from this time of the day on, ms. */
const PUBLISHED_AFTER_MS = 14 * HOUR_MS;
const NEVER = new AbortController().signal;

export interface SimulatedHouse {
  readonly request: EnergySimulationRequest;
  /** Measured quarter hours, ascending; with those of earlier days for a plan to learn from. */
  readonly all: readonly MeasuredQuarter[];
  /** `null`: there is none. */
  readonly battery: HouseBattery | null;
  /** The real one; `null` if there is none, or if its capacity is not known. */
  readonly measured: HouseBattery | null;
  readonly zone: string;
  readonly clock: Pick<Clock, "sleep">;
  readonly optimizer: Optimizer;
  readonly fromMs: number;
  readonly toMs: number;
  readonly currency: string;
}

interface Sums {
  cost: number;
  importKwh: number;
  exportKwh: number;
}

/** Runs the days again, and gives the event loop back after each plan and each three hours. */
export async function simulateHouse(house: SimulatedHouse): Promise<EnergySimulation> {
  const { request, all, battery, measured, clock, fromMs, toMs } = house;
  const days = all.filter((quarter) => quarter.fromMs >= fromMs);
  const was: Sums = { cost: 0, importKwh: 0, exportKwh: 0 };
  const would: Sums = { cost: 0, importKwh: 0, exportKwh: 0 };
  const planner = request.mode === "PLANNED" && battery !== null ? new SimulatedPlanner(house, battery) : null;
  const startShare = (days[0]?.level ?? 50) / 100;
  let storedKwh = battery === null ? 0 : Math.max(battery.minKwh, battery.capacityKwh * startShare);
  let realKwh = realStored(days[0], measured) ?? 0;
  const gained = { was: 0, would: 0 };
  let pricedHours = 0;
  let pausedAtMs = fromMs;
  for (const [index, real] of days.entries()) {
    const quarter = priced(real, request);
    const change = (realStored(real, measured) ?? realKwh) - realKwh;
    realKwh += change;
    const gapMs = gapBefore(days[index - 1] ?? null, real);
    if (battery !== null) storedKwh = storedAfterGap(battery, storedKwh, { gapMs, change, level: real.level });
    const beforeKwh = storedKwh;
    const isDue = quarter.fromMs >= pausedAtMs;
    if (isDue) {
      pausedAtMs = quarter.fromMs + PLAN_EVERY_MS;
      await clock.sleep(0, NEVER);
      await planner?.plan(quarter, storedKwh);
    }
    const netKw = netWithoutBattery(quarter) / HOURS;
    const askedKw = planner === null ? -netKw : planner.powerKw(quarter, storedKwh, netKw);
    const step = battery === null ? { powerKw: 0, storedKwh } : runBattery(battery, storedKwh, askedKw);
    storedKwh = step.storedKwh;
    const grid = gridWith(quarter, step.powerKw * HOURS);
    const realCost = gridCost(real.importKwh, real.exportKwh, real);
    const cost = gridCost(grid.importKwh, grid.exportKwh, quarter);
    if (realCost === null || cost === null) continue;
    pricedHours += HOURS;
    addTo(was, realCost, real);
    addTo(would, cost, grid);
    // What is stored in a gap is part of no cost that is known.
    if (gapMs > 0) continue;
    gained.was += change;
    gained.would += storedKwh - beforeKwh;
  }
  was.cost -= gained.was * cheapestQuarter(days);
  would.cost -= gained.would * cheapestQuarter(days.map((quarter) => priced(quarter, request)));
  const isKnown = pricedHours > 0;
  return {
    from: instant(fromMs),
    to: instant(toMs),
    currency: house.currency,
    method: SIMULATION_METHOD,
    measuredHours: days.length * HOURS,
    pricedHours,
    asItWas: shown(was, isKnown),
    simulated: shown(would, isKnown),
    saved: moneyOrNull(isKnown ? was.cost - would.cost : null),
  };
}

function realStored(quarter: MeasuredQuarter | undefined, measured: HouseBattery | null): number | null {
  const level = quarter?.level ?? null;
  return level === null || measured === null ? null : (level / 100) * measured.capacityKwh;
}

function priced(quarter: MeasuredQuarter, { importPrice, feedInPrice }: EnergySimulationRequest): MeasuredQuarter {
  return {
    ...quarter,
    importPrice: importPrice ?? quarter.importPrice,
    exportPrice: feedInPrice ?? quarter.exportPrice,
  };
}

function addTo(sums: Sums, cost: number, energy: { readonly importKwh: number; readonly exportKwh: number }): void {
  sums.cost += cost;
  sums.importKwh += energy.importKwh;
  sums.exportKwh += energy.exportKwh;
}

function shown({ cost, importKwh, exportKwh }: Sums, isKnown: boolean): EnergySimulation["asItWas"] {
  const rounded = (kwh: number): number => Math.round(kwh * 1_000) / 1_000;
  return { cost: moneyOrNull(isKnown ? cost : null), import: rounded(importKwh), export: rounded(exportKwh) };
}

/** Plans a simulated battery from what was known at each time. */
class SimulatedPlanner {
  readonly #house: SimulatedHouse;
  readonly #battery: PlanBattery;
  readonly #profile: LoadProfile;
  readonly #sun = new Map<number, number>();
  readonly #prices = new Map<number, MeasuredQuarter>();
  #learnt = 0;
  #plan: EnergyPlan | null = null;

  constructor(house: SimulatedHouse, battery: HouseBattery) {
    this.#house = house;
    const { request } = house;
    this.#profile = new LoadProfile(house.zone, publicHolidays(house.zone));
    for (const quarter of house.all) this.#prices.set(quarter.fromMs, priced(quarter, request));
    this.#battery = {
      id: "battery",
      storedKwh: null,
      minKwh: battery.minKwh,
      maxKwh: battery.capacityKwh,
      maxChargeKw: battery.maxChargeKw,
      maxDischargeKw: battery.maxDischargeKw,
      chargeEfficiency: battery.efficiency,
      dischargeEfficiency: battery.efficiency,
      wearPerKwh: WEAR,
      mayChargeFromGrid: request.mayChargeFromGrid,
      mayDischargeToGrid: request.mayDischargeToGrid,
      endValuePerKwh: null,
    };
  }

  async plan({ fromMs: nowMs }: MeasuredQuarter, storedKwh: number): Promise<void> {
    const { optimizer } = this.#house;
    this.#learnUpTo(nowMs);
    const slots = this.#slots(nowMs);
    const inputs = { slots, batteries: [{ ...this.#battery, storedKwh }], vehicles: [], heats: [] };
    const plan = await makePlan({ ...inputs, canCurtail: false, peak: null }, (model) =>
      optimizer.solve(model, { deadlineMs: SOLVE_DEADLINE_MS }),
    );
    this.#plan = plan.kind === "plan" ? plan : null;
  }

  /** The power that the value of a stored kWh asks for; that of the plain rule where it says nothing. */
  powerKw({ fromMs }: MeasuredQuarter, storedKwh: number, netKw: number): number {
    const value = this.#plan === null ? null : storedValueInPlan(this.#plan, this.#battery.id, fromMs);
    if (value === null) return -netKw;
    const { maxKwh, minKwh, maxChargeKw, maxDischargeKw } = this.#battery;
    const mode = storedEnergyPolicy({
      ...this.#battery,
      ...value,
      netLoadW: netKw * W_PER_KW,
      soc: (storedKwh / maxKwh) * 100,
      reserve: (minKwh / maxKwh) * 100,
      mode: "SELF_RELIANCE",
    });
    if (mode === "IMPORT_FOCUS") return maxChargeKw;
    if (mode === "EXPORT_FOCUS") return -maxDischargeKw;
    return mode === "SELF_RELIANCE" ? -netKw : 0;
  }

  #learnUpTo(nowMs: number): void {
    const { all } = this.#house;
    while (this.#learnt < all.length) {
      const quarter = all[this.#learnt];
      if (quarter === undefined || quarter.fromMs >= nowMs) return;
      const sunKw = quarter.generationKwh / HOURS;
      const loadKw = Math.max(0, netWithoutBattery(quarter) / HOURS + sunKw);
      this.#profile.learn([{ fromMs: quarter.fromMs, kw: loadKw }]);
      this.#sun.set(quarter.fromMs, sunKw);
      this.#learnt += 1;
    }
  }

  #slots(nowMs: number): readonly PlanSlot[] {
    const times = planTimes(nowMs, "fine");
    const load = this.#profile.forecast(times, nowMs);
    const sun = sunFromEarlierDays(this.#sun, times, nowMs);
    const knownToMs = this.#knownToMs(nowMs);
    return times.map(({ fromMs, toMs }, index) => {
      const known = fromMs < knownToMs ? this.#prices.get(fromMs) : undefined;
      return {
        fromMs,
        toMs,
        loadKw: load[index]?.kw ?? 0,
        pvKw: sun[index] ?? 0,
        importPrice: known?.importPrice ?? null,
        // Without a price for feeding in the plan counts on nothing for it.
        exportPrice: known === undefined ? null : (known.exportPrice ?? Math.min(0, known.importPrice ?? 0)),
        maxImportKw: null,
        maxExportKw: null,
        maxControllableKw: null,
      };
    });
  }

  #knownToMs(nowMs: number): number {
    const { fromMs, toMs } = localDayAt(this.#house.zone, nowMs);
    return nowMs - fromMs >= PUBLISHED_AFTER_MS ? toMs + DAY_MS : toMs;
  }
}
