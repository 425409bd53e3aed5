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
  /** Its values in a sentence, with units and signs. */
  readonly says: string;
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
  says: "State of charge in %, capacity in kWh, power in kW, positive while it charges, and the operation mode.",
  one: "Battery",
  many: "Batteries",
  schema: Battery,
  page: pageOf(Battery, "BatteryPage"),
};

export const CHARGERS: Resource = {
  name: "charger",
  plural: "chargers",
  says: "Whether a vehicle is plugged in and charges, power in kW, positive into the vehicle, highest current in A per phase.",
  one: "Charger",
  many: "Chargers",
  schema: Charger,
  page: pageOf(Charger, "ChargerPage"),
};

export const INVERTERS: Resource = {
  name: "inverter",
  plural: "inverters",
  says: "Power in kW, positive for production, and the energy produced since the beginning in kWh.",
  one: "Inverter",
  many: "Inverters",
  schema: Inverter,
  page: pageOf(Inverter, "InverterPage"),
};

export const METERS: Resource = {
  name: "meter",
  plural: "meters",
  says: "Power in kW, positive for import from the grid and negative for export to it.",
  one: "Meter",
  many: "Meters",
  schema: Meter,
  page: pageOf(Meter, "MeterPage"),
};

export const HVACS: Resource = {
  name: "hvac",
  plural: "hvacs",
  says: "Room temperature and setpoints in °C, mode and hold, and the electric power in kW.",
  one: "Hvac",
  many: "Hvacs",
  schema: Hvac,
  page: pageOf(Hvac, "HvacPage"),
};

export const VEHICLES: Resource = {
  name: "vehicle",
  plural: "vehicles",
  says: "State of charge in %, range in km, power in kW, positive into the vehicle, plug, place and odometer.",
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
