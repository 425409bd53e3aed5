import { z } from "zod";
import type { PointName } from "../../points/points.ts";
import { ASSET_FIELDS, DeviceName, instant, LastUpdated, LocationId, MAKE_FIELDS } from "../fields.ts";
import { patch } from "../patch.ts";
import { kiloOrNull, threeDecimalsOrNull } from "../units.ts";
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

/** A range of temperatures or temperature differences, °C, both ends included; `null` for an end without a limit. */
const TemperatureRange = z.object({
  min: z.number().nullable().meta({ description: "°C; `null` without a limit." }),
  max: z.number().nullable().meta({ description: "°C; `null` without a limit." }),
});
export type TemperatureRange = z.infer<typeof TemperatureRange>;

const HeatSetpoint = z
  .number()
  .nullable()
  .meta({ description: "Temperature below which the unit heats, °C; `null` if not known." });
const CoolSetpoint = z
  .number()
  .nullable()
  .meta({ description: "Temperature above which the unit cools, °C; `null` if not known." });
const CurrentTemperature = z
  .number()
  .nullable()
  .meta({ description: "Measured temperature, °C; `null` if not known." });
const HoldType = HvacHoldType.nullable().meta({
  description:
    "`PERMANENT`: the setpoints stay until they are changed. `SCHEDULED`: the unit follows its own schedule. `null` if not known.",
});
const IsActive = z
  .boolean()
  .nullable()
  .meta({ description: "`true` while the unit heats or cools; `null` if not known." });

/** A thermostat, heat pump or air conditioner (rules I2.4, S0.4 and S2.7). */
export const Hvac = z
  .object({
    ...ASSET_FIELDS,
    locationId: LocationId,
    location: z.object({ id: LocationId }),
    consumptionRate: z.number().nullable().meta({
      description: "Power consumption, kW; 0 while the unit is idle; `null` if not known.",
    }),
    information: z.object({
      ...MAKE_FIELDS,
      displayName: DeviceName,
      groupName: z.string().nullable().meta({
        description: "Name of the group that the unit belongs to at the vendor; `null` if it has none.",
      }),
      category: HvacCategory.meta({
        description: "As the unit reports it, else derived from its modes and setpoints.",
      }),
    }),
    capabilities: z.object({
      capableModes: z.array(RequestableHvacMode).nullable().meta({
        description: "Modes that can be set; `null` if no mode can be set.",
      }),
      capableHoldTypes: z.array(HvacHoldType).nullable().meta({
        description: "Hold types that can be set; `null` if no mode can be set.",
      }),
      coolSetpointRange: TemperatureRange.nullable().meta({
        description: "Range of `coolSetpoint`, °C; `null` if it cannot be set.",
      }),
      heatSetpointRange: TemperatureRange.nullable().meta({
        description: "Range of `heatSetpoint`, °C; `null` if it cannot be set.",
      }),
      setpointDifferenceRange: TemperatureRange.nullable().meta({
        description:
          "Range of `coolSetpoint` minus `heatSetpoint` in the mode AUTO, °C; `null` if not both setpoints can be set.",
      }),
      setFollowSchedule: Capability,
      setPermanentHold: Capability,
    }),
    thermostatState: z.object({
      mode: Mode.meta({
        description: "`AUTO` heats and cools as needed; `UNKNOWN` if the unit does not report its mode.",
      }),
      heatSetpoint: HeatSetpoint,
      coolSetpoint: CoolSetpoint,
      holdType: HoldType,
      lastUpdated: LastUpdated,
    }),
    temperatureState: z.object({
      currentTemperature: CurrentTemperature,
      isActive: IsActive,
      lastUpdated: LastUpdated,
    }),
    mode: Mode.meta({ deprecated: true, description: "Use `thermostatState.mode`." }),
    heatSetpoint: HeatSetpoint.meta({ deprecated: true, description: "°C. Use `thermostatState.heatSetpoint`." }),
    coolSetpoint: CoolSetpoint.meta({ deprecated: true, description: "°C. Use `thermostatState.coolSetpoint`." }),
    holdType: HoldType.meta({ deprecated: true, description: "Use `thermostatState.holdType`." }),
    isActive: IsActive.meta({ deprecated: true, description: "Use `temperatureState.isActive`." }),
    currentTemperature: CurrentTemperature.meta({
      deprecated: true,
      description: "°C. Use `temperatureState.currentTemperature`.",
    }),
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

/** Lowest difference of cooling and heating setpoint in the mode AUTO for a device that reports none, °C. */
const LEAST_DIFFERENCE_C = 0;

/** Returns an HVAC unit before its first reading. */
export function newHvac(seed: AssetSeed): Hvac {
  const mode = controlOf(seed.device, "hvac.mode");
  const hold = controlOf(seed.device, "hvac.holdType");
  const heat = controlOf(seed.device, "hvac.heatSetpoint")?.range ?? null;
  const cool = controlOf(seed.device, "hvac.coolSetpoint")?.range ?? null;
  const capableModes =
    mode === null ? null : REQUESTABLE_HVAC_MODES.filter((each) => mode.values?.includes(each) ?? true);
  // A unit without a schedule is always on hold.
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
      category: hvacCategoryOf(seed.device),
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

/** Returns the category that a unit reports, or else the one that follows from what it can do. */
export function hvacCategoryOf(device: AssetSeed["device"]): z.infer<typeof HvacCategory> {
  return device.identity.category ?? categoryOf(device);
}

/** Derives the category of a unit from its modes and setpoints (rule S14). */
function categoryOf(device: AssetSeed["device"]): z.infer<typeof HvacCategory> {
  const modes = controlOf(device, "hvac.mode")?.values ?? [];
  const can = (setpoint: "hvac.heatSetpoint" | "hvac.coolSetpoint", mode: "HEAT" | "COOL"): boolean =>
    modes.includes(mode) || device.points.includes(setpoint) || controlOf(device, setpoint) !== null;
  if (!can("hvac.coolSetpoint", "COOL")) return "HEATING";
  return can("hvac.heatSetpoint", "HEAT") ? "HEAT_PUMP" : "COOLING";
}

/** Returns the unit after a poll, with W converted to kW; the same object if the poll read nothing of it. */
export function foldHvac(hvac: Hvac, snapshot: Snapshot, nowMs: number): Hvac {
  const { values } = snapshot;
  let { thermostatState, temperatureState, consumptionRate } = hvac;
  if (isFresh(snapshot, THERMOSTAT_POINTS)) {
    thermostatState = patch(thermostatState, {
      mode: values["hvac.mode"] ?? "UNKNOWN",
      heatSetpoint: threeDecimalsOrNull(values["hvac.heatSetpoint"] ?? null),
      coolSetpoint: threeDecimalsOrNull(values["hvac.coolSetpoint"] ?? null),
      holdType: values["hvac.holdType"] ?? null,
      lastUpdated: instant(nowMs),
    });
  }
  if (isFresh(snapshot, TEMPERATURE_POINTS)) {
    temperatureState = patch(temperatureState, {
      currentTemperature: threeDecimalsOrNull(values["hvac.temperature"] ?? null),
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
