/** Example records for the description, by schema; a test holds each against its schema. */
import { DEVICE_EXAMPLES } from "./examples/devices.ts";
import { ENERGY_EXAMPLES } from "./examples/energy.ts";
import { GATEWAY_EXAMPLES } from "./examples/gateway.ts";
import { HOUSE_EXAMPLES } from "./examples/house.ts";
import { LINKING_EXAMPLES } from "./examples/linking.ts";
import { MODBUS_PROXY_EXAMPLES } from "./examples/modbus-proxy.ts";
import { NOTIFICATION_EXAMPLES } from "./examples/notifications.ts";
import { PLACE_EXAMPLES } from "./examples/places.ts";
import { SANDBOX_EXAMPLES } from "./examples/sandbox.ts";
import { SCHEDULE_EXAMPLES } from "./examples/schedules.ts";
import { SMART_EXAMPLES } from "./examples/smart.ts";
import { STATISTICS_EXAMPLES } from "./examples/statistics.ts";
import { USER_EXAMPLES } from "./examples/users.ts";
import { WEBHOOK_EXAMPLES } from "./examples/webhooks.ts";

export const SCHEMA_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  ...DEVICE_EXAMPLES,
  ...ENERGY_EXAMPLES,
  ...GATEWAY_EXAMPLES,
  ...HOUSE_EXAMPLES,
  ...LINKING_EXAMPLES,
  ...MODBUS_PROXY_EXAMPLES,
  ...NOTIFICATION_EXAMPLES,
  ...PLACE_EXAMPLES,
  ...SANDBOX_EXAMPLES,
  ...SCHEDULE_EXAMPLES,
  ...SMART_EXAMPLES,
  ...STATISTICS_EXAMPLES,
  ...USER_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
};
