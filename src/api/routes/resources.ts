/** The kinds of asset, and of their actions, as the API names and describes them. */
import { z } from "zod";
import {
  BatteryAction,
  ChargeAction,
  ChargeRateLimitAction,
  HvacAction,
  MaxCurrentAction,
} from "../../domain/actions/action.ts";
import type { AssetKind } from "../../domain/assets/asset.ts";
import { Battery } from "../../domain/assets/battery.ts";
import { Charger } from "../../domain/assets/charger.ts";
import { Hvac } from "../../domain/assets/hvac.ts";
import { Inverter } from "../../domain/assets/inverter.ts";
import { Meter } from "../../domain/assets/meter.ts";
import { Vehicle } from "../../domain/assets/vehicle.ts";
import { Pagination } from "../../domain/page.ts";
import type { RecordShape } from "../json-texts.ts";

export interface Resource extends RecordShape {
  readonly name: AssetKind;
  /** In paths and as the tag of the description. */
  readonly plural: string;
  /** In operation ids. */
  readonly one: string;
  readonly many: string;
  /** A page of its list. */
  readonly page: z.ZodType;
}

function pageOf(schema: z.ZodType, id: string): z.ZodType {
  return z.object({ data: z.array(schema), pagination: Pagination }).meta({ id });
}

export const BATTERIES: Resource = {
  name: "battery",
  plural: "batteries",
  one: "Battery",
  many: "Batteries",
  schema: Battery,
  page: pageOf(Battery, "BatteryPage"),
};

export const CHARGERS: Resource = {
  name: "charger",
  plural: "chargers",
  one: "Charger",
  many: "Chargers",
  schema: Charger,
  page: pageOf(Charger, "ChargerPage"),
};

export const INVERTERS: Resource = {
  name: "inverter",
  plural: "inverters",
  one: "Inverter",
  many: "Inverters",
  schema: Inverter,
  page: pageOf(Inverter, "InverterPage"),
};

export const METERS: Resource = {
  name: "meter",
  plural: "meters",
  one: "Meter",
  many: "Meters",
  schema: Meter,
  page: pageOf(Meter, "MeterPage"),
};

export const HVACS: Resource = {
  name: "hvac",
  plural: "hvacs",
  one: "Hvac",
  many: "Hvacs",
  schema: Hvac,
  page: pageOf(Hvac, "HvacPage"),
};

export const VEHICLES: Resource = {
  name: "vehicle",
  plural: "vehicles",
  one: "Vehicle",
  many: "Vehicles",
  schema: Vehicle,
  page: pageOf(Vehicle, "VehiclePage"),
};

/** Actions on batteries. */
export const BATTERY_ACTIONS: RecordShape = { name: "action", schema: BatteryAction };

/** Actions on chargers and vehicles: charging, maximum current and power. */
export const CHARGER_ACTIONS: RecordShape = {
  name: "action",
  schema: z.union([ChargeAction, ChargeRateLimitAction, MaxCurrentAction]).meta({ id: "ChargerAction" }),
};

/** Actions on HVAC units. */
export const HVAC_ACTIONS: RecordShape = { name: "action", schema: HvacAction };
