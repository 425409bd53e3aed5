/** What there is to plan in a house now. */
import { MINUTE_MS } from "../../../domain/duration.ts";
import type { BatteryView, ChargerView } from "../../../domain/energy/cycle/energy-snapshot.ts";
import type { BatteryUseSettings } from "../../../domain/energy/energy-policy.ts";
import type { KnownHeatStore } from "../../../domain/energy/heat-store.ts";
import type { ChargeNeed } from "../../../domain/energy/latest-start.ts";
import type { PlanBattery, PlanHeat, PlanVehicle } from "../../../domain/energy/plan/plan-inputs.ts";
import type { LeftOut } from "../../../domain/energy/plan/plan-view.ts";
import type { Assets } from "../../contracts/engine.ts";
import { pointsOf } from "../controlled.ts";
import type { HouseView } from "../house-view.ts";
import type { HeatNeed } from "../planned-heat.ts";

/** After a start the devices connect within this time. */
const STARTING_MS = MINUTE_MS;
const W_PER_KW = 1_000;
const NOMINAL_V = 230;
const QUARTERS_OF_HOUR = 4;
/** The car should be ready before its time, as far as that is left, ms. */
const SPARE_MS = 15 * MINUTE_MS;
/** Power of a battery that does not tell its own, as a share of its capacity per hour. */
const USUAL_POWER = 0.5;
/** One way; a round trip of an AC-coupled battery keeps some 85 %. */
const EFFICIENCY = 0.93;
/** What a kWh in or out costs of the battery's life, per kWh. */
const WEAR = 0.01;
/** Kept where the battery tells no reserve, as a share of its capacity. */
const LEAST_SHARE = 0.05;
/** At its reserve a battery sags a little below it, by its standby: nothing to buy in a dear hour for, as a share of its capacity. */
const SAG_SHARE = 0.02;

export interface VehicleToPlan extends Omit<PlanVehicle, "plugged"> {
  readonly dueMs: number;
  readonly neededKwh: number;
}

/** A heat pump or heater, and what it warms. */
export interface HeatToPlan extends Omit<PlanHeat, "slots"> {
  readonly store: KnownHeatStore;
  /** It takes all its power or none. */
  readonly isSwitched: boolean;
}

export interface PlanTargets {
  readonly userId: string;
  readonly heats: readonly HeatToPlan[];
  readonly vehicles: readonly VehicleToPlan[];
  readonly batteries: readonly PlanBattery[];
  readonly leftOut: readonly LeftOut[];
  /** True if all inverters can be limited. */
  readonly canCurtail: boolean;
  /** A text that changes when a new plan has to be made. */
  readonly facts: string;
}

export interface TargetParts {
  readonly assets: Pick<Assets, "get">;
  readonly batteryUse: BatteryUseSettings;
  readonly needOf: (id: string) => ChargeNeed | null;
  readonly usualW: (id: string) => number | null;
  readonly heatOf: (id: string) => HeatNeed | null;
  /** Until when a battery is to be full once, wall-clock ms; `null`: it need not be. */
  readonly fullBy: (id: string) => number | null;
  readonly nowMs: number;
}

/** Returns what can be planned; `null` if nothing asks for a plan. */
export function targetsIn({ snapshot, controlled }: HouseView, parts: TargetParts): PlanTargets | null {
  const userId = controlled.values().next().value?.device.settings.userId;
  if (userId === undefined) return null;
  const owned = parts.batteryUse.isPlanned ? snapshot.batteries : [];
  const isOurs = ({ id, isOthers, modes }: BatteryView): boolean =>
    !isOthers &&
    pointsOf("battery").every((point) => controlled.get(id)?.device.commands.regulated.fate(point) === "ours") &&
    modes.includes("SELF_RELIANCE") &&
    modes.some((mode) => mode !== "SELF_RELIANCE");
  const batteries = owned.filter(isOurs).map((battery) => batteryOf(battery, parts));
  const cars = snapshot.chargers.flatMap((charger) => vehicleOf(charger, parts));
  const vehicles = cars.filter(({ storedKwh }) => storedKwh !== null);
  const heats = snapshot.chargers.flatMap((view) => heatOf(view, parts));
  const planned = heats.filter((heat): heat is HeatToPlan => "store" in heat);
  const leftOut = [
    ...heats.filter((heat): heat is LeftOut => "code" in heat),
    ...owned.filter((battery) => !isOurs(battery)).map(({ id }): LeftOut => ({ id, code: "in-other-hands" })),
    ...cars.filter(({ storedKwh }) => storedKwh === null).map(({ id }): LeftOut => ({ id, code: "unknown-charge" })),
  ];
  if (batteries.length + vehicles.length + heats.length + leftOut.length === 0) return null;
  const { inverters } = snapshot;
  const canCurtail = inverters.length > 0 && inverters.every(({ canLimit, ratedW }) => canLimit && ratedW !== null);
  const found = { vehicles, batteries, heats: planned, leftOut };
  return { userId, ...found, canCurtail, facts: factsOf(found) };
}

/** True if something may be to be planned that was not read since the start, `runsMs` ago. */
export function isUnread(house: HouseView | null, { isPlanned }: BatteryUseSettings, runsMs: number): boolean {
  if (house === null) return true;
  const { batteries, chargers } = house.snapshot;
  if (isPlanned && batteries.length === 0 && runsMs < STARTING_MS) return true;
  return chargers.some(
    ({ ask, measuredAtMs }) => measuredAtMs === null && ask.by === "energy" && ask.mode === "PLANNED",
  );
}

function batteryOf(
  { id, soc, reserve, modes, maxChargeW, maxDischargeW, power }: BatteryView,
  parts: TargetParts,
): PlanBattery {
  const { mayChargeFromGrid, mayDischargeToGrid, maxSoc } = parts.batteryUse;
  const capacityKwh = parts.assets.get("battery", id)?.chargeState.batteryCapacity ?? null;
  const isKnown = soc !== null && capacityKwh !== null && capacityKwh > 0;
  const storedKwh = isKnown ? (soc / 100) * capacityKwh : null;
  const usualKw = (capacityKwh ?? 0) * USUAL_POWER;
  const kwOf = (knownW: number | null, commandedW = Number.POSITIVE_INFINITY): number =>
    Math.min(knownW === null ? usualKw : knownW / W_PER_KW, commandedW / W_PER_KW);
  return {
    id,
    storedKwh,
    minKwh: leastKwh(capacityKwh ?? 0, storedKwh, reserve),
    maxKwh: ((capacityKwh ?? 0) * maxSoc) / 100,
    maxChargeKw: kwOf(maxChargeW, power?.maxW),
    maxDischargeKw: kwOf(maxDischargeW, power === undefined ? undefined : -power.minW),
    chargeEfficiency: EFFICIENCY,
    dischargeEfficiency: EFFICIENCY,
    wearPerKwh: WEAR,
    mayChargeFromGrid: mayChargeFromGrid && modes.includes("IMPORT_FOCUS"),
    mayDischargeToGrid: mayDischargeToGrid && modes.includes("EXPORT_FOCUS"),
    endValuePerKwh: null,
    // An owner's ceiling means never full.
    fullByMs: maxSoc < 100 ? null : parts.fullBy(id),
  };
}

/** What a plan leaves in a battery, and charges up to: nothing is charged for what no reserve asks for. */
function leastKwh(capacityKwh: number, storedKwh: number | null, reserve: number | null): number {
  const leastKwh = capacityKwh * (reserve === null ? LEAST_SHARE : reserve / 100);
  const isAtIt = storedKwh !== null && (reserve === null || storedKwh >= leastKwh - capacityKwh * SAG_SHARE);
  return isAtIt ? Math.min(leastKwh, storedKwh) : leastKwh;
}

/** Energy counts at the charger, from now on. */
function vehicleOf({ id, ask, state, range, phases }: ChargerView, parts: TargetParts): readonly VehicleToPlan[] {
  if (ask.by !== "energy" || ask.mode !== "PLANNED" || !state.startsWith("PLUGGED_IN")) return [];
  const need = parts.needOf(id);
  if (need === null || (need.neededWh !== null && need.neededWh <= 0)) return [];
  const neededKwh = need.neededWh === null ? null : need.neededWh / W_PER_KW;
  const kwOf = (amps: number): number => (amps * NOMINAL_V * phases.length) / W_PER_KW;
  const shownKw = (parts.usualW(id) ?? need.fullW) / W_PER_KW;
  const maxKw = range === null ? shownKw : Math.min(shownKw, kwOf(range.maxA));
  const atMs = Math.max(need.dueMs - SPARE_MS, Math.min(need.dueMs, parts.nowMs + SPARE_MS));
  return [
    {
      id,
      dueMs: need.dueMs,
      neededKwh: neededKwh ?? 0,
      storedKwh: neededKwh === null ? null : 0,
      // With its least power a car may have to charge a little more than it needs in its last quarter hour.
      maxKwh: (neededKwh ?? 0) + maxKw / QUARTERS_OF_HOUR,
      minKw: range === null ? maxKw : Math.min(maxKw, kwOf(range.minA)),
      maxKw,
      chargeEfficiency: 1,
      targets: neededKwh === null ? [] : [{ atMs, storedKwh: neededKwh }],
      trips: [],
      isSurplusOnly: false,
      endValuePerKwh: 0,
    },
  ];
}

/** Only with its temperature and its power known: what was drawn would count twice, in the load and in the plan. */
function heatOf(
  { id, ask, range, phases, switched }: ChargerView,
  parts: TargetParts,
): readonly (HeatToPlan | LeftOut)[] {
  const need = parts.heatOf(id);
  if (need === null) return [];
  const rangeW = range === null ? null : range.maxA * NOMINAL_V * phases.length;
  const maxW = switched?.powerW ?? rangeW;
  if (ask.by !== "energy" || maxW === null) return [{ id, code: "in-other-hands" }];
  const { store, temperatureC, isMeasured } = need;
  if (temperatureC === null || !isMeasured) return [{ id, code: "unknown-charge" }];
  return [
    {
      id,
      store,
      temperatureC,
      maxKw: maxW / W_PER_KW,
      isSwitched: switched !== undefined,
      heatCapacityKwhPerK: store.kwhPerK,
      heatLossKwPerK: store.lossKwPerK,
    },
  ];
}

function factsOf({
  vehicles,
  batteries,
  heats,
  leftOut,
}: Pick<PlanTargets, "vehicles" | "batteries" | "heats" | "leftOut">): string {
  return JSON.stringify([
    heats.map(({ id, maxKw, store }) => [id, whole(maxKw), store]),
    vehicles.map(({ id, dueMs, maxKw, minKw }) => [id, dueMs, whole(maxKw), whole(minKw)]),
    batteries.map(({ id, storedKwh, minKwh, maxKwh, mayChargeFromGrid, mayDischargeToGrid, fullByMs }) => [
      ...[id, storedKwh === null, whole(minKwh), whole(maxKwh)],
      ...[mayChargeFromGrid, mayDischargeToGrid, fullByMs === null],
    ]),
    leftOut,
  ]);
}

function whole(value: number): number {
  return Math.round(value);
}
