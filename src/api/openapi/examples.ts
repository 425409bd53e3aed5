/** Example records for the description, by schema; a test holds each against its schema. */
import { DEVICE_EXAMPLES } from "./examples/devices.ts";
import { LINKING_EXAMPLES } from "./examples/linking.ts";
import { MODBUS_PROXY_EXAMPLES } from "./examples/modbus-proxy.ts";
import { NOTIFICATION_EXAMPLES } from "./examples/notifications.ts";
import { PLACE_EXAMPLES } from "./examples/places.ts";
import { SCHEDULE_EXAMPLES } from "./examples/schedules.ts";
import { SMART_EXAMPLES } from "./examples/smart.ts";
import { USER_EXAMPLES } from "./examples/users.ts";
import { WEBHOOK_EXAMPLES } from "./examples/webhooks.ts";

export const SCHEMA_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  ...DEVICE_EXAMPLES,
  ...LINKING_EXAMPLES,
  ...MODBUS_PROXY_EXAMPLES,
  ...NOTIFICATION_EXAMPLES,
  ...PLACE_EXAMPLES,
  ...SCHEDULE_EXAMPLES,
  ...SMART_EXAMPLES,
  ...USER_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
};
