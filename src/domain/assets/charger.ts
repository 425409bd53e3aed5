import { z } from "zod";
import type { PointName } from "../../points/points.ts";
import { ChargeRateCapability, chargeRateCapability, shownChargeRateLimit } from "../actions/charge-rate-limit.ts";
import { ASSET_FIELDS, instant, LastUpdated, LocationId, MAKE_FIELDS } from "../fields.ts";
import { patch } from "../patch.ts";
import { kiloOrNull, threeDecimalsOrNull } from "../units.ts";
import { type AssetSeed, controlOf, seedFields, seedMake } from "./asset-seed.ts";
import { Capability, capability, INCAPABLE } from "./capability.ts";
import { isFresh, type Snapshot } from "./snapshot.ts";

/** The state of plug and charging (rule S2.1). Only vehicles have `PLUGGED_IN:COMPLETE` as well. */
export const ChargerPowerDeliveryState = z.enum([
  "UNKNOWN",
  "UNPLUGGED",
  "PLUGGED_IN:INITIALIZING",
  "PLUGGED_IN:CHARGING",
  "PLUGGED_IN:STOPPED",
  "PLUGGED_IN:NO_POWER",
  "PLUGGED_IN:FAULT",
  "PLUGGED_IN:DISCHARGING",
]);

/** The description of the states of plug and charging. */
export const POWER_DELIVERY_STATE =
  "`UNPLUGGED`: no vehicle is plugged in. `PLUGGED_IN:INITIALIZING`: charging is about to begin. `PLUGGED_IN:CHARGING`: power flows into the vehicle. `PLUGGED_IN:STOPPED`: charging is paused. `PLUGGED_IN:NO_POWER`: the charger has no power to offer. `PLUGGED_IN:FAULT`: an error prevents charging. `PLUGGED_IN:DISCHARGING`: power flows out of the vehicle. `UNKNOWN`: the device does not report its state.";

/** A charging station (rules I2.6 and S0.11). */
export const Charger = z
  .object({
    ...ASSET_FIELDS,
    chargingLocationId: LocationId.meta({ deprecated: true, description: "Use `locationId`." }),
    locationId: LocationId,
    location: z.object({ id: LocationId, lastUpdated: LastUpdated }),
    chargeState: z.object({
      isPluggedIn: z.boolean().nullable().meta({ description: "`null` if the state is not known." }),
      isCharging: z.boolean().nullable().meta({ description: "`null` if the state is not known." }),
      chargeRate: z.number().nullable().meta({
        description: "Charging power, kW; `null` while the charger does not charge, or if not known.",
      }),
      maxCurrent: z.number().nullable().meta({
        description: "Highest current that the charger offers, A per phase; `null` if not known.",
      }),
      chargeRateLimit: z.number().nullable().optional().meta({
        description:
          "Highest charging power, kW: `maxCurrent` at 230 V on all phases of the charger; `null` without a limit, or if not known.",
      }),
      powerDeliveryState: ChargerPowerDeliveryState.meta({ description: POWER_DELIVERY_STATE }),
      pluggedInVehicleId: z.string().nullable().optional().meta({
        description:
          "Vehicle that is plugged in, as far as the gateway could find out; `null` if there is none; absent if not known.",
      }),
      lastUpdated: LastUpdated,
    }),
    information: z.object({
      id: z.string().nullable().meta({ description: "Serial number or id at the vendor; `null` if not known." }),
      serialNumber: z.string().nullable().meta({ description: "`null` if not known." }),
      ...MAKE_FIELDS,
      year: z.int().nullable().meta({ description: "Model year; `null` if not known." }),
    }),
    capabilities: z.object({
      information: Capability,
      chargeState: Capability,
      startCharging: Capability,
      stopCharging: Capability,
      setMaxCurrent: Capability,
      setChargeRateLimit: ChargeRateCapability.optional(),
    }),
  })
  .meta({ id: "Charger", description: "A charging station." });
export type Charger = z.infer<typeof Charger>;

const CHARGE_STATE_POINTS: readonly PointName[] = ["charger.power", "charger.state", "charger.maxCurrent"];

/** Returns a charger before its first reading. */
export function newCharger(seed: AssetSeed): Charger {
  const { identity, points } = seed.device;
  const enabled = controlOf(seed.device, "charger.enabled");
  // A switch that lists no values accepts both.
  const canSwitch = (value: boolean): boolean => enabled !== null && (enabled.values?.includes(value) ?? true);
  return {
    ...seedFields("charger", seed),
    chargingLocationId: null,
    locationId: null,
    location: { id: null, lastUpdated: null },
    chargeState: {
      isPluggedIn: null,
      isCharging: null,
      chargeRate: null,
      maxCurrent: null,
      chargeRateLimit: null,
      powerDeliveryState: "UNKNOWN",
      lastUpdated: null,
    },
    information: {
      id: identity.serial,
      serialNumber: identity.serial,
      ...seedMake("charger", seed),
      year: seed.device.identity.year ?? null,
    },
    capabilities: {
      information: capability(identity.model !== null || identity.serial !== null),
      chargeState: capability(points.includes("charger.state")),
      startCharging: capability(canSwitch(true)),
      stopCharging: capability(canSwitch(false)),
      setMaxCurrent: capability(controlOf(seed.device, "charger.maxCurrent") !== null),
      setChargeRateLimit: chargeRateCapability(seed.device),
    },
  };
}

/** Returns the charger after a poll, with W converted to kW; the same object if the poll read nothing of it. */
export function foldCharger(charger: Charger, snapshot: Snapshot, nowMs: number): Charger {
  if (!isFresh(snapshot, CHARGE_STATE_POINTS)) return charger;
  const { values } = snapshot;
  const state = values["charger.state"] ?? "UNKNOWN";
  const isCharging = state === "PLUGGED_IN:CHARGING";
  const chargeState = patch(charger.chargeState, {
    isPluggedIn: state === "UNKNOWN" ? null : state !== "UNPLUGGED",
    isCharging: state === "UNKNOWN" ? null : isCharging,
    chargeRate: isCharging ? kiloOrNull(values["charger.power"] ?? null) : null,
    maxCurrent: threeDecimalsOrNull(values["charger.maxCurrent"] ?? null),
    chargeRateLimit: shownChargeRateLimit(charger.capabilities.setChargeRateLimit ?? INCAPABLE, values),
    powerDeliveryState: state,
    lastUpdated: instant(nowMs),
  });
  return patch(charger, { chargeState });
}
