import { DAY_MS, HOUR_MS } from "../../../domain/duration.ts";
import {
  batteryFrom,
  CostComparison,
  type HouseBattery,
  type MeasuredQuarter,
  type PeriodCosts,
} from "../../../domain/energy/plan/house-costs.ts";
import {
  type EnergySavings,
  type EnergySimulation,
  type EnergySimulationRequest,
  moneyOrNull,
  SAVINGS_METHOD,
  type SavingsResolution,
} from "../../../domain/energy/plan/savings-view.ts";
import { meanReader } from "../../../domain/energy/plan/spans.ts";
import { instant } from "../../../domain/fields.ts";
import { problem } from "../../../domain/problem.ts";
import { localDayAt, localMonth, localText } from "../../../domain/statistics/statistics-calendar.ts";
import type { Span } from "../../../domain/statistics/statistics-reading.ts";
import { KeyedMutex } from "../../../platform/keyed-mutex.ts";
import type { Optimizer } from "../../../platform/ports/optimizer-port.ts";
import type { Clock } from "../../../platform/ports/ports.ts";
import { StorageError } from "../../../platform/ports/storage-error.ts";
import type { SavingsQuery } from "../../contracts/energy/energy-plans.ts";
import type { Assets } from "../../contracts/engine.ts";
import type { EngineConfig } from "../../engine-part.ts";
import { withLock } from "../../with-lock.ts";
import type { HouseFlowReader, HouseQuarter } from "./house-flows.ts";
import type { HousePrices } from "./house-prices.ts";
import { simulateHouse } from "./simulate-house.ts";

const MAX_DAYS: Readonly<Record<SavingsResolution, number>> = { DAY: 92, MONTH: 366 };
const DEFAULT_DAYS = 30;
/** Earlier days from which a simulated plan learns the load. */
const LEARNT_DAYS = 28;
const QUARTER_MS = HOUR_MS / 4;

export interface HouseMoneyParts {
  readonly clock: Clock;
  readonly assets: Pick<Assets, "list">;
  readonly config: EngineConfig;
  readonly optimizer: Optimizer;
  readonly flows: HouseFlowReader;
  readonly prices: HousePrices;
}

/** Calculates what the energy of the house cost, one question at a time and a day at a time, so that control goes on. */
export class HouseMoney {
  readonly #parts: HouseMoneyParts;
  readonly #mutex = new KeyedMutex({ maxWaiting: 4 });

  constructor(parts: HouseMoneyParts) {
    this.#parts = parts;
  }

  savings(query: SavingsQuery): Promise<EnergySavings> {
    return this.#oneAtATime(() => this.#savings(query));
  }

  simulation(request: EnergySimulationRequest): Promise<EnergySimulation> {
    return this.#oneAtATime(() => this.#simulation(request));
  }

  async #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await withLock(this.#mutex, "calculations of costs", work);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      throw problem("service-unavailable", "The history cannot be read now; try again later.", { cause: error });
    }
  }

  async #savings(query: SavingsQuery): Promise<EnergySavings> {
    const { config, prices, clock } = this.#parts;
    const periods = periodsOf(query, config.site.timezone, clock.nowMs());
    const [first, last] = [periods[0], periods.at(-1)];
    const quarters =
      first === undefined || last === undefined
        ? []
        : await this.#measured({ fromMs: first.fromMs, toMs: Math.min(last.toMs, clock.nowMs()) });
    const comparison = new CostComparison(this.#battery(quarters));
    let next = 0;
    const rows: EnergySavings["periods"] = [];
    for (const period of periods) {
      const start = next;
      while (next < quarters.length && (quarters[next]?.fromMs ?? 0) < period.toMs) next += 1;
      rows.push(periodView(period, comparison.add(quarters.slice(start, next))));
      await clock.sleep(0, NEVER);
    }
    return { currency: prices.currency, method: SAVINGS_METHOD, periods: rows };
  }

  async #simulation(request: EnergySimulationRequest): Promise<EnergySimulation> {
    const { clock, config, prices, optimizer } = this.#parts;
    const { timezone: zone } = config.site;
    const toMs = localDayAt(zone, clock.nowMs()).fromMs;
    const fromMs = localDayAt(zone, toMs - request.days * DAY_MS + 2 * HOUR_MS).fromMs;
    const learnt = request.mode === "PLANNED" ? LEARNT_DAYS * DAY_MS : 0;
    const all = await this.#measured({ fromMs: fromMs - learnt, toMs });
    const measured = this.#battery(all);
    const battery = request.mode === "NONE" ? null : simulatedBattery(request, measured);
    if (battery === null && request.mode !== "NONE")
      throw problem("bad-request", "No battery of the house tells its capacity; send `capacityKwh`.");
    const spans = { fromMs, toMs, currency: prices.currency };
    return await simulateHouse({ request, all, battery, measured, zone, clock, optimizer, ...spans });
  }

  /** The quarter hours that were measured, with their prices. */
  async #measured({ fromMs, toMs }: Span): Promise<readonly MeasuredQuarter[]> {
    const { flows, prices, config } = this.#parts;
    const userId = config.site.owner;
    const read: HouseQuarter[] = [];
    for await (const day of flows.days(userId, { fromMs, toMs }, NEVER)) read.push(...day);
    const importPrice = meanReader(prices.imported(userId, fromMs, toMs));
    const exportPrice = meanReader(prices.fedIn(fromMs, toMs));
    const hasBattery = read.some(({ charge }) => charge !== null);
    return read.flatMap((quarter): MeasuredQuarter[] => {
      const { fromMs: atMs, import: importKwh, export: exportKwh, charge, discharge, level } = quarter;
      // A battery that was silent could have done anything.
      if (importKwh === null || (hasBattery && charge === null)) return [];
      return [
        {
          fromMs: atMs,
          importKwh,
          exportKwh: exportKwh ?? 0,
          chargeKwh: charge ?? 0,
          dischargeKwh: discharge ?? 0,
          generationKwh: quarter.generation ?? 0,
          level,
          importPrice: importPrice(atMs, atMs + QUARTER_MS),
          exportPrice: exportPrice(atMs, atMs + QUARTER_MS),
        },
      ];
    });
  }

  #battery(quarters: readonly MeasuredQuarter[]): HouseBattery | null {
    const own = this.#parts.assets
      .list("battery")
      .filter(({ asset }) => asset.userId === this.#parts.config.site.owner);
    const capacities = own.flatMap(({ asset }) => asset.chargeState.batteryCapacity ?? []);
    // Part of a house's batteries says nothing about all of them.
    if (own.length === 0 || capacities.length < own.length) return null;
    const capacityKwh = capacities.reduce((sum, kwh) => sum + kwh, 0);
    return batteryFrom(quarters, { capacityKwh, reserve: own[0]?.asset.chargeState.dischargeLimit ?? null });
  }
}

const NEVER = new AbortController().signal;

function periodsOf({ resolution, fromMs, toMs }: SavingsQuery, zone: string, nowMs: number): readonly Span[] {
  const endMs = Math.min(toMs ?? nowMs, nowMs);
  const startMs = fromMs ?? endMs - DEFAULT_DAYS * DAY_MS;
  if (startMs > endMs) throw problem("bad-request", "`from` is after `to`, or in the future.");
  if (endMs - startMs > (MAX_DAYS[resolution] + 1) * DAY_MS)
    throw problem("bad-request", `The time is longer than ${MAX_DAYS[resolution]} days; ask for a shorter one.`);
  const periods: Span[] = [];
  let atMs = startMs;
  while (atMs < endMs) {
    const period = resolution === "DAY" ? localDayAt(zone, atMs) : monthAt(zone, atMs);
    periods.push(period);
    atMs = period.toMs;
  }
  return periods;
}

function monthAt(zone: string, atMs: number): Span {
  const { fromMs } = localDayAt(zone, atMs);
  const [year = 0, month = 0] = localText(zone, fromMs).slice(0, 7).split("-").map(Number);
  const days = localMonth(zone, year, month);
  return { fromMs: days[0]?.fromMs ?? fromMs, toMs: days.at(-1)?.toMs ?? fromMs + DAY_MS };
}

function simulatedBattery(request: EnergySimulationRequest, measured: HouseBattery | null): HouseBattery | null {
  const capacityKwh = request.capacityKwh ?? measured?.capacityKwh ?? null;
  if (capacityKwh === null) return null;
  const isOwn = request.capacityKwh === undefined && measured !== null;
  const usualKw = capacityKwh / 2;
  return {
    ...batteryFrom([], { capacityKwh, reserve: null }),
    ...(measured !== null && { efficiency: measured.efficiency }),
    ...(isOwn && { minKwh: measured.minKwh }),
    maxChargeKw: request.maxKw ?? (isOwn ? measured.maxChargeKw : usualKw),
    maxDischargeKw: request.maxKw ?? (isOwn ? measured.maxDischargeKw : usualKw),
  };
}

function periodView({ fromMs, toMs }: Span, costs: PeriodCosts): EnergySavings["periods"][number] {
  const { cost, withoutBattery, plainRule, measuredHours, pricedHours } = costs;
  const saved = (other: number | null): number | null => (other === null || cost === null ? null : other - cost);
  return {
    from: instant(fromMs),
    to: instant(toMs),
    measuredHours,
    pricedHours,
    cost: moneyOrNull(cost),
    costWithoutBattery: moneyOrNull(withoutBattery),
    costByPlainRule: moneyOrNull(plainRule),
    savedByBattery: moneyOrNull(saved(withoutBattery)),
    savedByPlan: moneyOrNull(saved(plainRule)),
  };
}
