/** Collects what a plan is made from: forecasts, prices and limits of the next 48 hours. */
import { drawnKw } from "../../../domain/energy/heat-store.ts";
import {
  type NoPlan,
  type PlanHeat,
  type PlanInputs,
  type PlanSlot,
  planTimes,
  QUARTER_HOUR_MS,
  type TimesOfPlan,
} from "../../../domain/energy/plan/plan-inputs.ts";
import type { PlanBasis } from "../../../domain/energy/plan/plan-view.ts";
import { slotLimits } from "../../../domain/energy/plan/slot-limits.ts";
import { meanReader } from "../../../domain/energy/plan/spans.ts";
import { sunFromEarlierDays } from "../../../domain/energy/plan/sun-forecast.ts";
import type { Clock } from "../../../platform/ports/ports.ts";
import type { EnergyLimits, SiteConnections } from "../../contracts/energy/energy.ts";
import type { Forecasts } from "../../contracts/energy/forecast.ts";
import type { HouseHistory } from "./house-history.ts";
import type { HousePrices } from "./house-prices.ts";
import type { HeatToPlan, PlanTargets } from "./plan-targets.ts";

const W_PER_KW = 1_000;
const QUARTERS_A_DAY = 96;
/** An hour of the house's load is the least that a forecast can be made from. */
const LEAST_QUARTERS = 4;

export interface InputParts {
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs">;
  readonly history: HouseHistory;
  readonly prices: HousePrices;
  readonly forecasts: Pick<Forecasts, "between" | "state">;
  readonly siteConnections: Pick<SiteConnections, "current">;
  readonly energyLimits: Pick<EnergyLimits, "active">;
}

export interface CollectedInputs {
  readonly kind: "inputs";
  readonly inputs: PlanInputs;
  readonly basis: PlanBasis;
}

/** Returns the inputs, or why there cannot be a plan. Rejects as the store does, and with the signal's reason. */
export async function collectInputs(
  targets: PlanTargets,
  parts: InputParts,
  signal: AbortSignal,
): Promise<CollectedInputs | NoPlan> {
  const { clock, history } = parts;
  await history.update(targets.userId, signal);
  if (history.quarters < LEAST_QUARTERS)
    return { kind: "no-plan", reason: "no-history", detail: `${history.quarters} quarter hours` };
  const nowMs = clock.nowMs();
  const times = planTimes(nowMs, "fine");
  const load = history.profile.forecast(times, nowMs);
  const sun = sunIn(times, parts, nowMs);
  const priced = pricesIn(times, targets.userId, parts);
  const limits = limitsIn(times, parts);
  const slots = times.map(
    (time, index): PlanSlot => ({
      ...time,
      importPrice: priced.imports[index] ?? null,
      exportPrice: priced.exports[index] ?? null,
      loadKw: load[index]?.kw ?? 0,
      pvKw: sun.kw[index] ?? 0,
      maxImportKw: limits[index]?.maxImportKw ?? null,
      maxExportKw: limits[index]?.maxExportKw ?? null,
      maxControllableKw: limits[index]?.maxControllableKw ?? null,
    }),
  );
  const { batteries } = targets;
  const vehicles = targets.vehicles.map(({ dueMs, neededKwh: _neededKwh, ...vehicle }) => ({
    ...vehicle,
    plugged: [{ fromMs: nowMs, toMs: dueMs }],
  }));
  const known = slots.filter(({ importPrice, exportPrice }) => importPrice !== null && exportPrice !== null);
  return {
    kind: "inputs",
    inputs: {
      slots,
      batteries,
      vehicles,
      heats: targets.heats.map((heat) => heatIn(heat, times)),
      canCurtail: targets.canCurtail && parts.prices.stopsBelowZero,
      peak: null,
    },
    basis: {
      historyDays: Math.round((history.quarters / QUARTERS_A_DAY) * 10) / 10,
      sun: sun.source,
      forecastAtMs: sun.source === "forecast" ? parts.forecasts.state().fetchedAtMs : null,
      pricesUntilMs: known.at(-1)?.toMs ?? null,
      isFeedInKnown: parts.prices.isFeedInKnown,
    },
  };
}

function heatIn({ store, ...heat }: HeatToPlan, times: TimesOfPlan): PlanHeat {
  const { minC, maxC, surroundingsC, heatPerPower } = store;
  const slot = { outdoorC: surroundingsC, heatPerPower, gainKw: -drawnKw(store), minC, maxC };
  return { ...heat, slots: times.map(() => slot) };
}

/** The corrected forecast, and what earlier days gave where it has nothing. */
function sunIn(
  times: TimesOfPlan,
  { history, forecasts }: InputParts,
  nowMs: number,
): { readonly source: PlanBasis["sun"]; readonly kw: readonly number[] } {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return { source: "none", kw: [] };
  const earlier = sunFromEarlierDays(history.sun, times, nowMs);
  const foreseen = forecasts.between(Math.floor(first.fromMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS, last.toMs);
  const mean = meanReader(
    foreseen.map(({ fromMs, toMs, powerW, adjustedW }) => ({ fromMs, toMs, value: (adjustedW ?? powerW) / W_PER_KW })),
  );
  const forecast = times.map(({ fromMs, toMs }) => mean(fromMs, toMs));
  const fallback = earlier.some((kw) => kw !== null) ? "earlier-days" : "none";
  // A quarter hour that no earlier day measured is one of the night, when inverters sleep.
  const kw = times.map((_, index) => forecast[index] ?? earlier[index] ?? 0);
  return { source: forecast.some((each) => each !== null) ? "forecast" : fallback, kw };
}

/** Without a configured feed-in the plan counts on nothing for it, so that it never pays more than energy costs. */
function pricesIn(times: TimesOfPlan, userId: string, { prices }: InputParts) {
  const [fromMs, toMs] = [times[0]?.fromMs ?? 0, times.at(-1)?.toMs ?? 0];
  const imports = meanReader(prices.imported(userId, fromMs, toMs));
  const exports = meanReader(prices.fedIn(fromMs, toMs));
  const importPrices = times.map((time) => imports(time.fromMs, time.toMs));
  return {
    imports: importPrices,
    exports: prices.isFeedInKnown
      ? times.map((time) => exports(time.fromMs, time.toMs))
      : importPrices.map((price) => (price === null ? null : Math.min(0, price))),
  };
}

function limitsIn(times: TimesOfPlan, { clock, siteConnections, energyLimits }: InputParts) {
  const ahead = clock.nowMs() - clock.monotonicMs();
  const dated = energyLimits
    .active()
    .map((limit) => ({ ...limit, untilMs: limit.untilMs === null ? null : limit.untilMs + ahead }));
  return slotLimits(siteConnections.current(), dated, times);
}
