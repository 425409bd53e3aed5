/** The rows of the rules S0 to S14, in their order. */
import { CLASH_ROWS } from "./parts/supplement-0-clashes.ts";
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
import { HEALTH_ROWS } from "./parts/supplement-6-health.ts";
import { SYSTEM_ROWS } from "./parts/supplement-6-systems.ts";
import { SCHEDULE_ROWS } from "./parts/supplement-7-schedules.ts";
import { SCHEDULE_STATE_ROWS } from "./parts/supplement-7-states.ts";
import { STATISTICS_ROWS } from "./parts/supplement-8-statistics.ts";
import { CLIENT_ROWS } from "./parts/supplement-9-clients.ts";
import { RULE_ROWS } from "./parts/supplement-9-rules.ts";
import { LINKING_ROWS } from "./parts/supplement-10-linking.ts";
import { CHARGE_RATE_ROWS } from "./parts/supplement-11-charge-rate.ts";
import { FLEX_ROWS } from "./parts/supplement-11-flex.ts";
import { METRICS_ROWS } from "./parts/supplement-11-metrics.ts";
import { MORE_ROWS } from "./parts/supplement-11-more.ts";
import { PAIRING_ROWS } from "./parts/supplement-11-pairing.ts";
import { NEVER_NULL_ROWS } from "./parts/supplement-14-never-null.ts";
import type { Row } from "./row.ts";

export const SUPPLEMENT_ROWS: readonly Row[] = [
  ...CLASH_ROWS,
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
  ...METRICS_ROWS,
  ...PAIRING_ROWS,
  ...SCOPE_ROWS,
  ...LOCATION_ROWS,
  ...TARIFF_ROWS,
  ...SYSTEM_ROWS,
  ...HEALTH_ROWS,
  ...SCHEDULE_ROWS,
  ...SCHEDULE_STATE_ROWS,
  ...STATISTICS_ROWS,
  ...RULE_ROWS,
  ...CLIENT_ROWS,
  ...LINKING_ROWS,
  ...MORE_ROWS,
  ...FLEX_ROWS,
  ...NEVER_NULL_ROWS,
];
