import { z } from "zod";
import type { PointName } from "../../points/points.ts";
import { ChargeRateCapability, chargeRateCapability, shownChargeRateLimit } from "../actions/charge-rate-limit.ts";
import { ASSET_FIELDS, instant, MAKE_FIELDS, NullableInstant } from "../fields.ts";
import { patch } from "../patch.ts";
import { kiloOrNull, tidyOrNull } from "../units.ts";
import { type AssetSeed, controlOf, seedFields, seedMake } from "./asset-seed.ts";
import { Capability, capability, INCAPABLE } from "./capability.ts";
import { isFresh, type Snapshot } from "./snapshot.ts";

/** Plug and power (rule S2.1). `PLUGGED_IN:COMPLETE` is for vehicles only. */
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

/** A charging station (rules I2.6 and S0.11). */
export const Charger = z
  .object({
    ...ASSET_FIELDS,
    chargingLocationId: z.uuid().nullable().meta({ deprecated: true }),
    locationId: z.uuid().nullable(),
    location: z.object({ id: z.uuid().nullable(), lastUpdated: NullableInstant }),
    chargeState: z.object({
      isPluggedIn: z.boolean().nullable(),
      isCharging: z.boolean().nullable(),
      chargeRate: z.number().nullable().meta({ description: "kW into the vehicle; null unless charging." }),
      maxCurrent: z.number().nullable().meta({ description: "The most the charger offers, ampere per phase." }),
      chargeRateLimit: z.number().nullable().optional().meta({
        description: "kW that the set current amounts to, at 230 V on every phase of the charger; null: no limit.",
      }),
      powerDeliveryState: ChargerPowerDeliveryState,
      pluggedInVehicleId: z.string().nullable().optional().meta({
        description: "The vehicle that was found to hang on it; null when none does; absent when it cannot be told.",
      }),
      lastUpdated: NullableInstant,
    }),
    information: z.object({
      id: z.string().nullable(),
      serialNumber: z.string().nullable(),
      ...MAKE_FIELDS,
      year: z.int().nullable(),
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

/** A charger before its first reading. */
export function newCharger(seed: AssetSeed): Charger {
  const { identity, points } = seed.device;
  const enabled = controlOf(seed.device, "charger.enabled");
  // A switch that lists no values takes both.
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

/** The charger after a turn: W become kW, the state decides what the plug shows. */
export function foldCharger(charger: Charger, snapshot: Snapshot, nowMs: number): Charger {
  if (!isFresh(snapshot, CHARGE_STATE_POINTS)) return charger;
  const { values } = snapshot;
  const state = values["charger.state"] ?? "UNKNOWN";
  const isCharging = state === "PLUGGED_IN:CHARGING";
  const chargeState = patch(charger.chargeState, {
    isPluggedIn: state === "UNKNOWN" ? null : state !== "UNPLUGGED",
    isCharging: state === "UNKNOWN" ? null : isCharging,
    chargeRate: isCharging ? kiloOrNull(values["charger.power"] ?? null) : null,
    maxCurrent: tidyOrNull(values["charger.maxCurrent"] ?? null),
    chargeRateLimit: shownChargeRateLimit(charger.capabilities.setChargeRateLimit ?? INCAPABLE, values),
    powerDeliveryState: state,
    lastUpdated: instant(nowMs),
  });
  return patch(charger, { chargeState });
}
