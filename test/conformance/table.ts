/** All rows, in the order of the parts. */

import { AUTHENTICATION_ROWS } from "./parts/authentication.ts";
import { AUTHENTICATION_MORE_ROWS } from "./parts/authentication-more.ts";
import { BATTERY_ROWS } from "./parts/batteries.ts";
import { CHARGER_ROWS } from "./parts/chargers.ts";
import { CHARGER_MORE_ROWS } from "./parts/chargers-more.ts";
import { ERROR_ROWS } from "./parts/errors.ts";
import { ERROR_LIMIT_MORE_ROWS } from "./parts/errors-limits-more.ts";
import { EVENT_ROWS } from "./parts/events.ts";
import { FIELD_READ_ROWS } from "./parts/field-reads.ts";
import { HVAC_ROWS } from "./parts/hvacs.ts";
import { HVAC_MORE_ROWS } from "./parts/hvacs-more.ts";
import { INTERVENTION_HEALTH_ROWS } from "./parts/interventions-health.ts";
import { INVERTER_METER_ROWS } from "./parts/inverters-meters.ts";
import { LIMIT_ROWS } from "./parts/limits.ts";
import { LINKING_ROWS } from "./parts/linking.ts";
import { LOCATION_ROWS } from "./parts/locations.ts";
import { RESOURCE_CHARGING_ROWS } from "./parts/resources-charging.ts";
import { RESOURCE_DEVICE_ROWS } from "./parts/resources-devices.ts";
import { RESOURCE_RECORD_ROWS } from "./parts/resources-records.ts";
import { RESOURCE_UNIT_ROWS } from "./parts/resources-units.ts";
import { SHARED_HOUSE_ROWS } from "./parts/shared-house.ts";
import { STATISTICS_ROWS } from "./parts/statistics.ts";
import { TARIFF_SCHEDULE_ROWS } from "./parts/tariffs-schedules.ts";
import { ACTION_TRANSITION_ROWS } from "./parts/transitions-actions.ts";
import { CONTROL_TRANSITION_ROWS } from "./parts/transitions-control.ts";
import { CREDENTIAL_ROWS } from "./parts/transitions-credentials.ts";
import { USER_ROWS } from "./parts/users.ts";
import { VEHICLE_ROWS } from "./parts/vehicles.ts";
import { VERSION_ROWS } from "./parts/versions.ts";
import { WEBHOOK_ROWS } from "./parts/webhooks.ts";
import type { Row } from "./row.ts";
import { SUPPLEMENT_ROWS } from "./supplement-table.ts";

export const INTERFACE_ROWS: readonly Row[] = [
  ...RESOURCE_DEVICE_ROWS,
  ...RESOURCE_UNIT_ROWS,
  ...RESOURCE_CHARGING_ROWS,
  ...RESOURCE_RECORD_ROWS,
  ...ACTION_TRANSITION_ROWS,
  ...CONTROL_TRANSITION_ROWS,
  ...CREDENTIAL_ROWS,
  ...USER_ROWS,
  ...LINKING_ROWS,
  ...BATTERY_ROWS,
  ...HVAC_ROWS,
  ...HVAC_MORE_ROWS,
  ...CHARGER_ROWS,
  ...CHARGER_MORE_ROWS,
  ...VEHICLE_ROWS,
  ...INVERTER_METER_ROWS,
  ...FIELD_READ_ROWS,
  ...LOCATION_ROWS,
  ...TARIFF_SCHEDULE_ROWS,
  ...STATISTICS_ROWS,
  ...INTERVENTION_HEALTH_ROWS,
  ...WEBHOOK_ROWS,
  ...AUTHENTICATION_ROWS,
  ...AUTHENTICATION_MORE_ROWS,
  ...SHARED_HOUSE_ROWS,
  ...EVENT_ROWS,
  ...ERROR_ROWS,
  ...LIMIT_ROWS,
  ...VERSION_ROWS,
  ...ERROR_LIMIT_MORE_ROWS,
];

/** Part 4, which is as long as the others together. */
export function isOfEndpoints({ part }: Row): boolean {
  return part.startsWith("I4.");
}

export const ROWS: readonly Row[] = [...INTERFACE_ROWS, ...SUPPLEMENT_ROWS];
