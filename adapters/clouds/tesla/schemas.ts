/** What Tesla's Fleet API answers, as far as it is used (Teslemetry/python-tesla-fleet-api, timdorr/tesla-api's samples). */
import { z } from "hemgate/sdk";
import { maybeFlag, maybeNumber, maybeText } from "../kit/device/maybe.ts";
import { listOf } from "../kit/device/parsed.ts";

/** Every answer wraps what was asked for. */
export const Wrapped = z.object({ response: z.unknown() });

export const Region = z.object({ fleet_api_base_url: z.string() });

export const VehicleProduct = z.object({ vin: z.string().min(1), display_name: maybeText });
export type VehicleProduct = z.infer<typeof VehicleProduct>;

const NO_PARTS = { solar: null, battery: null, grid: null, load_meter: null };

export const SiteProduct = z.object({
  energy_site_id: z.union([z.number().int(), z.string().min(1)]).transform(String),
  site_name: maybeText,
  components: z
    .object({ solar: maybeFlag, battery: maybeFlag, grid: maybeFlag, load_meter: maybeFlag })
    .catch({ ...NO_PARTS }),
});
export type SiteProduct = z.infer<typeof SiteProduct>;

/** What an account has, as far as anything of it is of use. */
export const Products = listOf(z.union([SiteProduct, VehicleProduct]));
export type Products = z.infer<typeof Products>;

export const SiteInfo = z.object({
  site_name: maybeText,
  version: maybeText,
  default_real_mode: maybeText,
  /** %. */
  backup_reserve_percent: maybeNumber,
  /** What the batteries hold by their plates, Wh. */
  nameplate_energy: maybeNumber,
  components: z
    .object({
      solar: maybeFlag,
      battery: maybeFlag,
      grid: maybeFlag,
      load_meter: maybeFlag,
      tou_capable: maybeFlag,
      customer_preferred_export_rule: maybeText,
      gateways: listOf(z.object({ serial_number: maybeText, part_name: maybeText })).catch([]),
    })
    .catch({ ...NO_PARTS, tou_capable: null, customer_preferred_export_rule: null, gateways: [] }),
  geolocation: z.object({ latitude: maybeNumber, longitude: maybeNumber }).nullable().catch(null),
});
export type SiteInfo = z.infer<typeof SiteInfo>;

/** Power in W: positive out of the battery, from the grid, from the panels. Energy in Wh. */
export const LiveStatus = z.object({
  solar_power: maybeNumber,
  battery_power: maybeNumber,
  grid_power: maybeNumber,
  load_power: maybeNumber,
  percentage_charged: maybeNumber,
  total_pack_energy: maybeNumber,
  timestamp: maybeText,
});
export type LiveStatus = z.infer<typeof LiveStatus>;

export const VehicleSummary = z.object({ state: z.string() });

export const ChargeState = z.object({
  /** ms since 1970. */
  timestamp: maybeNumber,
  /** %, as the car shows it. */
  battery_level: maybeNumber,
  /** Miles, whatever the car shows. */
  battery_range: maybeNumber,
  charge_limit_soc: maybeNumber,
  charging_state: maybeText,
  charge_enable_request: maybeFlag,
  /** A per phase, asked for by the owner, and the most that may be asked for at this plug. */
  charge_current_request: maybeNumber,
  charge_current_request_max: maybeNumber,
  charger_actual_current: maybeNumber,
  charger_voltage: maybeNumber,
  /** Whole kW. */
  charger_power: maybeNumber,
  minutes_to_full_charge: maybeNumber,
});
export type ChargeState = z.infer<typeof ChargeState>;

export const VehicleData = z.object({
  charge_state: ChargeState.nullable().catch(null),
  /** Coordinates need `vehicle_location`; `gps_as_of` is in s since 1970. */
  drive_state: z
    .object({ latitude: maybeNumber, longitude: maybeNumber, gps_as_of: maybeNumber })
    .nullable()
    .catch(null),
  /** `odometer` in miles, `timestamp` in ms. */
  vehicle_state: z.object({ odometer: maybeNumber, timestamp: maybeNumber }).nullable().catch(null),
});
export type VehicleData = z.infer<typeof VehicleData>;

/** What a command came to: vehicles say `result` and `reason`, energy sites a code like HTTP's in a 200. */
export const CommandResult = z.object({ result: maybeFlag, reason: maybeText, code: maybeNumber, message: maybeText });

/** Whether vehicles take commands only when they are signed with a key that was paired with them, and who has ours. */
export const FleetStatus = z.object({
  key_paired_vins: listOf(z.string()).catch([]),
  vehicle_info: z.record(z.string(), z.object({ vehicle_command_protocol_required: maybeFlag })).catch({}),
});
