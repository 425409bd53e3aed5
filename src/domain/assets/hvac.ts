import { z } from "zod";
import type { PointName } from "../../points/points.ts";
import { ASSET_FIELDS, DeviceName, instant, MAKE_FIELDS, NullableInstant } from "../fields.ts";
import { patch } from "../patch.ts";
import { kiloOrNull, tidyOrNull } from "../units.ts";
import { type AssetSeed, controlOf, seedFields, seedMake } from "./asset-seed.ts";
import { Capability, capability } from "./capability.ts";
import { isFresh, type Snapshot } from "./snapshot.ts";

/** The modes that can be requested, in the order of rule I2.4. */
const REQUESTABLE_HVAC_MODES = ["OFF", "AUTO", "COOL", "HEAT"] as const;
const RequestableHvacMode = z.enum(REQUESTABLE_HVAC_MODES);

const Mode = z.enum([...REQUESTABLE_HVAC_MODES, "UNKNOWN"]);
export const HvacHoldType = z.enum(["PERMANENT", "SCHEDULED"]);
export type HvacHoldType = z.infer<typeof HvacHoldType>;
const HvacCategory = z.enum(["HEATING", "COOLING", "HEAT_PUMP", "AGGREGATOR"]);

/** A range of temperatures or of their difference, °C, both ends included; a null end is open. */
const TemperatureRange = z.object({ min: z.number().nullable(), max: z.number().nullable() });
export type TemperatureRange = z.infer<typeof TemperatureRange>;

const Celsius = z.number().nullable().meta({ description: "Degrees Celsius." });

/** A thermostat, heat pump or air conditioner (rules I2.4, S0.4 and S2.7). */
export const Hvac = z
  .object({
    ...ASSET_FIELDS,
    locationId: z.uuid().nullable(),
    location: z.object({ id: z.uuid().nullable() }),
    consumptionRate: z.number().nullable().meta({ description: "kW; 0 when idle." }),
    information: z.object({
      ...MAKE_FIELDS,
      displayName: DeviceName,
      groupName: z.string().nullable(),
      category: HvacCategory.meta({ description: "By what the unit can do if it does not report it." }),
    }),
    capabilities: z.object({
      capableModes: z.array(RequestableHvacMode).nullable(),
      capableHoldTypes: z.array(HvacHoldType).nullable(),
      coolSetpointRange: TemperatureRange.nullable(),
      heatSetpointRange: TemperatureRange.nullable(),
      setpointDifferenceRange: TemperatureRange.nullable(),
      setFollowSchedule: Capability,
      setPermanentHold: Capability,
    }),
    thermostatState: z.object({
      mode: Mode,
      heatSetpoint: Celsius,
      coolSetpoint: Celsius,
      holdType: HvacHoldType.nullable(),
      lastUpdated: NullableInstant,
    }),
    temperatureState: z.object({
      currentTemperature: Celsius,
      isActive: z.boolean().nullable().meta({ description: "Whether it heats or cools at this moment." }),
      lastUpdated: NullableInstant,
    }),
    mode: Mode.meta({ deprecated: true }),
    heatSetpoint: Celsius.meta({ deprecated: true }),
    coolSetpoint: Celsius.meta({ deprecated: true }),
    holdType: HvacHoldType.nullable().meta({ deprecated: true }),
    isActive: z.boolean().nullable().meta({ deprecated: true }),
    currentTemperature: Celsius.meta({ deprecated: true }),
  })
  .meta({ id: "Hvac", description: "A thermostat, heat pump or air conditioner." });
export type Hvac = z.infer<typeof Hvac>;

const THERMOSTAT_POINTS: readonly PointName[] = [
  "hvac.mode",
  "hvac.heatSetpoint",
  "hvac.coolSetpoint",
  "hvac.holdType",
];
const TEMPERATURE_POINTS: readonly PointName[] = ["hvac.temperature", "hvac.isActive"];

/** The least that the cooling setpoint of AUTO stands above the heating setpoint when the device names none, °C. */
const LEAST_DIFFERENCE_C = 0;

/** A unit before its first reading. */
export function newHvac(seed: AssetSeed): Hvac {
  const mode = controlOf(seed.device, "hvac.mode");
  const hold = controlOf(seed.device, "hvac.holdType");
  const heat = controlOf(seed.device, "hvac.heatSetpoint")?.range ?? null;
  const cool = controlOf(seed.device, "hvac.coolSetpoint")?.range ?? null;
  const capableModes =
    mode === null ? null : REQUESTABLE_HVAC_MODES.filter((each) => mode.values?.includes(each) ?? true);
  // A unit that has no schedule of its own is always on hold.
  const holdTypes = hold === null ? ["PERMANENT" as const] : HvacHoldType.options;
  const capableHoldTypes =
    capableModes === null ? null : holdTypes.filter((each) => hold?.values?.includes(each) ?? true);
  return {
    ...seedFields("hvac", seed),
    locationId: null,
    location: { id: null },
    consumptionRate: null,
    information: {
      ...seedMake("hvac", seed),
      displayName: seed.siteName,
      groupName: seed.device.identity.groupName ?? null,
      category: seed.device.identity.category ?? categoryOf(seed.device),
    },
    capabilities: {
      capableModes,
      capableHoldTypes,
      coolSetpointRange: cool,
      heatSetpointRange: heat,
      setpointDifferenceRange: heat !== null && cool !== null ? { min: LEAST_DIFFERENCE_C, max: null } : null,
      setFollowSchedule: capability(capableHoldTypes?.includes("SCHEDULED") ?? false),
      setPermanentHold: capability(capableHoldTypes?.includes("PERMANENT") ?? false),
    },
    thermostatState: { mode: "UNKNOWN", heatSetpoint: null, coolSetpoint: null, holdType: null, lastUpdated: null },
    temperatureState: { currentTemperature: null, isActive: null, lastUpdated: null },
    mode: "UNKNOWN",
    heatSetpoint: null,
    coolSetpoint: null,
    holdType: null,
    isActive: null,
    currentTemperature: null,
  };
}

/** The category of a unit that does not report it, by what it can do (rule S14). */
function categoryOf(device: AssetSeed["device"]): z.infer<typeof HvacCategory> {
  const modes = controlOf(device, "hvac.mode")?.values ?? [];
  const can = (setpoint: "hvac.heatSetpoint" | "hvac.coolSetpoint", mode: "HEAT" | "COOL"): boolean =>
    modes.includes(mode) || device.points.includes(setpoint) || controlOf(device, setpoint) !== null;
  if (!can("hvac.coolSetpoint", "COOL")) return "HEATING";
  return can("hvac.heatSetpoint", "HEAT") ? "HEAT_PUMP" : "COOLING";
}

/** The unit after a turn: W become kW, temperatures stay °C. The same object when nothing was read of it. */
export function foldHvac(hvac: Hvac, snapshot: Snapshot, nowMs: number): Hvac {
  const { values } = snapshot;
  let { thermostatState, temperatureState, consumptionRate } = hvac;
  if (isFresh(snapshot, THERMOSTAT_POINTS)) {
    thermostatState = patch(thermostatState, {
      mode: values["hvac.mode"] ?? "UNKNOWN",
      heatSetpoint: tidyOrNull(values["hvac.heatSetpoint"] ?? null),
      coolSetpoint: tidyOrNull(values["hvac.coolSetpoint"] ?? null),
      holdType: values["hvac.holdType"] ?? null,
      lastUpdated: instant(nowMs),
    });
  }
  if (isFresh(snapshot, TEMPERATURE_POINTS)) {
    temperatureState = patch(temperatureState, {
      currentTemperature: tidyOrNull(values["hvac.temperature"] ?? null),
      isActive: values["hvac.isActive"] ?? null,
      lastUpdated: instant(nowMs),
    });
  }
  if (isFresh(snapshot, ["hvac.power"])) consumptionRate = kiloOrNull(values["hvac.power"] ?? null);
  const { mode, heatSetpoint, coolSetpoint, holdType } = thermostatState;
  const { isActive, currentTemperature } = temperatureState;
  return patch(hvac, {
    thermostatState,
    temperatureState,
    consumptionRate,
    mode,
    heatSetpoint,
    coolSetpoint,
    holdType,
    isActive,
    currentTemperature,
  });
}
