/**
 * Heat pumps that can be asked to take more power, by a state (SG Ready) or a higher setpoint, and heaters with a power, as
 * loads of the control cycle.
 */
import { CONTROL_SCOPES } from "../../domain/actions/action-refusal.ts";
import { type Hvac, hvacCategoryOf } from "../../domain/assets/hvac.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import { NOMINAL_V } from "../../domain/energy/cycle/cycle-timing.ts";
import type { ChargeAsk, ChargerView, SwitchedLoad } from "../../domain/energy/cycle/energy-snapshot.ts";
import { type Phase, phasesOf, type SiteConnection } from "../../domain/energy/site/site-connection.ts";
import type { ControlPoint } from "../../points/points.ts";
import type { EnergyDeviceRecord } from "../../store/records/energy.ts";
import type { EnergySources } from "../contracts/energy/energy-manager.ts";
import type { Assets } from "../contracts/engine.ts";
import type { Controlled } from "./controlled.ts";
import { assetIdOf, type EnergyDevice, freeControl, latestMs } from "./energy-device.ts";

/** Taken by a heat pump whose power nobody has set, W. */
const DEFAULT_W = 2_000;
const W_PER_KW = 1_000;
/** The least power with which a heater runs, and the steps of its power, W. */
const LEAST_HEATER_W = 100;
const STEP_W = 20;
/** A setpoint is raised by this at most, and by no less than half a kelvin, K. */
const SHIFT_K = 2;
const LEAST_SHIFT_K = 0.5;
/** A setpoint that differs by less is the same, K. */
const SAME_K = 0.05;

/** A compressor needs half an hour with its rest, which makes at most two starts an hour. */
const HEAT_PUMP_TIMES = { minimumOnMs: 20 * MINUTE_MS, minimumOffMs: 10 * MINUTE_MS, startsPerDay: 12 } as const;
const PLUG_TIMES = { minimumOnMs: 10 * MINUTE_MS, minimumOffMs: 5 * MINUTE_MS, startsPerDay: 24 } as const;

/** Returns a charger or plug that is only switched as a load of its power; `undefined` if its power is not set. */
export function plugLoad(record: EnergyDeviceRecord | null): SwitchedLoad | undefined {
  const powerKw = record?.powerKw ?? null;
  return powerKw === null ? undefined : { powerW: powerKw * W_PER_KW, ...PLUG_TIMES };
}

/**
 * True if the unit has a state in which it takes more power than by itself. A thermostat with a setpoint has none: it heats
 * no more in `HEAT` than in `AUTO`.
 */
function canRaise(device: EnergyDevice): boolean {
  const modes = device.known?.controls.find(({ point }) => point === "hvac.mode")?.values ?? [];
  const hasSetpoint = device.known?.controls.some(({ point }) => point === "hvac.heatSetpoint") ?? false;
  return modes.includes("AUTO") && modes.includes("HEAT") && !hasSetpoint;
}

/**
 * True if the unit is a heat pump that takes more power by a higher setpoint only. One with holds has its own
 * programme, which a setpoint that is given back would end.
 */
function isShifted(device: EnergyDevice): boolean {
  const { known } = device;
  const has = (point: ControlPoint) => known?.controls.some((control) => control.point === point) ?? false;
  if (known === null || !has("hvac.heatSetpoint") || has("hvac.holdType") || has("hvac.maxPower")) return false;
  return hvacCategoryOf(known) === "HEAT_PUMP";
}

/** True if the energy manager can have a mode for the unit. */
export function canHeat(device: EnergyDevice): boolean {
  return canRaise(device) || isHeater(device) || isShifted(device);
}

/**
 * Returns the raised setpoint, °C: above the one that is there without the energy manager, and never above `heat.maxC` where
 * its owner has set that; `null` if there is no room for a raise, or if the unit does not heat.
 */
function raisedSetpointC(device: EnergyDevice, { heat = null }: Pick<EnergyDeviceRecord, "heat">): number | null {
  const { values, commands } = device;
  const control = freeControl(device, "hvac.heatSetpoint");
  const ownC =
    commands.asked("hvac.heatSetpoint").value ??
    commands.regulated.before("hvac.heatSetpoint") ??
    values["hvac.heatSetpoint"];
  const mode = values["hvac.mode"] ?? "AUTO";
  if (control === null || typeof ownC !== "number" || (mode !== "AUTO" && mode !== "HEAT")) return null;
  const raisedC = Math.min(ownC + SHIFT_K, heat?.maxC ?? Number.POSITIVE_INFINITY, control.range?.max ?? ownC);
  return raisedC >= ownC + LEAST_SHIFT_K ? raisedC : null;
}

interface HeatPumpInputs {
  readonly hvac: Hvac;
  readonly record: EnergyDeviceRecord;
  readonly ask: ChargeAsk;
  readonly phases: readonly Phase[];
  readonly latencyMs: number;
}

/** While it is raised, all its power counts as that of the load; otherwise it is a part of the house. */
function heatPumpView(device: EnergyDevice, { hvac, record, ask, phases, latencyMs }: HeatPumpInputs): ChargerView {
  const { values } = device;
  const isRaised = isRaisedNow(device);
  const shift = isShifted(device) ? { raisedSetpointC: raisedSetpointC(device, record) } : {};
  const powerW = (record.powerKw ?? DEFAULT_W / W_PER_KW) * W_PER_KW;
  return {
    id: hvac.id,
    name: nameOf(hvac),
    ask,
    priority: record.priority,
    phases,
    state: isRaised ? "PLUGGED_IN:CHARGING" : "PLUGGED_IN:STOPPED",
    powerW: isRaised ? (values["hvac.power"] ?? powerW) : 0,
    currentA: [null, null, null],
    offeredA: null,
    isEnabled: isRaised,
    range: null,
    canSwitch: mayCommand(hvac) && canSwitch(device, shift),
    ...shift,
    switched: { powerW, ...HEAT_PUMP_TIMES },
    gridShare: record.gridShare,
    measuredAtMs: latestMs(device, ["hvac.power", "hvac.mode", "hvac.heatSetpoint"]),
    latencyMs,
  };
}

/** What is raised can be lowered, whatever bound it has by now. */
function canSwitch(device: EnergyDevice, shift: Pick<ChargerView, "raisedSetpointC">): boolean {
  if (shift.raisedSetpointC === undefined) return freeControl(device, "hvac.mode") !== null;
  return shift.raisedSetpointC !== null || isRaisedNow(device);
}

export function isRaisedNow(device: EnergyDevice): boolean {
  const { values, commands } = device;
  if (!isShifted(device)) return values["hvac.mode"] === "HEAT";
  const raisedC = commands.regulated.value("hvac.heatSetpoint");
  return typeof raisedC === "number" && (values["hvac.heatSetpoint"] ?? -Infinity) >= raisedC - SAME_K;
}

/**
 * What a client sets goes before the mode for as long as it is held. What a schedule has left is over: a mode switches the
 * schedule off, and the schedule removes the mode.
 */
function askOf(
  { sources, isWarm }: HeatPumpParts,
  { commands }: EnergyDevice,
  { assetId, mode, asked }: EnergyDeviceRecord,
): ChargeAsk {
  const isClients = (["hvac.mode", "hvac.heatSetpoint"] as const).some(
    (point) => commands.asked(point).by === "client",
  );
  if (asked !== null || isClients) return { by: "device" };
  if (mode !== "PLANNED") return { by: "energy", mode, plannedW: null, plannedUntilMs: null };
  const plan = sources.plannedCharge(assetId);
  const planned = { plannedW: plan?.powerW ?? null, plannedUntilMs: plan?.untilMs ?? null };
  return { by: "energy", mode, ...planned, isWarm: isWarm(assetId) };
}

export function mayCommand({ scopes }: Hvac): boolean {
  return scopes.includes(CONTROL_SCOPES.hvac);
}

export function nameOf({ id, information: { displayName, model } }: Hvac): string {
  return displayName ?? model ?? id;
}

/** True if the power of the unit can be set, and it has no states: a heating rod with a controller. */
export function isHeater(device: EnergyDevice): boolean {
  const has = (point: ControlPoint) => device.known?.controls.some((control) => control.point === point) ?? false;
  return has("hvac.maxPower") && !has("hvac.mode");
}

/** A load of any power up to that of the rod. No minimum times are set for it. */
function heaterView(device: EnergyDevice, { hvac, record, ask, phases, latencyMs }: HeatPumpInputs): ChargerView {
  const { values } = device;
  const amps = (watts: number): number => watts / NOMINAL_V / phases.length;
  const control = freeControl(device, "hvac.maxPower");
  const setW = values["hvac.maxPower"] ?? 0;
  const rodW = (record.powerKw ?? Number.POSITIVE_INFINITY) * W_PER_KW;
  const maxW = Math.min(control?.range?.max ?? 0, rodW);
  return {
    id: hvac.id,
    name: nameOf(hvac),
    ask,
    priority: record.priority,
    phases,
    state: setW > 0 ? "PLUGGED_IN:CHARGING" : "PLUGGED_IN:STOPPED",
    powerW: values["hvac.power"] ?? null,
    currentA: [null, null, null],
    offeredA: amps(setW),
    isEnabled: setW > 0,
    range: mayCommand(hvac) && maxW > 0 ? { minA: amps(LEAST_HEATER_W), maxA: amps(maxW), stepA: amps(STEP_W) } : null,
    canSwitch: mayCommand(hvac) && control !== null,
    isHeater: true,
    gridShare: record.gridShare,
    measuredAtMs: device.measuredAtMs("hvac.power"),
    latencyMs,
  };
}

interface HeatPumpParts {
  readonly assets: Pick<Assets, "get">;
  readonly latencyMs: (id: string) => number;
  readonly recordOf: (assetId: string) => EnergyDeviceRecord | null;
  readonly sources: Pick<EnergySources, "plannedCharge">;
  /** True while a planned device is as warm as it may be. */
  readonly isWarm: (assetId: string) => boolean;
}

/** Only with a mode: a heat pump that nobody has handed over is left alone. */
export function heatPumpsOf(
  parts: HeatPumpParts,
  device: EnergyDevice,
  site: SiteConnection,
): readonly Controlled<ChargerView>[] {
  const id = assetIdOf(device, "hvac");
  const hvac = id === null ? null : parts.assets.get("hvac", id);
  const record = id === null ? null : parts.recordOf(id);
  if (hvac === null || record === null || !canHeat(device)) return [];
  const ask = askOf(parts, device, record);
  const inputs = { hvac, record, ask, phases: phasesOf(hvac.id, site), latencyMs: parts.latencyMs(hvac.id) };
  const view = isHeater(device) ? heaterView(device, inputs) : heatPumpView(device, inputs);
  return [{ kind: "hvac", device, view }];
}
