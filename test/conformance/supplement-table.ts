/** The rows about the supplement, in the order of its sections. */
import { DELIVERY_ROWS } from "./parts/supplement-1-delivery.ts";
import { EVENT_ROWS } from "./parts/supplement-1-events.ts";
import { WEBHOOK_RECORD_ROWS } from "./parts/supplement-1-webhooks.ts";
import { CHARGER_SMART_ROWS } from "./parts/supplement-2-charger-smart.ts";
import { CHARGING_ROWS } from "./parts/supplement-2-charging.ts";
import { CONTROL_ROWS } from "./parts/supplement-2-control.ts";
import { HVAC_ROWS } from "./parts/supplement-2-hvac.ts";
import { OVERRIDE_ROWS } from "./parts/supplement-2-override.ts";
import { VEHICLE_SMART_ROWS } from "./parts/supplement-2-vehicle-smart.ts";
import { PROBLEM_ROWS } from "./parts/supplement-3-problems.ts";
import { SCOPE_ROWS } from "./parts/supplement-4-scopes.ts";
import { LOCATION_ROWS } from "./parts/supplement-5-locations.ts";
import { TARIFF_ROWS } from "./parts/supplement-5-tariffs.ts";
import { CHARGE_RATE_ROWS } from "./parts/supplement-11-charge-rate.ts";
import type { Row } from "./row.ts";

export const SUPPLEMENT_ROWS: readonly Row[] = [
  ...WEBHOOK_RECORD_ROWS,
  ...DELIVERY_ROWS,
  ...EVENT_ROWS,
  ...CHARGING_ROWS,
  ...CONTROL_ROWS,
  ...OVERRIDE_ROWS,
  ...VEHICLE_SMART_ROWS,
  ...CHARGER_SMART_ROWS,
  ...HVAC_ROWS,
  ...PROBLEM_ROWS,
  ...CHARGE_RATE_ROWS,
  ...SCOPE_ROWS,
  ...LOCATION_ROWS,
  ...TARIFF_ROWS,
];
