/** What the measured energy of a house cost, and what it would have cost with another battery. kWh, prices per kWh. */
import { HOUR_MS } from "../../duration.ts";

/** A quarter hour at the connection; a price is `null` if it is not known. */
export interface MeasuredQuarter {
  /** Wall-clock ms. */
  readonly fromMs: number;
  readonly importKwh: number;
  readonly exportKwh: number;
  readonly chargeKwh: number;
  readonly dischargeKwh: number;
  /** Of the panels; 0 if there are none. */
  readonly generationKwh: number;
  /** State of charge of the batteries, %; `null` if it was not read. */
  readonly level: number | null;
  readonly importPrice: number | null;
  readonly exportPrice: number | null;
}

/** All batteries of a house as one. */
export interface HouseBattery {
  readonly capacityKwh: number;
  readonly minKwh: number;
  readonly maxChargeKw: number;
  readonly maxDischargeKw: number;
  /** One way, 0 to 1. */
  readonly efficiency: number;
}

const HOURS = 0.25;
const QUARTER_MS = HOURS * HOUR_MS;
/** Efficiency of a round trip: what is assumed with little data, and what is believed of a measurement. */
const ROUND_TRIP = { usual: 0.86, least: 0.7, most: 0.98 };
const ENOUGH_KWH = 5;
const USUAL_POWER = 0.5;
/** After a gap that is longer, what another battery would have stored is not known any more, ms. */
const LONGEST_GAP_MS = HOUR_MS;

/** What the house took without its batteries; negative: it had more than it used. */
export function netWithoutBattery({ importKwh, exportKwh, chargeKwh, dischargeKwh }: MeasuredQuarter): number {
  return importKwh - exportKwh - chargeKwh + dischargeKwh;
}

/** Cost of energy at the connection; `null` if a price is missing for energy that flowed. */
export function gridCost(
  importKwh: number,
  exportKwh: number,
  { importPrice, exportPrice }: Pick<MeasuredQuarter, "importPrice" | "exportPrice">,
): number | null {
  if ((importKwh > 0 && importPrice === null) || (exportKwh > 0 && exportPrice === null)) return null;
  return importKwh * (importPrice ?? 0) - exportKwh * (exportPrice ?? 0);
}

/** The battery of a house as its measurements show it. */
export function batteryFrom(
  quarters: readonly MeasuredQuarter[],
  { capacityKwh, reserve }: { readonly capacityKwh: number; readonly reserve: number | null },
): HouseBattery {
  const sum = (of: (quarter: MeasuredQuarter) => number): number =>
    quarters.reduce((total, quarter) => total + of(quarter), 0);
  const [charged, discharged] = [sum(({ chargeKwh }) => chargeKwh), sum(({ dischargeKwh }) => dischargeKwh)];
  const levels = quarters.flatMap(({ level }) => level ?? []);
  const gained = (((levels.at(-1) ?? 0) - (levels[0] ?? 0)) / 100) * capacityKwh;
  const measured = charged < ENOUGH_KWH ? ROUND_TRIP.usual : (discharged + gained) / charged;
  const highest = (of: (quarter: MeasuredQuarter) => number): number =>
    quarters.reduce((most, quarter) => Math.max(most, of(quarter) / HOURS), USUAL_POWER * capacityKwh);
  return {
    capacityKwh,
    minKwh: ((reserve ?? 0) / 100) * capacityKwh,
    maxChargeKw: highest(({ chargeKwh }) => chargeKwh),
    maxDischargeKw: highest(({ dischargeKwh }) => dischargeKwh),
    efficiency: Math.sqrt(Math.min(ROUND_TRIP.most, Math.max(ROUND_TRIP.least, measured))),
  };
}

/** Runs a battery for a quarter hour with a power that it is asked for, kW, positive into it. */
export function runBattery(
  { capacityKwh, minKwh, maxChargeKw, maxDischargeKw, efficiency }: HouseBattery,
  storedKwh: number,
  askedKw: number,
): { readonly powerKw: number; readonly storedKwh: number } {
  const chargeKw = Math.min(maxChargeKw, Math.max(0, capacityKwh - storedKwh) / efficiency / HOURS);
  const dischargeKw = Math.min(maxDischargeKw, (Math.max(0, storedKwh - minKwh) * efficiency) / HOURS);
  const powerKw = Math.min(chargeKw, Math.max(-dischargeKw, askedKw));
  const change = powerKw > 0 ? powerKw * efficiency : powerKw / efficiency;
  return { powerKw, storedKwh: storedKwh + change * HOURS };
}

/** Energy at the connection with another battery. What flowed both ways within the quarter hour stays. */
export function gridWith(quarter: MeasuredQuarter, batteryKwh: number): { importKwh: number; exportKwh: number } {
  const both = Math.min(quarter.importKwh, quarter.exportKwh);
  const net = netWithoutBattery(quarter) + batteryKwh;
  return { importKwh: Math.max(0, net) + both, exportKwh: Math.max(0, -net) + both };
}

/** Costs of a stretch of time. `null`: no quarter hour in it has all its prices, or there is no battery to compare with. */
export interface PeriodCosts {
  readonly measuredHours: number;
  /** Hours whose prices are known: only they count in the costs. */
  readonly pricedHours: number;
  readonly cost: number | null;
  readonly withoutBattery: number | null;
  readonly plainRule: number | null;
}

/** How long nothing was measured before a quarter hour, ms; 0 for the first one. */
export function gapBefore(before: MeasuredQuarter | null, { fromMs }: MeasuredQuarter): number {
  return before === null ? 0 : Math.max(0, fromMs - before.fromMs - QUARTER_MS);
}

/**
 * What another battery has stored after a gap: after a long one as much as the real one, after a short one so much more or
 * less as the real one. `change`: of the real one from the quarter hour before the gap to the one after it, kWh.
 */
export function storedAfterGap(
  { capacityKwh, minKwh }: HouseBattery,
  storedKwh: number,
  { gapMs, change, level }: { readonly gapMs: number; readonly change: number; readonly level: number | null },
): number {
  if (gapMs === 0 || level === null) return storedKwh;
  const moved = change * (gapMs / (gapMs + QUARTER_MS));
  const kwh = gapMs > LONGEST_GAP_MS ? (level / 100) * capacityKwh : storedKwh + moved;
  return Math.min(capacityKwh, Math.max(minKwh, kwh));
}

/**
 * Compares what a house paid with no battery and with the plain rule, from one stretch of time to the next: the rule's
 * battery begins with the charge of the real one, also after a long gap. What is stored more or less at the end of the
 * quarter hours that count than at their beginning counts with the price of the cheapest quarter of the hours.
 */
export class CostComparison {
  readonly #battery: HouseBattery | null;
  #last: MeasuredQuarter | null = null;
  #ruleKwh: number | null = null;
  #realKwh: number | null = null;

  constructor(battery: HouseBattery | null) {
    this.#battery = battery;
  }

  add(quarters: readonly MeasuredQuarter[]): PeriodCosts {
    const sums = { cost: 0, withoutBattery: 0, plainRule: 0, priced: 0 };
    const gained = { real: 0, rule: 0 };
    for (const quarter of quarters) {
      const { real, rule, ...ruleGrid } = this.#step(quarter);
      const cost = gridCost(quarter.importKwh, quarter.exportKwh, quarter);
      const bare = gridWith(quarter, 0);
      const withoutBattery = gridCost(bare.importKwh, bare.exportKwh, quarter);
      const plainRule = gridCost(ruleGrid.importKwh, ruleGrid.exportKwh, quarter);
      if (cost === null || withoutBattery === null || plainRule === null) continue;
      sums.cost += cost;
      sums.withoutBattery += withoutBattery;
      sums.plainRule += plainRule;
      sums.priced += 1;
      gained.real += real;
      gained.rule += rule;
    }
    const stored = cheapestQuarter(quarters);
    const isKnown = sums.priced > 0;
    return {
      measuredHours: quarters.length * HOURS,
      pricedHours: sums.priced * HOURS,
      cost: isKnown ? sums.cost : null,
      withoutBattery: isKnown && this.#battery !== null ? sums.withoutBattery + gained.real * stored : null,
      plainRule: isKnown && this.#ruleKwh !== null ? sums.plainRule + (gained.real - gained.rule) * stored : null,
    };
  }

  /** Follows the real charge and the rule's; returns what each gained, and what the rule would have had at the connection. */
  #step(quarter: MeasuredQuarter): { importKwh: number; exportKwh: number; real: number; rule: number } {
    const battery = this.#battery;
    if (battery === null) return { ...gridWith(quarter, 0), real: 0, rule: 0 };
    const gapMs = gapBefore(this.#last, quarter);
    this.#last = quarter;
    const beforeKwh = this.#realKwh;
    if (quarter.level !== null) this.#realKwh = (quarter.level / 100) * battery.capacityKwh;
    const change = beforeKwh === null ? 0 : (this.#realKwh ?? 0) - beforeKwh;
    const isNew = this.#ruleKwh === null;
    const ruleKwh =
      this.#ruleKwh === null
        ? this.#realKwh
        : storedAfterGap(battery, this.#ruleKwh, { gapMs, change, level: quarter.level });
    // What is stored in a gap is part of no cost that is known.
    const real = gapMs === 0 ? change : 0;
    if (ruleKwh === null) return { ...gridWith(quarter, quarter.chargeKwh - quarter.dischargeKwh), real, rule: 0 };
    // What is left over charges the battery, and what is missing comes from it.
    const asked = -netWithoutBattery(quarter) / HOURS;
    const { powerKw, storedKwh } = runBattery(battery, ruleKwh, asked);
    this.#ruleKwh = storedKwh;
    const rule = gapMs === 0 && !isNew ? storedKwh - ruleKwh : 0;
    return { ...gridWith(quarter, powerKw * HOURS), real, rule };
  }
}

/** The mean price of the cheapest quarter of the hours; 0 without any. */
export function cheapestQuarter(quarters: readonly MeasuredQuarter[]): number {
  const prices = quarters.flatMap(({ importPrice }) => importPrice ?? []).toSorted((a, b) => a - b);
  const cheapest = prices.slice(0, Math.ceil(prices.length / 4));
  return cheapest.length === 0 ? 0 : cheapest.reduce((sum, price) => sum + price, 0) / cheapest.length;
}
