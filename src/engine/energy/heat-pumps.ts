/** Heat pumps that can be asked to take more power (SG Ready), as loads that the control cycle switches. */
import { CONTROL_SCOPES } from "../../domain/actions/action-refusal.ts";
import type { Hvac } from "../../domain/assets/hvac.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import type { ChargeAsk, ChargerView, SwitchedLoad } from "../../domain/energy/cycle/energy-snapshot.ts";
import type { Phase } from "../../domain/energy/site/site-connection.ts";
import type { EnergyDeviceRecord } from "../../store/records/energy.ts";
import { assetIdOf, type EnergyDevice, freeControl, latestMs } from "./energy-device.ts";

/** Taken by a heat pump whose power nobody has set, W. */
const DEFAULT_W = 2_000;
const W_PER_KW = 1_000;

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
export function canRaise(device: EnergyDevice): boolean {
  const modes = device.known?.controls.find(({ point }) => point === "hvac.mode")?.values ?? [];
  const hasSetpoint = device.known?.controls.some(({ point }) => point === "hvac.heatSetpoint") ?? false;
  return modes.includes("AUTO") && modes.includes("HEAT") && !hasSetpoint;
}

export interface HeatPumpInputs {
  readonly hvac: Hvac;
  readonly record: EnergyDeviceRecord;
  readonly phases: readonly Phase[];
  readonly latencyMs: number;
}

/** While it is raised, all its power counts as that of the load; otherwise it is a part of the house. */
export function heatPumpView(device: EnergyDevice, { hvac, record, phases, latencyMs }: HeatPumpInputs): ChargerView {
  const { values } = device;
  const isRaised = isRaisedNow(device);
  const powerW = (record.powerKw ?? DEFAULT_W / W_PER_KW) * W_PER_KW;
  const { displayName, model } = hvac.information;
  const mayCommand = hvac.scopes.includes(CONTROL_SCOPES.hvac) && freeControl(device, "hvac.mode") !== null;
  return {
    id: hvac.id,
    name: displayName ?? model ?? hvac.id,
    ask: askOf(device, record),
    priority: record.priority,
    phases,
    state: isRaised ? "PLUGGED_IN:CHARGING" : "PLUGGED_IN:STOPPED",
    powerW: isRaised ? (values["hvac.power"] ?? powerW) : 0,
    currentA: [null, null, null],
    offeredA: null,
    isEnabled: isRaised,
    range: null,
    canSwitch: mayCommand,
    switched: { powerW, ...HEAT_PUMP_TIMES },
    gridShare: record.gridShare,
    measuredAtMs: latestMs(device, ["hvac.power", "hvac.mode"]),
    latencyMs,
  };
}

function isRaisedNow({ values }: EnergyDevice): boolean {
  return values["hvac.mode"] === "HEAT";
}

/**
 * What a client sets goes before the mode for as long as it is held. What a schedule has left is over: a mode switches the
 * schedule off, and the schedule removes the mode.
 */
function askOf({ commands }: EnergyDevice, { mode, asked }: EnergyDeviceRecord): ChargeAsk {
  if (asked !== null || commands.asked("hvac.mode").by === "client") return { by: "device" };
  return { by: "energy", mode, plannedW: null, plannedUntilMs: null };
}

/** What heat pumps draw that the control cycle does not count as its own loads, W. */
export function ownHeatPumpsW(devices: readonly EnergyDevice[], isControlled: (assetId: string) => boolean): number {
  return devices.reduce((sum, device) => {
    const id = assetIdOf(device, "hvac");
    const isOwn = id !== null && !(isControlled(id) && isRaisedNow(device));
    return isOwn ? sum + Math.max(0, device.values["hvac.power"] ?? 0) : sum;
  }, 0);
}
