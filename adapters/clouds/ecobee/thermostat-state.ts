import { DAY_MS, type DeviceIdentity, type HoldType, type HvacMode, type PointValue } from "hemgate/sdk";
import type { CloudControl, CloudReading } from "../kit/connector.ts";
import { isoMeasuredAt } from "../kit/device/completed-readings.ts";
import { lookup } from "../kit/device/lookup.ts";
import { celsiusOf } from "./fahrenheit.ts";
import type { Thermostat } from "./schemas.ts";

const MODES: Readonly<Record<string, HvacMode>> = {
  auto: "AUTO",
  auxHeatOnly: "HEAT",
  cool: "COOL",
  heat: "HEAT",
  off: "OFF",
};
const HEATS_OR_COOLS = /^(heatPump[23]?|compCool[12]|auxHeat[123])$/;
const DOES_NEITHER = /^(fan|humidifier|dehumidifier|ventilator|economizer|compHotWater|auxHotWater)$/;
/** An indefinite hold ends in many years; one that a person would set for a while does not. */
const INDEFINITE_MS = 300 * DAY_MS;
const KEEPS = { holdMs: null, safeDefault: null, confidence: "cross-checked" } as const;

export function modeOf({ settings }: Thermostat): HvacMode {
  return lookup(MODES, settings.hvacMode) ?? "UNKNOWN";
}

/** Off stays off until somebody ends it, whatever the programme says. A hold with its own end is neither. */
function holdTypeOf(thermostat: Thermostat): HoldType | null {
  if (modeOf(thermostat) === "OFF") return "PERMANENT";
  if (thermostat.events === null) return null;
  const running = thermostat.events.find((event) => event.running === true);
  if (running === undefined) return "SCHEDULED";
  const lastsMs = Date.parse(running.endDate ?? "") - Date.parse(running.startDate ?? "");
  return running.type === "hold" && lastsMs > INDEFINITE_MS ? "PERMANENT" : null;
}

function isActive({ equipmentStatus }: Thermostat): boolean | null {
  if (equipmentStatus === null) return null;
  const running = equipmentStatus.split(",").filter((word) => word !== "");
  if (running.some((word) => HEATS_OR_COOLS.test(word))) return true;
  return running.every((word) => DOES_NEITHER.test(word)) ? false : null;
}

/** Empty while the thermostat is not connected: what the cloud still knows is old. */
export function readingsOf(thermostat: Thermostat): readonly CloudReading[] {
  const { runtime } = thermostat;
  if (runtime.connected !== true) return [];
  const mode = modeOf(thermostat);
  const [heats, cools] = [mode === "HEAT" || mode === "AUTO", mode === "COOL" || mode === "AUTO"];
  return [
    { point: "hvac.mode", value: mode },
    { point: "hvac.holdType", value: holdTypeOf(thermostat) },
    { point: "hvac.heatSetpoint", value: heats ? celsiusOf(runtime.desiredHeat) : null },
    { point: "hvac.coolSetpoint", value: cools ? celsiusOf(runtime.desiredCool) : null },
    {
      point: "hvac.temperature",
      value: celsiusOf(runtime.actualTemperature),
      ...isoMeasuredAt(`${(runtime.lastStatusModified ?? "").replace(" ", "T")}Z`),
    },
    { point: "hvac.isActive", value: isActive(thermostat) },
  ];
}

export function identityOf({ identifier, name, modelNumber: model, settings }: Thermostat): DeviceIdentity {
  const { heats, cools } = abilitiesOf(settings);
  const single = heats && !cools ? "HEATING" : cools && !heats ? "COOLING" : null;
  const category = settings.hasHeatPump === true ? "HEAT_PUMP" : single;
  return { manufacturer: "ecobee", model, serial: String(identifier), version: null, name, category };
}

function abilitiesOf({ heatStages, coolStages, hasHeatPump }: Thermostat["settings"]) {
  const isHeatPump = hasHeatPump === true;
  return { heats: isHeatPump || (heatStages ?? 0) > 0, cools: isHeatPump || (coolStages ?? 0) > 0 };
}

export function controlsOf({ settings }: Thermostat): readonly CloudControl[] {
  const { heats, cools } = abilitiesOf(settings);
  const hasAuto = heats && cools && settings.autoHeatCoolFeatureEnabled !== false;
  const modes: readonly (readonly [HvacMode, boolean])[] = [
    ["OFF", true],
    ["AUTO", hasAuto],
    ["COOL", cools],
    ["HEAT", heats],
  ];
  const values: readonly PointValue[] = modes.flatMap(([mode, can]) => (can ? [mode] : []));
  const { heatRangeLow, heatRangeHigh, coolRangeLow, coolRangeHigh } = settings;
  return [
    { point: "hvac.mode", values, ...KEEPS },
    {
      point: "hvac.holdType",
      values: ["PERMANENT", "SCHEDULED"],
      caveat: "From off, the schedule goes on in the mode that the thermostat had before.",
      ...KEEPS,
    },
    ...(heats ? [{ point: "hvac.heatSetpoint" as const, ...rangeOf(heatRangeLow, heatRangeHigh), ...KEEPS }] : []),
    ...(cools ? [{ point: "hvac.coolSetpoint" as const, ...rangeOf(coolRangeLow, coolRangeHigh), ...KEEPS }] : []),
  ];
}

/** To tenths of °C, inwards; none where the thermostat does not tell it. */
function rangeOf(low: number | null, high: number | null) {
  const [min, max] = [celsiusOf(low), celsiusOf(high)];
  if (min === null || max === null) return {};
  return { range: { min: Math.ceil(min * 10) / 10, max: Math.floor(max * 10) / 10 } };
}
