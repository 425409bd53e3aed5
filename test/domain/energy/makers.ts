import type {
  ActiveLimit,
  BatteryView,
  ChargerView,
  EnergySnapshot,
  HeatPumpView,
  InverterView,
  MeterView,
} from "../../../src/domain/energy/cycle/energy-snapshot.ts";
import type { SiteConnection } from "../../../src/domain/energy/site/site-connection.ts";

export function makeSite(fields: Partial<SiteConnection> = {}): SiteConnection {
  return {
    phases: 3,
    fuseA: 25,
    importKw: null,
    peakKw: null,
    exportKw: null,
    gridMeterId: null,
    circuits: [],
    phasesOf: new Map(),
    ...fields,
  };
}

export function makeMeter(fields: Partial<MeterView> = {}): MeterView {
  return { powerW: 0, currentA: [0, 0, 0], measuredAtMs: 0, ...fields };
}

export function makeCharger(fields: Partial<ChargerView> = {}): ChargerView {
  return {
    id: "charger",
    name: "Charger",
    ask: { by: "energy", mode: "FAST", plannedW: null, plannedUntilMs: null },
    priority: 1,
    phases: ["L1", "L2", "L3"],
    state: "PLUGGED_IN:CHARGING",
    powerW: 0,
    currentA: [0, 0, 0],
    offeredA: 6,
    isEnabled: false,
    range: { minA: 6, maxA: 16, stepA: 1 },
    canSwitch: true,
    gridShare: 0,
    measuredAtMs: 0,
    latencyMs: 8_000,
    ...fields,
  };
}

export function makeHeatPump(powerW: number, measuredAtMs: number): HeatPumpView {
  const state = { isRaised: false, isBlocked: false, canBlock: true };
  return { id: "pump", name: "Pump", powerW, drawnW: powerW, ratedW: 6_000, ...state, measuredAtMs };
}

export function makeBattery(fields: Partial<BatteryView> = {}): BatteryView {
  return {
    id: "battery",
    name: "Battery",
    powerW: 0,
    soc: 60,
    reserve: 10,
    mode: "SELF_RELIANCE",
    modes: ["SELF_RELIANCE", "IDLE", "IMPORT_FOCUS", "EXPORT_FOCUS"],
    maxChargeW: 5_000,
    maxDischargeW: 5_000,
    measuredAtMs: 0,
    plannedMode: null,
    isOthers: false,
    ...fields,
  };
}

export function makeInverter(fields: Partial<InverterView> = {}): InverterView {
  return {
    id: "inverter",
    name: "Inverter",
    powerW: 0,
    limitPct: 100,
    ratedW: 10_000,
    canLimit: true,
    measuredAtMs: 0,
    ...fields,
  };
}

export function makeLimit(fields: Partial<ActiveLimit> = {}): ActiveLimit {
  return {
    id: "limit-1",
    source: "operator",
    direction: "import",
    scope: "connection",
    watts: 4_200,
    untilMs: null,
    ...fields,
  };
}

export function makeSnapshot(fields: Partial<EnergySnapshot> = {}): EnergySnapshot {
  return {
    nowMs: 0,
    site: makeSite(),
    grid: makeMeter(),
    circuits: new Map(),
    chargers: [],
    batteries: [],
    inverters: [],
    limits: [],
    batteryUse: { holdWhileFast: true, priorityBelow: 0, supportAbove: 100 },
    ...fields,
  };
}
